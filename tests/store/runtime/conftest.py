"""Runtime stores of both engines, and searches to record."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from citeproof.model.record import Candidate, Lookup, Method, Record
from citeproof.store.runtime.jobs import JobStore
from citeproof.store.runtime.store import RuntimeStore, Search
from citeproof.store.sqlite_store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from citeproof.store.postgres import PostgresStore
    from citeproof.store.sql import ServerAddress
    from tests.postgres import Postgres


class Engine(Protocol):
    """A runtime store that tests open several times, with access to its tables."""

    @property
    def place(self) -> Path | ServerAddress:
        """Path or address of the store."""

    def open(self, **options: Any) -> RuntimeStore:
        """Open the store as another process would."""

    def open_jobs(self, **options: Any) -> JobStore:
        """Open the jobs of an existing store as another process would."""

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a statement."""

    def locked(self) -> AbstractContextManager[None]:
        """Hold the lock that every write needs."""

    def restart(self) -> None:
        """Restart the server of the engine, if it has one."""


class SqliteEngine:
    """A store in an SQLite file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "runtime.db"

    @property
    def place(self) -> Path:
        return self.path

    def open(self, **options: Any) -> RuntimeStore:
        return RuntimeStore(self.path, **options)

    def open_jobs(self, **options: Any) -> JobStore:
        return JobStore(self.path, **options)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        reader = SqliteStore(self.path)
        try:
            return reader.execute(sql)
        finally:
            reader.close()

    @contextmanager
    def locked(self) -> Iterator[None]:
        locker = SqliteStore(self.path)
        try:
            with locker.writing():
                yield
        finally:
            locker.close()

    def restart(self) -> None:
        """Do nothing: a file has no server."""


class PostgresEngine:
    """A store in a PostgreSQL schema."""

    def __init__(self, server: Postgres) -> None:
        self.address = server.schema()
        self.restart = server.restart

    @property
    def place(self) -> ServerAddress:
        return self.address

    def open(self, **options: Any) -> RuntimeStore:
        from citeproof.store.runtime.store import RuntimeStore

        return RuntimeStore(self.address, **options)

    def open_jobs(self, **options: Any) -> JobStore:
        from citeproof.store.runtime.jobs import JobStore

        return JobStore(self.address, **options)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        reader = self._store()
        try:
            return reader.execute(sql)
        finally:
            reader.close()

    @contextmanager
    def locked(self) -> Iterator[None]:
        locker = self._store()
        try:
            with locker.writing():
                yield
        finally:
            locker.close()

    def _store(self) -> PostgresStore:
        from citeproof.store.postgres import PostgresStore

        return PostgresStore(self.address)


ENGINES = ("sqlite", "postgres")


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    """Return an empty store."""
    if request.param == "sqlite":
        return SqliteEngine(tmp_path)
    server: Postgres = request.getfixturevalue("postgres")
    return PostgresEngine(server)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of the store."""
    return tmp_path / "runtime.db"


@pytest.fixture
def store(engine: Engine) -> Iterator[RuntimeStore]:
    """Open a store that waits 0.3 seconds for a lock."""
    store = engine.open(lock_wait=0.3)
    yield store
    store.close()


@pytest.fixture
def hit() -> Search:
    """Return a search that found its title."""
    best = Candidate(Record("conf/x/1", "A Title"), 1.0)
    return Search(
        "A title",
        Lookup("A title", 0.9, (best,), None, Method.INDEXED, "title_index", 1, True, 0.5),
    )


@pytest.fixture
def miss() -> Search:
    """Return a search that found nothing."""
    return Search(
        "Another", Lookup("Another", 0.9, (), None, Method.INDEXED, "title_index", 0, True, 0.5)
    )
