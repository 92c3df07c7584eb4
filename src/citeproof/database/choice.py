"""Choose the database of a run: the named one, else the user's own, else the sample."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from citeproof.database.info import too_old
from citeproof.database.lookup import Database
from citeproof.model.errors import DatabaseError
from citeproof.settings import Settings, default_database

GET_ONE = "citeproof db download dblp"
"""Command that downloads and builds a database."""
SAMPLE_NOTE = (
    "No database was named, so the built-in sample answered. It has only works that papers often cite. "
    f"To get a real database: {GET_ONE}"
)
NO_DATABASE = (
    f"there is no bibliographic database, and one is required; get one with `{GET_ONE}`, or name it (--bib-db)"
)


def open_database(settings: Settings) -> tuple[Database, tuple[str, ...]]:
    """Return the database that ``settings`` name, else the user's own, else the sample, with notes on the choice.

    It is for one run of the command line: without an index, titles are kept in a file and not in memory.
    Raises :class:`DatabaseError` if the file is missing or is not a bibliographic database.
    """
    path, notes = choose_database(settings)
    database = Database.open(path, index_dir=settings.bib_index_dir, titles_in_memory=False)
    old = () if SAMPLE_NOTE in notes else too_old(database.describe(), datetime.now(UTC).date())
    return database, (*notes, *database.warnings, *old)


def choose_database(settings: Settings) -> tuple[Path, tuple[str, ...]]:
    """Return the path of the database as :func:`open_database` chooses it, with notes. A named one need not exist.

    Raises :class:`DatabaseError` if only the sample is available and the settings require a database.
    """
    if settings.bib_db:
        return settings.bib_db, ()
    if default_database().exists():
        return default_database(), ()
    if settings.require_database:
        raise DatabaseError(NO_DATABASE)
    return own_database(settings.sample), (SAMPLE_NOTE,)


def own_database(sample: str) -> Path:
    """Return the path of the user's own database if there is one, else of the ``sample``, built at first use."""
    if default_database().exists():
        return default_database()
    from citeproof.database.build.sample import sample_database

    return sample_database(works=sample == "works")
