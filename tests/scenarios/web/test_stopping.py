"""A server stops within the documented time in all situations."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from tests.scenarios.web.processes import role

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ENOUGH = 25.0
"""Maximum time for a stop on a busy machine, much shorter than the events that could delay it."""


def children(pid: int, module: str = "") -> list[int]:
    """Return the child processes of ``pid``; with ``module`` only those that run it."""
    command = ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(pid)]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if module in line]


def stopped(server: Any, number: signal.Signals = signal.SIGTERM) -> bool:
    os.kill(server.process.pid, number)
    server.process.join(ENOUGH)
    return server.process.exitcode is not None


@pytest.mark.slow
def test_stop_while_the_store_is_locked_and_the_search_process_suspended(
    start_server: Callable[..., Any], hold_lock: Callable[..., Any], tmp_path: Path
) -> None:
    server = start_server(grace=6, lock_wait=120.0)
    (searching,) = children(server.process.pid, "citeproof.web.searcher")
    with hold_lock(tmp_path / "runtime.db"), ThreadPoolExecutor(2) as clients:
        os.kill(searching, signal.SIGSTOP)
        for title in ("Attention is all you need", "No such title is in the sample"):
            clients.submit(server.post, "/api/search/title", {"title": title})
        server.wait_until(lambda: server.get("/metrics")[0] == 200)
        assert stopped(server)
    server.wait_until_gone(searching)


@pytest.mark.slow
def test_stop_while_bodies_do_not_arrive(start_server: Callable[..., Any]) -> None:
    server = start_server(grace=120)
    head = (
        b"POST /api/search/title HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    )
    connections = [socket.create_connection(("127.0.0.1", server.options.port)) for _ in range(20)]
    try:
        for connection in connections:
            connection.sendall(head)
        assert server.get("/api/health")[0] == 200
        assert stopped(server)
    finally:
        for connection in connections:
            connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_stop_when_the_terminal_is_closed(start_server: Callable[..., Any], workers: int) -> None:
    server = start_server(workers=workers)
    processes = children(server.process.pid)
    assert len(processes) >= workers
    assert stopped(server, signal.SIGHUP)
    for process in processes:
        server.wait_until_gone(process)


@pytest.mark.slow
def test_stop_while_a_worker_is_suspended(start_server: Callable[..., Any]) -> None:
    server = start_server(workers=2, grace=6)
    processes = children(server.process.pid)
    worker = next(pid for pid in processes if role(pid) == "worker")
    os.kill(worker, signal.SIGSTOP)
    assert stopped(server)
    for process in processes:
        server.wait_until_gone(process)


@pytest.mark.slow
def test_start_at_once_after_a_kill(start_server: Callable[..., Any]) -> None:
    server = start_server(workers=2)
    for _ in range(3):
        processes = children(server.process.pid)
        server.kill()
        server = start_server(workers=2, port=server.options.port)
    for process in processes:  # while they end, they still answer
        server.wait_until_gone(process)
    server.wait_until(lambda: server.get("/api/health")[0] == 200)


@pytest.mark.slow
def test_stop_of_workers_when_their_parent_is_killed(start_server: Callable[..., Any]) -> None:
    server = start_server(workers=2)
    processes = children(server.process.pid)
    server.kill()
    for process in processes:
        server.wait_until_gone(process)
