"""Venues and coverage of the database, read once by the keeper, so that each worker has them from its first moment."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from citeproof.bibdb.database import Database
from citeproof.errors import CiteproofError
from citeproof.storage.watch import Watch

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.bibdb.coverage import CoverageTable
    from citeproof.bibdb.venues.table import VenueTable

BUILD = "build_id"
"""What a database says of the build that made it; two files with the same one have the same tables."""


class SharedTables:
    """The tables of the database at one path; empty until they are read, and for a database of another program."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._watch = Watch(path)
        self._seen: tuple[object, ...] = ()
        self._build = ""
        self._venues: VenueTable | None = None
        self._coverage: CoverageTable | None = None

    def refresh(self) -> None:
        """Read the tables where the file is another one than before; what cannot be read is left to the workers.

        The file is closed again: no connection to it may go through a fork.
        """
        found = self._watch.look()
        if found == self._seen:
            return
        self._seen, self._build, self._venues, self._coverage = found, "", None, None
        with suppress(CiteproofError), Database.open(self._path, titles_in_memory=False) as database:
            self._venues, self._coverage = database.venues, database.coverage
            self._build = str(database.describe().get(BUILD, ""))

    def lend(self, database: Database) -> None:
        """Give ``database`` the tables, if they are those of the build that it is open on."""
        if self._build and self._venues and self._coverage and database.describe().get(BUILD) == self._build:
            database.venues, database.coverage = self._venues, self._coverage
