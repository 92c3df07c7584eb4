"""An HTTP client that needs little processor time: it has one keep-alive connection, sends requests
as bytes, and reads answers by their length.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

SINGLE = "/api/search/title"
BATCH = "/api/search/title/batch"


@dataclass
class Tally:
    """Counts of the clients of one run."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {SINGLE: [], BATCH: []})
    failures: int = 0
    counters: dict[str, int] = field(default_factory=dict)
    duration: float = 0.0
    """How long they asked, in seconds."""
    processor_seconds: float = 0.0
    """Processor seconds of the server; 0 if unknown."""

    def count(self, name: str, amount: int = 1) -> None:
        """Raise a counter that the server keeps too."""
        self.counters[name] = self.counters.get(name, 0) + amount

    def requests(self) -> int:
        """Return how many requests were answered well."""
        return sum(map(len, self.seconds.values()))


def request_bytes(path: str, body: dict[str, Any]) -> bytes:
    """Return one POST request."""
    content = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


async def run_clients(
    port: int, clients: int, seconds: float, choose: Callable[[], tuple[str, dict[str, Any]]]
) -> Tally:
    """Send what ``choose`` returns over ``clients`` connections for ``seconds``."""
    tally = Tally(duration=seconds)
    end = time.perf_counter() + seconds
    await asyncio.gather(*(_client(port, end, choose, tally) for _ in range(clients)))
    return tally


async def _client(
    port: int, end: float, choose: Callable[[], tuple[str, dict[str, Any]]], tally: Tally
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while (started := time.perf_counter()) < end:
        path, body = choose()
        writer.write(request_bytes(path, body))
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        answer = json.loads(await reader.readexactly(length))
        if head.split(b" ", 2)[1] != b"200":
            tally.failures += 1
            continue
        tally.seconds[path].append(time.perf_counter() - started)
        _count(tally, path, answer)
    writer.close()


def _count(tally: Tally, path: str, answer: dict[str, Any]) -> None:
    if path == SINGLE:
        tally.count("single_search_requests")
        tally.count("single_search_found", answer["found"])
    else:
        tally.count("batch_search_requests")
        tally.count("batch_search_items_total", answer["summary"]["total_processed"])
        tally.count("batch_search_found_total", answer["summary"]["found_count"])
        tally.failures += answer["summary"]["error_count"]
