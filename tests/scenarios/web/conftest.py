"""Real servers in separate processes, over the built-in sample."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.web import server as service
from citeproof.web.options import Options
from tests.web.conftest import hold_lock as hold_lock  # noqa: PLC0414 - a fixture
from tests.web.conftest import sample_path as sample_path  # noqa: PLC0414 - a fixture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 6000
"""Maximum polls for a condition, at 100 per second. Only a very busy machine needs many."""
_FORKING = multiprocessing.get_context("forkserver")


def _serve(options: Options) -> None:
    """Run the service. SIGHUP stops it, even if the tests run under ``nohup``.

    It waits longer than usual for its address: on a busy machine, killed workers take a while to
    end.
    """
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    service.ADDRESS_SECONDS = 60.0
    service.serve(options)


class Server:
    """A real server in a separate process, forked from one that has imported all modules."""

    def __init__(self, options: Options) -> None:
        self.options = options
        # A process that is a daemon may have no workers.
        self.process = _FORKING.Process(target=_serve, args=(options,), daemon=options.workers == 1)
        self.process.start()
        self.wait_until(lambda: self.get("/api/health")[0] == 200)

    def get(self, path: str) -> tuple[int, Any]:
        return self.request("GET", path)

    def post(self, path: str, body: Any, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        return self.request(
            "POST", path, json.dumps(body), {"Content-Type": "application/json"} | (headers or {})
        )

    def request(
        self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        connection = HTTPConnection("127.0.0.1", self.options.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            content = answer.read()
            is_json = "json" in answer.headers["Content-Type"]
            return answer.status, json.loads(content) if is_json else content.decode()
        finally:
            connection.close()

    def wait_until(self, condition: Callable[[], bool]) -> None:
        for _ in range(PATIENCE):
            with suppress(OSError):
                if condition():
                    return
            if self.process.exitcode is not None:
                raise AssertionError(f"the server ended with {self.process.exitcode}")
            time.sleep(0.01)
        raise AssertionError("the server did not come up")

    def wait_until_gone(self, pid: int) -> None:
        for _ in range(PATIENCE):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return
            time.sleep(0.01)
        raise AssertionError(f"process {pid} is still there")

    def kill(self) -> None:
        self.process.kill()
        self.process.join()

    def stop(self) -> None:
        self.process.terminate()
        self.process.join()


@pytest.fixture
def start_server(
    sample_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Server]]:
    """Return a function that starts a server over the sample. Servers that still run after the test
    are killed.
    """
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), *sys.path]))
    _FORKING.set_forkserver_preload(["__main__", "warm_server"])
    servers = []

    def start(**changes: Any) -> Server:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        options = Options(
            sample_path, tmp_path / "runtime.db", port=port, lock_wait=5.0, log_level="CRITICAL"
        )
        servers.append(Server(replace(options, **changes)))
        return servers[-1]

    yield start
    for server in servers:
        server.kill()
