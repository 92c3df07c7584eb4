"""A database without some of its records. The missing works can still be cited correctly.

It answers like a database that was built without these records: every look-up leaves them out, and
venues and volumes are computed again.
"""

from __future__ import annotations

import sqlite3
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from citeproof.database.venues import volumes
from citeproof.database.venues.table import VenueTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from citeproof.database.lookup import Database
    from citeproof.model.record import Candidate, Lookup, Notice, Record
    from citeproof.model.reference import Reference

TENTHS = 10
_NEEDED = "key, title, year, venue, pub_type, pages, doi, crossref"
"""The columns of ``publications`` from which volumes are learnt."""


def tenth_of(key: str) -> int:
    """Return in which of ten drawn parts a record is, 0 to 9; drawn by a hash of its key."""
    return zlib.crc32(key.encode()) % TENTHS


def without(
    database: Database, lost: Callable[[Record], bool], venues: VenueTable | None = None
) -> Database:
    """Return ``database`` as if it had been built without the records that are ``lost``."""
    return cast("Database", _Without(database, lost, venues or database.venues))


class _Without:
    def __init__(
        self, database: Database, lost: Callable[[Record], bool], venues: VenueTable
    ) -> None:
        self._database = database
        self._lost = lost
        self.venues = venues

    def best_matches(self, title: str, threshold: float, max_candidates: int) -> Lookup:
        return self.look_up(title, threshold, max_candidates)

    def look_up(
        self, title: str, threshold: float, max_candidates: int, *, every: bool = False
    ) -> Lookup:
        lookup = self._database.look_up(title, threshold, max_candidates, every=every)
        nearest = (
            lookup.nearest if lookup.nearest and not self._lost(lookup.nearest.record) else None
        )
        return replace(
            lookup,
            candidates=self._kept(lookup.candidates),
            nearest=nearest,
            related=self._kept(lookup.related),
        )

    def records_titled(self, title: str, max_candidates: int) -> tuple[Record, ...]:
        return self._here(self._database.records_titled(title, max_candidates))

    def related(self, title: str) -> tuple[Candidate, ...]:
        return self._kept(self._database.related(title))

    def nearest(self, title: str) -> Candidate | None:
        found = self._database.nearest(title)
        return found if found and not self._lost(found.record) else None

    def title_counts(self, words: Sequence[str]) -> tuple[tuple[str, int], ...]:
        return self._database.title_counts(words)  # with those of the lost: a few in a thousand

    def records_by_authors(
        self, names: Sequence[str], limit: int, telling: Callable[[str], bool] | None = None
    ) -> tuple[Record, ...]:
        del telling  # the best ones that are left may be any of all
        return self._here(self._database.records_by_authors(names, limit))

    def notices_about(self, reference: Reference) -> tuple[Notice, ...]:
        return self._database.notices_about(reference)

    def records_with(self, kind: str, identifier: str) -> tuple[Record, ...]:
        return self._here(self._database.records_with(kind, identifier))

    def _kept(self, candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
        return tuple(candidate for candidate in candidates if not self._lost(candidate.record))

    def _here(self, records: Iterable[Record]) -> tuple[Record, ...]:
        return tuple(record for record in records if not self._lost(record))


class _Memory:
    """Publications in memory, as a build fills them."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:")
        self._connection.execute(f"CREATE TABLE publications (id INTEGER PRIMARY KEY, {_NEEDED})")

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        if sql.strip().count(";") > 1:
            self._connection.executescript(sql)
            return []
        return list(self._connection.execute(sql, values))

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self._connection.executemany(sql, list(rows))

    def stream(self, sql: str) -> Iterator[tuple[Any, ...]]:
        return iter(list(self._connection.execute(sql)))

    rows = execute


def venues_without(database: Database, lost: Callable[[str], bool]) -> VenueTable:
    """Return what a database without the records whose keys are ``lost`` would know of venues and
    volumes.
    """
    memory = _Memory()
    places = ", ".join("?" * len(_NEEDED.split(", ")))
    rows = database.file.rows(f"SELECT {_NEEDED} FROM publications ORDER BY id")
    memory.execute_many(
        f"INSERT INTO publications ({_NEEDED}) VALUES ({places})",
        (row for row in rows if not lost(row[0])),
    )
    volumes.write(cast("Any", memory), volumes.learnt(cast("Any", memory)))
    return VenueTable.read(cast("Any", memory), {})
