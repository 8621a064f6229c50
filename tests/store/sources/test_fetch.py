"""Bytes from a file or an address: what they are, and what is refused."""

from pathlib import Path

import pytest

from ledger.errors import DataRefused, EnvironmentFault, UsageError
from ledger.store.sources import fetch
from ledger.store.sources.fetch import Content, read_content
from tests.store.sources.page_server_fixtures import PAGE


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
    assert read_content(f"{pages[1]}/page") == Content(PAGE.encode(), "text/html", "utf-8")


def test_a_redirect_is_followed_to_the_web_only(pages: tuple[dict[str, str], str]) -> None:
    answers, url = pages
    answers["/moved"] = f"-> {url}/page"
    answers["/leak"] = "-> file:///etc/hostname"
    assert read_content(f"{url}/moved").data == PAGE.encode()
    with pytest.raises(EnvironmentFault, match="not allowed"):
        read_content(f"{url}/leak")


def test_what_is_not_there_is_told(pages: tuple[dict[str, str], str], tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="answers 404"):
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
        with pytest.raises(DataRefused, match="more than"):
            read_content(where)
