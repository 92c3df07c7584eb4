"""Clients that send searches, batches, jobs and uploads, and record what was acknowledged."""

from __future__ import annotations

import json
import random
from collections import Counter
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.store.runtime.conftest import Engine

TITLES = (
    "Attention is all you need",
    "Attention is what you ned",
    "A title that nobody ever wrote",
)
"""A title in the database, a similar one, and an unknown one."""
JOB, UPLOAD = 120, 60
"""References of a job that is sent as JSON, and of one that is a file."""
PAUSE_SECONDS = 0.02
JSON = {"Content-Type": "application/json"}
BOUNDARY = "a-boundary"
FORM = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}


class Load:
    """Clients of one address: half of them search, the others send documents or search too."""

    def __init__(self, port: int, clients: int = 4, *, verify: bool = True, seed: int = 20) -> None:
        self.port = port
        self.singles: list[str] = []
        self.batches: dict[str, int] = {}
        self.jobs: dict[str, int] = {}
        self.titles = Counter[str]()
        """Titles that were acknowledged, found or not, as the counters of the service name them."""
        self.cut = 0
        """Requests whose connection was lost: whether they took effect nobody knows."""
        self.faults: list[str] = []
        self._done = Event()
        kinds = (self._search, self._verify if verify else self._search)
        self._threads = [
            Thread(target=self._run, args=(kinds[place % 2], f"{seed}-{place}"), daemon=True)
            for place in range(clients)
        ]

    def start(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def stop(self) -> None:
        """Let each client finish what it is at."""
        self._done.set()
        for thread in self._threads:
            thread.join(60)
        assert not any(thread.is_alive() for thread in self._threads)
        assert self.faults == []

    def acknowledged(self) -> int:
        return len(self.singles) + len(self.batches) + len(self.jobs)

    def _run(self, ask: Any, name: str) -> None:
        chance = random.Random(name)
        number = 0
        while not self._done.is_set():
            number += 1
            try:
                ask(chance, f"{name}-{number}")
            except (OSError, HTTPException):
                self.cut += 1
                self._done.wait(PAUSE_SECONDS)
            except Exception as error:  # noqa: BLE001 - the test reports it
                self.faults.append(f"{type(error).__name__}: {error}")

    def _search(self, chance: random.Random, name: str) -> None:
        if chance.random() < 0.7:
            answer = self._post(
                "/api/search/title", {"title": chance.choice(TITLES)}, {"X-Request-ID": name}
            )
            self.singles.append(name)
            self.titles.update(single_search_requests=1, single_search_found=int(answer["found"]))
        else:
            titles = [f"{title} {name}" for title in TITLES]
            summary = self._post("/api/search/title/batch", {"titles": titles}, {})["summary"]
            assert summary["error_count"] == 0, summary
            self.batches[summary["run_id"]] = summary["total_processed"]
            self.titles.update(
                batch_search_requests=1, batch_search_items_total=summary["total_processed"]
            )

    def _verify(self, chance: random.Random, name: str) -> None:
        if chance.random() < 0.5:
            job = self._post(
                "/api/verify", {"text": bibliography(name, JOB), "format": "bibtex"}, {}, 202
            )
            self.jobs[job["id"]] = JOB
        else:
            job = self._ask("POST", "/api/verify", form(bibliography(name, UPLOAD)), FORM, 202)
            self.jobs[job["id"]] = UPLOAD
        while not self._done.is_set():  # or the queue would fill up
            self._done.wait(0.1)
            try:
                if self._ask("GET", f"/api/jobs/{job['id']}?first=1000000", None, {})["ended"]:
                    return
            except (OSError, HTTPException):
                continue

    def _post(self, path: str, body: Any, headers: dict[str, str], *statuses: int) -> Any:
        return self._ask("POST", path, json.dumps(body), JSON | headers, *statuses)

    def _ask(
        self, method: str, path: str, body: Any, headers: dict[str, str], *statuses: int
    ) -> Any:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        assert answer.status in {200, *statuses}, (path, answer.status, content[:300])
        return json.loads(content)


def bibliography(name: str, count: int) -> str:
    entries = (
        f"@article{{k{number}, title={{A title that is nowhere {name}, part {number}}}}}"
        for number in range(count)
    )
    return "\n".join(entries)


def form(text: str) -> bytes:
    """Return ``text`` as the file of a form."""
    head = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="refs.bib"\r\n\r\n'
    )
    return f"{head}{text}\r\n--{BOUNDARY}--\r\n".encode()


def jobs(engine: Engine, where: str) -> int:
    return int(engine.rows(f"SELECT count(*) FROM jobs WHERE {where}")[0][0])


def assert_nothing_lost_or_done_twice(load: Load, engine: Engine) -> None:
    """Compare the records of the clients with the tables, and the tables with the counters."""
    assert load.singles
    assert load.batches
    assert load.jobs
    events = Counter(row[0] for row in engine.rows("SELECT request_id FROM single_search_events"))
    assert {name: events[name] for name in load.singles} == dict.fromkeys(load.singles, 1)
    runs = dict(
        engine.rows("SELECT id, total_processed FROM batch_runs WHERE status = 'completed'")
    )
    items = dict(engine.rows("SELECT run_id, count(*) FROM batch_items GROUP BY run_id"))
    assert load.batches.items() <= runs.items()
    assert load.batches.items() <= items.items()
    assert engine.rows("SELECT count(*) FROM batch_runs WHERE status = 'running'") == [(0,)]
    assert engine.rows("SELECT id, state, reason FROM jobs WHERE state <> 'finished'") == []
    verdicts = dict(engine.rows("SELECT job_id, count(*) FROM job_verdicts GROUP BY job_id"))
    assert load.jobs.items() <= verdicts.items()
    assert jobs(engine, "total <> (SELECT count(*) FROM job_verdicts WHERE job_id = id)") == 0
    ((ended, processed),) = engine.rows(
        "SELECT count(*), sum(total_processed) FROM batch_runs WHERE status <> 'running'"
    )
    counters = dict(engine.rows("SELECT name, value FROM runtime_counters"))
    wanted = {
        "single_search_requests": events.total(),
        "batch_search_requests": ended,  # the interrupted ones too
        "batch_search_items_total": processed,
        "verify_jobs": jobs(engine, "true"),
        "verify_jobs_failed": 0,
        "verify_references": sum(verdicts.values()),
    }
    assert {name: counters[name] for name in wanted} == wanted
