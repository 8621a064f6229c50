"""Bytes from a file or an address. The only place that opens a network connection for records: http and https, bounded in time and size.

A proxy is the one that the environment names (`https_proxy`), as for every other program of the machine.
"""

import mimetypes
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from ledger import __version__
from ledger.errors import DataRefused, EnvironmentFault, UsageError

TIMEOUT_S = 30
LARGEST_BYTES = 20 * 2**20
_SCHEMES = ("http", "https")


@dataclass(frozen=True, slots=True)
class Content:
    """What was read: the bytes and what they are."""

    data: bytes
    media_type: str
    charset: str | None = None


def read_content(where: str, *, timeout_s: float = TIMEOUT_S) -> Content:
    """Return what a file or an address holds.

    Raises:
        UsageError: there is no such file, or the address is neither http nor https.
        EnvironmentFault: the address does not answer.
        DataRefused: there is more than 20 MiB.
    """
    return _fetch(where, timeout_s) if "://" in where else _read_file(Path(where))


def _read_file(path: Path) -> Content:
    if not path.is_file():
        raise UsageError(f"{path}: no such file. Name a file, or an address that begins with https://.")
    if path.stat().st_size > LARGEST_BYTES:
        raise _size_refusal(str(path))
    data = path.read_bytes()
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


class _Redirects(HTTPRedirectHandler):
    """Follows a redirect to http and https only."""

    def redirect_request(  # noqa: PLR0917  # urllib calls it so
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if urlsplit(newurl).scheme not in _SCHEMES:
            raise URLError(f"it redirects to {newurl}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener() -> OpenerDirector:
    opener = OpenerDirector()
    for handler in (ProxyHandler(), HTTPHandler(), HTTPSHandler(), _Redirects(), HTTPDefaultErrorHandler(), HTTPErrorProcessor()):
        opener.add_handler(handler)
    return opener


def _fetch(url: str, timeout_s: float) -> Content:
    if urlsplit(url).scheme.lower() not in _SCHEMES:
        raise UsageError(f"{url}: expected an address that begins with http:// or https://.")
    request = Request(url, headers={"User-Agent": f"evidence-ledger/{__version__}", "Accept-Encoding": "identity"})
    try:
        with _opener().open(request, timeout=timeout_s) as answer:
            data = answer.read(LARGEST_BYTES + 1)
            headers: Message = answer.headers
    except HTTPError as error:
        raise EnvironmentFault(f"{url} answers {error.code} {error.reason}. Capture it from a saved file instead.") from error
    except (URLError, HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise EnvironmentFault(f"{url} cannot be fetched: {reason}. Capture it from a saved file instead.") from error
    if len(data) > LARGEST_BYTES:
        raise _size_refusal(url)
    return Content(data, headers.get_content_type(), headers.get_content_charset())


def _size_refusal(where: str) -> DataRefused:
    return DataRefused(f"{where}: more than {LARGEST_BYTES // 2**20} MiB. Capture an excerpt instead.")
