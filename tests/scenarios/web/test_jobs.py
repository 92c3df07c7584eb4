"""Jobs of a real service after kills and a stop: each job is done once."""

from __future__ import annotations

import json
import os
import signal
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.slow

LONG = 300
"""Number of references of a job that still runs when the test reads its state."""


def titles(count: int) -> dict[str, Any]:
    return {
        "format": "titles",
        "text": "\n".join(f"A title that is nowhere, number {number}" for number in range(count)),
    }


def started(server: Any, count: int = LONG) -> str:
    status, job = server.post("/api/verify", titles(count))
    assert status == 202, job
    return str(job["id"])


def state(server: Any, job_id: str) -> dict[str, Any]:
    status, job = server.get(f"/api/jobs/{job_id}?first=1000000")
    assert status == 200, job
    found: dict[str, Any] = job
    return found


def finished_once(server: Any, job_id: str, count: int = LONG) -> dict[str, Any]:
    """Wait for the end of a job, and check that each reference has one verdict, in order."""
    server.wait_until(lambda: state(server, job_id)["ended"])
    _, job = server.get(f"/api/jobs/{job_id}")
    assert job["state"] == "finished", job["reason"]
    cited = [result["reference"]["title"] for result in job["run"]["results"]]
    assert cited == titles(count)["text"].split("\n")
    assert sum(job["by_status"].values()) == count
    found: dict[str, Any] = job
    return found


def children(pid: int) -> list[int]:
    return [
        int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    ]


def named(pid: int, word: str) -> bool:
    return word in Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace")


def workers(server: Any) -> list[int]:
    return [pid for pid in children(server.process.pid) if named(pid, "jobs.worker")]


def test_job_continues_when_all_workers_are_killed(start_server: Callable[..., Any]) -> None:
    server = start_server()
    job_id = started(server)
    for _ in range(2):
        done = state(server, job_id)["done"]
        server.wait_until(lambda done=done: state(server, job_id)["done"] > done)
        for worker in workers(server):
            os.kill(worker, signal.SIGKILL)
    finished_once(server, job_id)
    counters = server.get("/api/runtime/stats")[1]["counters"]
    assert (counters["verify_jobs"], counters["verify_references"]) == (1, LONG)


def test_job_of_a_stopped_or_killed_service_continues_with_the_next(
    start_server: Callable[..., Any],
) -> None:
    server = start_server()
    jobs = [started(server) for _ in range(2)]
    server.wait_until(lambda: all(state(server, job_id)["done"] for job_id in jobs))
    server.stop()
    server = start_server()
    assert {state(server, job_id)["attempts"] for job_id in jobs} <= {0, 1}
    server.wait_until(lambda: any(state(server, job_id)["state"] == "running" for job_id in jobs))
    server.kill()
    server = start_server()
    for job_id in jobs:
        finished_once(server, job_id)
    assert server.get("/api/runtime/stats")[1]["counters"]["verify_jobs"] == 2


def test_events_do_not_delay_a_stop(start_server: Callable[..., Any]) -> None:
    server = start_server()
    job_id = started(server)
    connection = HTTPConnection("127.0.0.1", server.options.port, timeout=60)
    connection.request("GET", f"/api/jobs/{job_id}/events")
    answer = connection.getresponse()
    lines = [b""]
    while lines[-1] != b"event: verdict\n":
        lines.append(answer.readline())
    assert lines[-2] == b"id: 0\n"
    assert json.loads(answer.readline().removeprefix(b"data: "))["index"] == 0
    server.process.terminate()
    server.process.join(10)  # far less than requests get that end by themselves
    assert server.process.exitcode is not None
    connection.close()
