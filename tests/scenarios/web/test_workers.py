"""Two server processes at one address share concurrent connections."""

from __future__ import annotations

import os
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.scenarios.web.processes import family, role

if TYPE_CHECKING:
    from collections.abc import Callable

BURST = 64
ESTABLISHED, LISTENING = "01", "0A"
"""States of a connection in ``/proc/net/tcp``."""


def sockets(pid: int, port: int, state: str) -> int:
    """Return how many sockets at ``port`` a process has in a state."""
    lines = (line.split() for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:])
    wanted = {
        f"socket:[{line[9]}]"
        for line in lines
        if line[1].endswith(f":{port:04X}") and line[3] == state
    }
    return sum(_target(path) in wanted for path in Path(f"/proc/{pid}/fd").iterdir())


def _target(descriptor: Path) -> str:
    try:
        return os.readlink(descriptor)  # noqa: PTH115 - it names no file
    except FileNotFoundError:
        return ""


@pytest.mark.slow
def test_workers_share_a_burst_of_connections(start_server: Callable[..., Any]) -> None:
    server = start_server(workers=2)
    port = server.options.port
    workers: list[int] = []

    def both_listen() -> bool:
        workers[:] = [pid for pid in family(server.process.pid) if role(pid) == "worker"]
        return [sockets(pid, port, LISTENING) for pid in workers] == [1, 1]

    server.wait_until(both_listen)
    with ExitStack() as open_:
        for _ in range(BURST):
            open_.enter_context(socket.create_connection(("127.0.0.1", port)))
        server.wait_until(lambda: sum(sockets(pid, port, ESTABLISHED) for pid in workers) == BURST)
        dealt = [sockets(pid, port, ESTABLISHED) for pid in workers]
    assert min(dealt) >= BURST // 4, dealt  # by chance, fewer come once in 40,000 bursts
