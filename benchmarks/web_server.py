"""A server module in a separate process: its address, its output, and its processor time."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks.web_client import Tally, run_clients

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TURN_SECONDS = 2.0
"""Of a load that takes turns with another."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    pid: int
    port: int

    def processor_seconds(self) -> float:
        """Return the processor time that it and all its processes have used, on Linux; 0
        elsewhere.
        """
        try:
            return _processor_seconds(str(self.pid))
        except OSError:
            return 0.0


def _processor_seconds(pid: str) -> float:
    """Return what a process has used, those that it has started, and those of them that have
    ended.
    """
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / float(os.sysconf("SC_CLK_TCK"))
    return own + sum(map(_processor_seconds, children))


@contextmanager
def serving(module: str, *arguments: str) -> Iterator[Server]:
    """Run a server module in a process of its own, once it is ready."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", module, *arguments, str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                figures(port, "/api/ready")
                break
            except (URLError, ConnectionError):
                time.sleep(0.1)
        yield Server(process.pid, port)
    finally:
        process.terminate()
        process.wait()


def figures(port: int, path: str = "/api/runtime/stats") -> Any:
    """Return what the server says at ``path``."""
    with urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
        return json.loads(answer.read())


def load(
    server: Server, clients: int, seconds: float, choose: Callable[[], tuple[str, dict[str, Any]]]
) -> Tally:
    """Return what ``clients`` counted in ``seconds``."""
    before = server.processor_seconds()
    tally = asyncio.run(run_clients(server.port, clients, seconds, choose))
    tally.processor_seconds = server.processor_seconds() - before
    return tally
