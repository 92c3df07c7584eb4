"""Caches of each engine in a temporary folder."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.store.cache import AnswerCache, VerificationCache
from citeproof.store.sqlite_store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from citeproof.store.sql import ServerAddress
    from tests.postgres import Postgres


class Engine(Protocol):
    """A cache in one database that tests open several times."""

    def verified(self, clock: Callable[[], datetime]) -> VerificationCache:
        """Open the cache of verified works as one more run would."""

    def answers(self, clock: Callable[[], datetime], max_age: timedelta) -> AnswerCache:
        """Open the cache of answers as one more run would."""

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return what a statement reads from the tables."""


class SqliteEngine:
    """A cache in an SQLite file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "folder" / "cache.db"

    def verified(self, clock: Callable[[], datetime]) -> VerificationCache:
        return VerificationCache(self.path, clock)

    def answers(self, clock: Callable[[], datetime], max_age: timedelta) -> AnswerCache:
        return AnswerCache(self.path, clock, max_age)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        reader = SqliteStore(self.path)
        try:
            return reader.execute(sql)
        finally:
            reader.close()


class PostgresEngine:
    """A cache in a PostgreSQL schema."""

    def __init__(self, address: ServerAddress) -> None:
        self.address = address

    def verified(self, clock: Callable[[], datetime]) -> VerificationCache:
        return VerificationCache(self.address, clock, {})

    def answers(self, clock: Callable[[], datetime], max_age: timedelta) -> AnswerCache:
        return AnswerCache(self.address, clock, max_age)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        from citeproof.store.postgres import PostgresStore

        reader = PostgresStore(self.address)
        try:
            return reader.execute(sql)
        finally:
            reader.close()


ENGINES = ("sqlite", "postgres")


@pytest.fixture(params=ENGINES)
def new_engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[], Engine]:
    """Return a function that creates an empty cache."""
    if request.param == "sqlite":
        return lambda: SqliteEngine(tmp_path_factory.mktemp("cache"))
    server: Postgres = request.getfixturevalue("postgres")
    return lambda: PostgresEngine(server.schema())


@pytest.fixture
def engine(new_engine: Callable[[], Engine]) -> Engine:
    """Return an empty cache."""
    return new_engine()


class Clock:
    """A clock that advances one second at each call."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Return a clock that advances one second at each call."""
    return Clock()


RECORDS = tuple(
    Record(
        str(n),
        f"Title {n} & “more”",
        ("Ada Winter", "Bela Summer"),
        2011,
        "V",
        doi="10.1/x",
        retraction="https://r",
        source="s",
    )
    for n in range(3)
)
"""Records of an answer."""


class Calendar:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def calendar() -> Calendar:
    """Return a clock that the test sets."""
    return Calendar()


def valid(
    title: str, authors: tuple[str, ...] = (), year: int | None = None, key: str = "k"
) -> Verdict:
    """Return a VALID verdict whose best match has these fields."""
    record = Record(key=key, title=title, authors=authors, year=year)
    return Verdict(
        Reference("r"), Status.VALID, "confirmed", 1.0, best_match=Candidate(record, 1.0)
    )
