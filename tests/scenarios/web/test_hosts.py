"""Two hosts behind a proxy that share a PostgreSQL store: exact counters, and the kill of one
host.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
from contextlib import suppress
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import pytest

from tests.scenarios.web.clients import Load, assert_nothing_lost_or_done_twice, jobs
from tests.scenarios.web.processes import family
from tests.scenarios.web.proxy import Proxy
from tests.store.runtime.conftest import PostgresEngine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.postgres import Postgres

pytestmark = pytest.mark.slow

LONG = 400
"""Number of references of a job that still runs when its host is killed."""
ACKNOWLEDGED = 40
TITLES = [f"A title that is nowhere, number {number}" for number in range(LONG)]


@pytest.fixture
def engine(postgres: Postgres) -> PostgresEngine:
    return PostgresEngine(postgres)


@pytest.fixture
def hosts(
    start_server: Callable[..., Any], engine: PostgresEngine, sample_path: Path, tmp_path: Path
) -> tuple[Any, Any]:
    """Return two services, each with its own copy of the database, over one store."""

    def start(name: str) -> Any:
        folder = tmp_path / name
        folder.mkdir()
        for path in sample_path.parent.glob("sample.db*"):
            shutil.copy(path, folder)
        return start_server(
            database=folder / "sample.db", runtime_store=engine.place, lock_wait=30.0
        )

    return start("one"), start("other")


def events(server: Any, job_id: str, after: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the name and content of each event of a job."""
    connection = HTTPConnection("127.0.0.1", server.options.port, timeout=60)
    try:
        connection.request(
            "GET", f"/api/jobs/{job_id}/events", headers={"Last-Event-ID": after} if after else {}
        )
        answer = connection.getresponse()
        assert answer.status == 200
        name = ""
        while line := answer.readline().decode():
            if line.startswith("event: "):
                name = line.removeprefix("event: ").strip()
            elif line.startswith("data: "):
                yield name, json.loads(line.removeprefix("data: "))
    finally:
        connection.close()


def kill(server: Any) -> None:
    """Kill all processes of a host at once."""
    for pid in list(family(server.process.pid)):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    server.process.join()


def work_on(load: Load, server: Any) -> None:
    enough = load.acknowledged() + ACKNOWLEDGED
    server.wait_until(lambda: load.acknowledged() >= enough)


def test_hosts_count_what_their_clients_counted(
    hosts: tuple[Any, Any], engine: PostgresEngine
) -> None:
    one, other = hosts
    with Proxy([host.options.port for host in hosts]) as proxy:
        load = Load(proxy.port, 6).start()
        work_on(load, one)
        load.stop()
    other.wait_until(lambda: not jobs(engine, "state IN ('waiting', 'running')"))
    assert load.cut == 0
    assert_nothing_lost_or_done_twice(load, engine)
    counters = [host.get("/api/runtime/stats")[1]["counters"] for host in hosts]
    assert counters[0] == counters[1]
    assert {name: counters[0][name] for name in load.titles} == load.titles
    assert counters[0]["verify_references"] == sum(load.jobs.values())
    served = [host.get("/metrics")[1].count('route="/api/search/title"') for host in hosts]
    assert all(served)


def test_hosts_finish_the_jobs_of_a_killed_host(
    hosts: tuple[Any, Any], engine: PostgresEngine
) -> None:
    one, other = hosts
    with Proxy([host.options.port for host in hosts]) as proxy:
        load = Load(proxy.port, verify=False).start()
        work_on(load, one)
        os.kill(other.process.pid, signal.SIGSTOP)  # so that the jobs are the first one's
        for _ in range(3):
            status, job = one.post("/api/verify", {"format": "titles", "text": "\n".join(TITLES)})
            assert status == 202, job
            load.jobs[job["id"]] = LONG
        first = next(iter(load.jobs))
        seen = next(content["index"] for name, content in events(one, first) if name == "verdict")
        one.wait_until(lambda: jobs(engine, "state = 'waiting'") == 0)
        os.kill(other.process.pid, signal.SIGCONT)
        enough = load.acknowledged() + 10  # from here on requests are under way at both hosts
        other.wait_until(lambda: load.acknowledged() >= enough)
        kill(one)
        work_on(load, other)
        load.stop()
    rest = list(events(other, first, after=str(seen)))
    assert [content["index"] for name, content in rest if name == "verdict"] == list(
        range(seen + 1, LONG)
    )
    assert rest[-1][0] == "end"
    other.wait_until(lambda: not jobs(engine, "state IN ('waiting', 'running')"))
    attempts = []
    for job_id in load.jobs:
        status, ended = other.get(f"/api/jobs/{job_id}")
        assert (status, ended["state"]) == (200, "finished")
        assert [result["reference"]["title"] for result in ended["run"]["results"]] == TITLES
        attempts.append(ended["attempts"])
    assert set(attempts) == {1}  # each worker that took a job up has recorded verdicts
    engine.open().close()  # as the next start of a host: it marks the batches of the killed one
    assert load.cut
    assert_nothing_lost_or_done_twice(load, engine)
