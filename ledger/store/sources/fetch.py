"""Bytes from a file or an address. The only place that opens a network connection for records: http and https, bounded in time and size.

A proxy is the one that the environment names (`https_proxy`), as for every other program of the machine.
"""

import asyncio
import mimetypes
import re
import ssl
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from ledger import __version__
from ledger.errors import DataRefusedError, EnvironmentFaultError, UsageError

if TYPE_CHECKING:
    import httpx

TIMEOUT_S = 30
LARGEST_BYTES = 20 * 2**20
MOST_REDIRECTS = 10
_SCHEMES = ("http", "https")
_WHOLE = (200, 203)
_MEDIA_TYPE = re.compile(r"\s*([\w!#$&^.+-]+/[\w!#$&^.+-]+)")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE)
_SAVED_INSTEAD = "Capture it from a saved file instead."


@dataclass(frozen=True, slots=True)
class Content:
    """What was read: the bytes and what they are."""

    data: bytes
    media_type: str
    charset: str | None = None
    final_url: str | None = None
    """Where the answer came from, where that is not the address that was asked for."""
    status: int | None = None
    """The answer's HTTP status; None for a file."""


def read_content(where: str, *, timeout_s: float = TIMEOUT_S) -> Content:
    """Return what a file or an address holds.

    Raises:
        UsageError: there is no such file, or the address is neither http nor https.
        EnvironmentFaultError: the address does not answer with a whole page in time.
        DataRefusedError: there is more than 20 MiB, nothing, or another page such as a login.
    """
    return _fetch(where, timeout_s) if "://" in where else _read_file(Path(where))


def _read_file(path: Path) -> Content:
    if not path.is_file():
        raise UsageError(f"{path}: no such file. Name a file, or an address that begins with https://.")
    if path.stat().st_size > LARGEST_BYTES:
        raise _size_refusal(str(path))
    data = path.read_bytes()
    if not data.strip():
        raise DataRefusedError(f"{path} is empty. Name a file that holds the page.")
    guessed = mimetypes.guess_type(path.name)[0]
    return Content(data, guessed or _sniff_media_type(data))


def _sniff_media_type(data: bytes) -> str:
    if data.startswith(b"%PDF-"):
        return "application/pdf"
    if data[:512].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return "text/html"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "application/octet-stream"
    return "text/plain"


def _fetch(url: str, timeout_s: float) -> Content:
    """Ask in an event loop: only there one deadline holds over connection, headers and body together."""
    if urlsplit(url).scheme.lower() not in _SCHEMES:
        raise UsageError(f"{url}: expected an address that begins with http:// or https://.")
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_ask(url, timeout_s))
    with ThreadPoolExecutor(1) as pool:  # the caller stands in a loop of its own, as a notebook does
        return pool.submit(lambda: asyncio.run(_ask(url, timeout_s))).result()


async def _ask(url: str, timeout_s: float) -> Content:
    import httpx  # only a fetch needs it

    headers = {"User-Agent": f"evidence-ledger/{__version__}", "Accept-Encoding": "identity"}
    try:
        asked = httpx.URL(url)
        async with (
            asyncio.timeout(timeout_s),
            httpx.AsyncClient(
                headers=headers,
                timeout=timeout_s,
                verify=ssl.create_default_context(),  # the machine's own authorities
                follow_redirects=True,
                max_redirects=MOST_REDIRECTS,
            ) as client,
            client.stream("GET", asked) as answer,
        ):
            _require_whole(url, answer)
            data = await _read_body(url, answer)
    except TimeoutError:
        _refuse(url, f"no whole answer within {timeout_s:g} s")
    except httpx.TooManyRedirects:
        _refuse(url, f"it redirects in a loop, or more than {MOST_REDIRECTS} times")
    except httpx.UnsupportedProtocol:
        _refuse(url, "it redirects to an address that is neither http nor https")
    except httpx.InvalidURL as error:
        raise UsageError(f"{url}: not an address: {error}. Give it as the browser shows it.") from error
    except (httpx.HTTPError, OSError, ValueError) as error:
        _refuse(url, str(error) or type(error).__name__)
    final = None if answer.url == asked else str(answer.url)
    content = _content_of(answer, data, final)
    from ledger.store.sources.other_page import other_page  # reads the page's text, which only an answer needs

    if (reason := other_page(content, str(asked), answer.headers)) is not None:
        raise DataRefusedError(f"{url} gives {reason}{f' ({final})' if final else ''}, not the page. {_SAVED_INSTEAD}")
    return content


def _refuse(url: str, reason: str) -> NoReturn:
    raise EnvironmentFaultError(f"{url} cannot be fetched: {reason}. {_SAVED_INSTEAD}") from None


def _require_whole(url: str, answer: "httpx.Response") -> None:
    """Refuse every answer that is not the whole page.

    Raises:
        EnvironmentFaultError: the status says otherwise.
    """
    status = answer.status_code
    if status in _WHOLE:
        return
    name = next((known.phrase for known in HTTPStatus if known == status), "")
    words = f"{url} answers {status} {name}".rstrip()
    if status == HTTPStatus.PARTIAL_CONTENT:
        words += ", a part of the page"
    wait = answer.headers.get("retry-after", "")
    if wait.isascii() and wait.isdigit():
        words += f", and asks to wait {wait[:9]} s"
    raise EnvironmentFaultError(f"{words}. {_SAVED_INSTEAD}")


async def _read_body(url: str, answer: "httpx.Response") -> bytes:
    from ledger.store.sources.inflate import Inflater

    coding = answer.headers.get("content-encoding", "").strip().casefold()
    if coding not in ("", "identity", *Inflater.CODINGS):
        _refuse(url, f'it is packed as "{coding}", which is not read')
    inflater = Inflater(LARGEST_BYTES) if coding in Inflater.CODINGS else None
    data = bytearray()
    async for piece in answer.aiter_raw():
        data += inflater.feed(piece) if inflater else piece
        if len(data) > LARGEST_BYTES:
            raise _size_refusal(url)
    if inflater and not inflater.is_whole:
        _refuse(url, "its packed content ends too early")
    if not data.strip():
        raise DataRefusedError(f"{url} answers {answer.status_code} with an empty page. {_SAVED_INSTEAD}")
    return bytes(data)


def _content_of(answer: "httpx.Response", data: bytes, final: str | None) -> Content:
    """Return the answer with its type and encoding as its header names them; a missing or vague type is told from the bytes."""
    import webencodings

    header = answer.headers.get("content-type", "")
    named = _MEDIA_TYPE.match(header)
    media_type = named[1].lower() if named else ""
    if media_type in ("", "application/octet-stream", "binary/octet-stream") or data.startswith(b"%PDF-"):
        media_type = _sniff_media_type(data)
    label = _CHARSET.search(header)
    encoding = webencodings.lookup(label[1]) if label else None
    return Content(data, media_type, encoding.name if encoding else None, final, answer.status_code)


def _size_refusal(where: str) -> DataRefusedError:
    return DataRefusedError(f"{where}: more than {LARGEST_BYTES // 2**20} MiB. Capture an excerpt instead.")
