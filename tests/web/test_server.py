"""The parent of several server processes."""

import socket
import threading
from typing import Any, cast

import pytest
import uvicorn

from citeproof.model.errors import ConfigurationError
from citeproof.web.server import Workers, reserve


class Worker:
    """A worker process as uvicorn's parent sees it."""

    exitcode: int | None = None

    def __init__(self, *, answers: bool = True, ends: bool = True) -> None:
        self.process = self
        self.parent_conn = self
        self.answers, self.ends = answers, ends
        self.alive, self.killed, self.waited = True, False, 0.0
        self.pings = 0

    def is_alive(self) -> bool:
        return self.alive

    def poll(self, _timeout: float) -> bool:
        return self.answers and self.pings > 0

    def recv(self) -> bool:
        self.pings = 0
        return True

    def send(self, _ping: bytes) -> None:
        self.pings += 1

    def kill(self) -> None:
        self.killed, self.alive = True, False

    def join(self, timeout: float = 0.0) -> None:
        self.waited += timeout
        self.alive = self.alive and not self.ends


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def parent(monkeypatch: pytest.MonkeyPatch) -> Workers:
    monkeypatch.setattr("uvicorn.supervisors.multiprocess.SIGNALS", {})
    return Workers(uvicorn.Config("nothing"), [], grace=30.0, silence=60.0, clock=Clock())


def test_join_all_kills_workers_that_do_not_end_within_the_grace(parent: Workers) -> None:
    ends, stopped = Worker(), Worker(ends=False)
    parent.processes = cast("Any", [ends, stopped])
    parent.join_all()
    assert (ends.killed, stopped.killed) == (False, True)
    assert stopped.waited <= 29.0


def test_keep_subprocess_alive_restarts_a_silent_worker_without_waiting(
    parent: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []

    def new(*_: object) -> Any:
        started.append(Worker())
        started[-1].start = lambda: None  # type: ignore[attr-defined]
        return started[-1]

    monkeypatch.setattr("citeproof.web.server.Process", new)
    good, silent = Worker(), Worker(answers=False)
    parent.processes = cast("Any", [good, silent])
    for seconds in (0, 30, 29):
        cast("Clock", parent._clock).now += seconds
        parent.keep_subprocess_alive()
        assert not started
    cast("Clock", parent._clock).now += 2
    parent.keep_subprocess_alive()
    assert (good.killed, silent.killed, silent.waited) == (False, True, 0.0)
    assert cast("Any", parent.processes) == [good, *started]


def test_reserve_waits_for_workers_of_a_killed_service() -> None:
    with socket.create_server(("127.0.0.1", 0)) as left:
        host, port = left.getsockname()
        threading.Timer(0.3, left.close).start()
        with reserve(host, port, 60.0) as reserved:
            assert reserved.getsockname() == (host, port)


def test_reserve_refuses_an_address_in_use() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as other,
        pytest.raises(ConfigurationError, match="already in use"),
    ):
        reserve("127.0.0.1", other.getsockname()[1], 0.2)
