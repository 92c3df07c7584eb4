"""A loopback server that replays every source under its name, with configurable faults."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from tests.online import replay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.online.world import World


class Served:
    """The URL of the server, and the number of requests per source."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.requests: Counter[str] = Counter()
        self.agents: set[str] = set()
        self.faults: dict[str, Callable[[replay.Reply], replay.Reply]] = {}

    def urls(self, *names: str) -> dict[str, str]:
        return {name: f"{self.address}/{name}" for name in names or replay.SOURCES}


@contextmanager
def serve(world: World) -> Iterator[Served]:
    """Run a server for ``world``."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            _, source, rest = parts.path.split("/", 2)
            served.requests[source] += 1
            served.agents.add(self.headers["user-agent"])
            reply = replay.SOURCES[source](world, f"/{rest}", dict(parse_qsl(parts.query)))
            if source in served.faults:
                reply = served.faults[source](reply)
            self.send_response(reply.status)
            for name, value in {**reply.headers, "content-length": str(len(reply.body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *args: Any) -> None:
            """Log nothing."""

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.daemon_threads = True
    served = Served(f"http://127.0.0.1:{running.server_address[1]}")
    threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield served
    finally:
        running.shutdown()
        running.server_close()
