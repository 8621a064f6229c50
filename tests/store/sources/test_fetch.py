"""Bytes from a file or an address: what they are, and the table of ways past the guard, each refused in one line or told."""

import gzip
import zlib
from pathlib import Path

import httpx
import pytest

from ledger.errors import DataRefusedError, EnvironmentFaultError, LedgerError, UsageError
from ledger.store.sources import fetch
from ledger.store.sources.fetch import LARGEST_BYTES, Content, read_content
from tests.store.sources.page_server_fixtures import PAGE
from tests.store.sources.raw_server_fixtures import http, raw_server

PRICE_PAGE = b"<!doctype html><p>Two dollars, 2.50 USD an hour."
HTML = "Content-Type: text/html"

REFUSED = {
    "cut": (http(PRICE_PAGE, HTML, length=1000), "without sending complete"),
    "bad chunk": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n<p>Up to 1.8x fa\r\nZZ\r\n", "chunk"),
    "chunks that stop": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n", "without sending complete"),
    "empty": (http(b"", HTML), "empty page"),
    "blank": (http(b" \r\n\t", HTML), "empty page"),
    "no content": (http(b"", status="204 No Content"), "204 No Content"),
    "a part": (http(PRICE_PAGE, HTML, "Content-Range: bytes 0-9/99", status="206 Partial Content"), "a part of the page"),
    "too many requests": (http(b"slow", "Retry-After: 120", status="429 x"), "429 Too Many Requests, and asks to wait 120 s"),
    "strange retry-after": (http(b"slow", "Retry-After: \xb2", status="429 x"), "429 Too Many Requests."),
    "unavailable": (http(b"later", status="503 x"), "503 Service Unavailable"),
    "unknown status": (http(b"?", status="799 x"), "799"),
    "redirect nowhere": (http(b"", status="302 Found"), "302 Found"),
    "gzip cut": (http(gzip.compress(PRICE_PAGE)[:-9], HTML, "Content-Encoding: gzip"), "ends too early"),
    "gzip damaged": (http(b"no gzip at all", HTML, "Content-Encoding: gzip"), "damaged"),
    "gzip twice": (http(gzip.compress(gzip.compress(PRICE_PAGE)), HTML, "Content-Encoding: gzip, gzip"), "not read"),
    "brotli": (http(b"\x0b\x02\x80abc\x03", HTML, "Content-Encoding: br"), "not read"),
    "a bomb": (http(gzip.compress(bytes(4 * LARGEST_BYTES)), HTML, "Content-Encoding: gzip"), "more than 20 MiB"),
    "to a file": (http(b"", "Location: file:///etc/hostname", status="302 x"), "neither http nor https"),
    "no http": (b"220 mail ready\r\n", ""),
    "hangs": (b"", "no whole answer within 1 s"),
}


def test_the_ways_past_the_guard_are_refused() -> None:
    misses = []
    with raw_server({f"/{index}": answer for index, (answer, _words) in enumerate(REFUSED.values())}) as address:
        for index, (name, (_answer, words)) in enumerate(REFUSED.items()):
            try:
                read_content(f"{address}/{index}", timeout_s=1)
                misses.append(name)
            except LedgerError as error:
                if words not in str(error) or "\n" in str(error) or error.exit_code not in (3, 4):
                    misses.append(f"{name}: {error}")
    assert misses == []


def test_a_loop_ends() -> None:
    with raw_server({"/loop": http(b"", "Location: /loop", status="302 x")}) as address, pytest.raises(LedgerError, match="in a loop"):
        read_content(f"{address}/loop", timeout_s=5)


PACKED = {"whole": gzip.compress(PRICE_PAGE), "in two members": gzip.compress(PRICE_PAGE[:9]) + gzip.compress(PRICE_PAGE[9:])}


@pytest.mark.parametrize("packed", PACKED.values(), ids=PACKED.keys())
def test_what_is_packed_unasked_is_unpacked(packed: bytes) -> None:
    with raw_server({"/gzip": http(packed, HTML, "Content-Encoding: gzip")}) as address:
        assert read_content(f"{address}/gzip").data == PRICE_PAGE
    with raw_server({"/deflate": http(zlib.compress(PRICE_PAGE), HTML, "Content-Encoding: deflate")}) as address:
        assert read_content(f"{address}/deflate").data == PRICE_PAGE


