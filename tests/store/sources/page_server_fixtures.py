"""A page, and a server on this machine that answers with it."""

from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

PAGE = "<html><head><title>t</title></head><body><p>Decoding got up to&nbsp;2.8x \u2013 \u201cfaster\u201d.</p></body></html>"


class Pages(BaseHTTPRequestHandler):
    """Answers from a dictionary that the test changes."""

    def __init__(self, pages: dict[str, str], *arguments: object) -> None:
        self.pages = pages
        super().__init__(*arguments)  # type: ignore[arg-type]  # the server's own arguments

    def do_GET(self) -> None:
        body = self.pages.get(self.path)
        if body is not None and body.startswith("-> "):
            self.send_response(302)
            self.send_header("Location", body.removeprefix("-> "))
            self.end_headers()
            return
        self.send_response(200 if body is not None else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write((body or "").encode())

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def pages() -> Iterator[tuple[dict[str, str], str]]:
    """What a server on this machine answers, and its address."""
    answers = {"/page": PAGE}
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Pages, answers))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield answers, f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()
