"""A loopback server for one file, with configurable faults."""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class FileServer:
    """The file and the behaviour of the server."""

    content: bytes
    etag: str = '"one"'
    modified: str = "Sun, 01 Nov 2026 00:00:00 GMT"
    kind: str = "application/gzip"
    cut_after: list[int] = field(default_factory=list)
    """Bytes sent before the connection is closed, for each of the first responses."""
    stall_after: list[int] = field(default_factory=list)
    """Bytes sent before the server stalls, for each of the first responses."""
    statuses: list[int] = field(default_factory=list)
    """Statuses of the first GET responses."""
    ranges: bool = True
    """Whether the server supports ``Range``."""
    heeds_if_range: bool = True
    claimed: int = 0
    """Bytes added to the true length in ``Content-Length``."""
    location: str = ""
    """Redirect target of ``/moved``."""
    change_to: bytes = b""
    """Content after the first complete response."""
    checksum: str = ""
    """Content at ``.md5``; empty for status 404."""
    requests: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    """Method, path and headers of each request."""
    port: int = 0
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/dump.gz"

    def asked(self, method: str = "GET") -> list[dict[str, str]]:
        return [headers for own, _, headers in self.requests if own == method]


class _Handler(BaseHTTPRequestHandler):
    served: FileServer

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    # the base class names it so
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""

    def _answer(self, *, body: bool) -> None:
        served = self.served
        served.requests.append((self.command, self.path, dict(self.headers)))
        if self.path.endswith(".md5"):
            self._send(200 if served.checksum else 404, served.checksum.encode(), {}, body=body)
        elif self.path == "/moved" and served.location:
            self._send(302, b"", {"Location": served.location}, body=body)
        elif body and served.statuses:
            self._send(served.statuses.pop(0), b"busy", {"Retry-After": "7"}, body=body)
        else:
            self._file(body=body)

    def _file(self, *, body: bool) -> None:
        served, content = self.served, self.served.content
        headers = {
            "ETag": served.etag,
            "Last-Modified": served.modified,
            "Content-Type": served.kind,
        }
        headers = {name: value for name, value in headers.items() if value}
        if served.etag and self.headers.get("If-None-Match") == served.etag:
            self._send(304, b"", headers, body=False)
            return
        asked = re.match(r"bytes=(\d+)-", self.headers.get("Range") or "")
        condition = self.headers.get("If-Range")
        same = condition in {served.etag, served.modified} or not served.heeds_if_range
        start = int(asked[1]) if asked and served.ranges and same else 0
        if start and start >= len(content):
            self._send(416, b"", {"Content-Range": f"bytes */{len(content)}"}, body=False)
            return
        if start:
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        self._send(206 if start else 200, content[start:], headers, body=body)

    def _send(self, status: int, content: bytes, headers: dict[str, str], *, body: bool) -> None:
        served = self.served
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header(
            "Content-Length", str(len(content) + (served.claimed if status in {200, 206} else 0))
        )
        self.end_headers()
        if not body:
            return
        if status in {200, 206} and served.cut_after:
            self.wfile.write(content[: served.cut_after.pop(0)])
            self.close_connection = True
        elif status in {200, 206} and served.stall_after:
            self.wfile.write(content[: served.stall_after.pop(0)])
            self.wfile.flush()
            served.released.wait(20)
            self.close_connection = True
        else:
            self.wfile.write(content)
        if served.change_to and status == 200:
            served.content, served.etag, served.change_to = served.change_to, '"two"', b""


@contextmanager
def serving(content: bytes, **behaviour: object) -> Iterator[FileServer]:
    """Yield a running server."""
    served = FileServer(content, **behaviour)  # type: ignore[arg-type]
    handler = type("Handler", (_Handler,), {"served": served})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        served.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield served
        finally:
            served.released.set()
            server.shutdown()
            thread.join()
