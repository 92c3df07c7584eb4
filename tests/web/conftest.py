"""A service over a database that lives in memory, and a client that speaks to it."""

from __future__ import annotations

import asyncio
import multiprocessing
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import as_file, files
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Self, cast

import pytest
from starlette.testclient import TestClient

from citeproof.database.building.builder import build
from citeproof.model.errors import DatabaseError
from citeproof.model.record import Candidate, Lookup, Method, Record
from citeproof.store.runtime.jobs import JobStore
from citeproof.store.runtime.store import RuntimeStore
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity
from citeproof.web.app import create_app
from citeproof.web.backend import Backend, Metrics
from citeproof.web.jobs.queue import JobQueue
from citeproof.web.jobs.worker import Worker
from citeproof.web.options import Options
from citeproof.web.reloading_database import ReloadingDatabase
from citeproof.web.searcher import Searcher, Searches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from citeproof.database.lookup import Database

_FORKING = multiprocessing.get_context("forkserver")

TITLES = (
    "Attention is All you Need",
    "Deep Residual Learning for Image Recognition",
    "Straße and Ångström: <b>Markup</b> & Signs",
)


class FakeDatabase:
    """Three titles, compared one by one; a title that starts with ``fail`` breaks the look-up."""

    def __init__(self, path: Path) -> None:
        text = path.read_text()
        if not text.startswith("titles"):
            raise DatabaseError(f"{path}: is not a database")
        self.titles = (*TITLES, *text.splitlines()[1:])
        self.closed = False
        self.go_on = Event()
        self.go_on.set()

    def look_up_text(
        self,
        text: str,
        threshold: float = 0.9,
        max_candidates: int = 100_000,
        *,
        every: bool = False,
    ) -> Lookup:
        self.go_on.wait(60)
        assert not self.closed
        if text.startswith("fail"):
            raise RuntimeError(f"cannot look up {text}")
        started = time.perf_counter()
        scored = [
            Candidate(
                record(place, title), similarity(normalize_title(text), normalize_title(title))
            )
            for place, title in enumerate(self.titles[:max_candidates])
        ]
        scored.sort(key=lambda candidate: -candidate.similarity)
        least = threshold if every else max(threshold, scored[0].similarity if scored else 1.0)
        found = tuple(one for one in scored if one.similarity >= least)
        milliseconds = 1000 * (time.perf_counter() - started)
        nearest = None if found else scored[0]
        return Lookup(
            text,
            threshold,
            found,
            nearest,
            Method.INDEXED,
            "word_index",
            len(scored),
            True,
            milliseconds,
            every=every,
        )

    def look_up(self, title: str) -> Lookup:
        return self.look_up_text(title)

    def describe(self) -> dict[str, Any]:
        return {"path": "/secret/place", "records": len(self.titles), "indexes": ["word_index"]}

    def close(self) -> None:
        self.closed = True


class InThread(Searcher):
    """Searches in a thread, where a service searches in a process."""

    def __init__(self, reloading: ReloadingDatabase, threads: ThreadPoolExecutor) -> None:
        super().__init__(())
        self._searches = Searches(reloading)
        self._threads = threads

    async def ask(self, search: Callable[..., Any], *values: Any) -> Any:  # type: ignore[override]
        if search is Searches.verify:
            raise RuntimeError("the search process is asked for that")
        if search is Searches.nearest:
            return ()
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, search, self._searches, *values
        )


class JobsInThread(JobQueue):
    """Has jobs done in a thread, where a service has them done in processes."""

    def __init__(self, options: Options) -> None:
        super().__init__(JobStore(options.runtime_store), options)
        self._in_thread = Worker(options)
        self.ready = True

    def _nudge(self) -> None:
        Thread(target=self._in_thread.take, args=(lambda: False,)).start()


def record(place: int, title: str) -> Record:
    return Record(
        f"conf/test/{place}",
        title,
        ("Ada Author", "Bo Writer"),
        2017,
        "Test",
        "inproceedings",
        source="fake",
    )


@pytest.fixture
def database_file(tmp_path: Path) -> Path:
    """Return a file that the fake database opens."""
    path = tmp_path / "books.db"
    path.write_text("titles\n")
    return path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RuntimeStore]:
    """Open a runtime store that waits half a second for a lock."""
    store = RuntimeStore(tmp_path / "runtime.db", lock_wait=0.5)
    yield store
    store.close()


@pytest.fixture
def backend(
    database_file: Path, store: RuntimeStore, tmp_path: Path, sample_path: Path
) -> Iterator[Backend]:
    """Put the service together from the fakes; jobs look into the sample."""
    jobs = JobsInThread(Options(sample_path, tmp_path / "runtime.db"))
    reloading = ReloadingDatabase(database_file, cast("Callable[[Path], Database]", FakeDatabase))
    with ThreadPoolExecutor(2) as threads:
        yield Backend(reloading, store, Metrics(database_file), InThread(reloading, threads), jobs)
    jobs.store.close()
    reloading.close()


@pytest.fixture
def client(backend: Backend) -> Iterator[TestClient]:
    """Return a client whose unforeseen failures are answers, as over a real connection."""
    with TestClient(create_app(backend), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="session")
def sample_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of the built-in sample, built for this test run."""
    path = tmp_path_factory.mktemp("sample") / "sample.db"
    with as_file(files("citeproof.database.building").joinpath("sample.xml")) as xml:
        build([xml], path)
    return path


HOLD = """
import sys, time, apsw
connection = apsw.Connection(sys.argv[1])
connection.set_busy_timeout(10_000)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""


class Holder:
    """A process that holds the write lock of a store until it is told to let go."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout
        assert self._process.stdout.readline() == "locked\n"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.let_go()

    def let_go(self) -> None:
        self._process.communicate("")


@pytest.fixture
def hold_lock() -> type[Holder]:
    """Return what holds the write lock of the store at a path."""
    return Holder