def test_the_final_address_and_the_status_are_kept() -> None:
    with raw_server({"/old": http(b"", "Location: /new", status="308 x"), "/new": http(PRICE_PAGE, HTML)}) as address:
        moved, straight = read_content(f"{address}/old"), read_content(f"{address}/new")
    assert (moved.final_url, moved.status) == (f"{address}/new", 200)
    assert (straight.final_url, straight.status) == (None, 200)


@pytest.mark.parametrize(("path", "asked"), [("/café", "/caf%C3%A9"), ("/caf%C3%A9", "/caf%C3%A9"), ("/a b?q=ü", "/a%20b?q=%C3%BC")])
def test_an_address_in_any_script(path: str, asked: str) -> None:
    requests: list[str] = []
    with raw_server({asked: http(PRICE_PAGE, HTML)}, asked=requests) as address:
        content = read_content(address + path)
    assert (content.data, requests, content.final_url) == (PRICE_PAGE, [asked], None)
    assert httpx.URL("http://bücher.example/").raw_host == b"xn--bcher-kva.example"


@pytest.mark.parametrize(
    ("header", "media_type", "charset"),
    [
        ("text/html; charset='UTF8'", "text/html", "utf-8"),
        ("text/html; charset=ISO-8859-1", "text/html", "windows-1252"),
        ("text/html; charset=unicode_escape", "text/html", None),
        ("html", "text/html", None),
        ("text/html, text/plain", "text/html", None),
        ("application/octet-stream", "text/html", None),
    ],
)
def test_the_type_and_encoding_that_the_header_names(header: str, media_type: str, charset: str | None) -> None:
    with raw_server({"/page": http(PRICE_PAGE, f"Content-Type: {header}")}) as address:
        content = read_content(f"{address}/page")
    assert (content.media_type, content.charset) == (media_type, charset)


@pytest.mark.parametrize(
    ("name", "data", "media_type"),
    [
        ("a.pdf", b"whatever", "application/pdf"),
        ("saved", b"%PDF-1.7", "application/pdf"),
        ("saved", b" \n<!DOCTYPE HTML><p>", "text/html"),
        ("saved", b"plain words", "text/plain"),
        ("saved", b"\xff\x00", "application/octet-stream"),
    ],
)
def test_a_file_is_what_its_name_says_else_what_it_looks_like(name: str, data: bytes, media_type: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    assert read_content(str(tmp_path / name)) == Content(data, media_type)


def test_an_address_says_what_it_sends(pages: tuple[dict[str, str], str]) -> None:
    assert read_content(f"{pages[1]}/page") == Content(PAGE.encode(), "text/html", "utf-8", None, 200)


def test_a_redirect_is_followed_to_the_web_only(pages: tuple[dict[str, str], str]) -> None:
    answers, url = pages
    answers["/moved"] = f"-> {url}/page"
    answers["/leak"] = "-> file:///etc/hostname"
    assert read_content(f"{url}/moved").data == PAGE.encode()
    with pytest.raises(EnvironmentFaultError, match="neither http nor https"):
        read_content(f"{url}/leak")


def test_what_is_not_there_is_told(pages: tuple[dict[str, str], str], tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFaultError, match="answers 404"):
        read_content(f"{pages[1]}/none")
    with pytest.raises(UsageError, match="no such file"):
        read_content(str(tmp_path / "none"))
    with pytest.raises(UsageError, match="begins with http"):
        read_content("ftp://127.0.0.1/x")


def test_too_much_is_refused_from_both(pages: tuple[dict[str, str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    monkeypatch.setattr(fetch, "LARGEST_BYTES", len(PAGE.encode()))
    assert read_content(f"{pages[1]}/page").data == read_content(str(tmp_path / "page.html")).data
    monkeypatch.setattr(fetch, "LARGEST_BYTES", len(PAGE.encode()) - 1)
    for where in (f"{pages[1]}/page", str(tmp_path / "page.html")):
        with pytest.raises(DataRefusedError, match="more than"):
            read_content(where)
