"""A server on this machine that answers each path with the bytes that a test names, and then hangs up."""

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread


@contextmanager
def raw_server(answers: dict[str, bytes], *, asked: list[str] | None = None) -> Iterator[str]:
    """Yield the server's address; an empty answer keeps the line open until the client goes away."""

    class Handler(StreamRequestHandler):
        timeout = 10

        def handle(self) -> None:
            path = self.rfile.readline().split()[1].decode()
            if asked is not None:
                asked.append(path)
            while self.rfile.readline().strip():
                pass
            if answer := answers.get(path, b"HTTP/1.1 404 x\r\nContent-Length: 0\r\n\r\n"):
                self.wfile.write(answer)
            else:
                self.rfile.read(1)

    class Server(ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    server = Server(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def http(body: bytes, *headers: str, status: str = "200 OK", length: int | None = None) -> bytes:
    """Return an answer's bytes."""
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", "Connection: close", *headers]
    return "\r\n".join((*head, "", "")).encode() + body
