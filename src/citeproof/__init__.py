"""citeproof checks whether the references of a paper exist and are described as they are.

>>> import citeproof
>>> with citeproof.open_database("dblp.db") as database:  # doctest: +SKIP
...     citeproof.look_up("Attention is all you need", database).found
...     citeproof.verify(citeproof.Reference("key", title="Attention is all you need"), database).status
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from citeproof.version import __version__

if TYPE_CHECKING:
    from os import PathLike

    from citeproof.bibdb.database import Database
    from citeproof.models import Candidate, Issue, Lookup, Record, Reference, Status, Verdict

__all__ = [
    "Candidate",
    "Issue",
    "Lookup",
    "Record",
    "Reference",
    "Status",
    "Verdict",
    "__version__",
    "look_up",
    "open_database",
    "verify",
]

# The nouns are imported when they are named, and the functions import what they need when they are called:
# `import citeproof` stays cheap, and so does every command that never opens a database.

if not TYPE_CHECKING:  # a type checker knows every name from the imports above

    def __getattr__(name: str) -> object:
        """Return a noun of the public interface."""
        if name not in __all__:
            raise AttributeError(f"module 'citeproof' has no attribute {name!r}")
        return getattr(import_module("citeproof.models"), name)

    def __dir__() -> list[str]:
        """Name what may be used."""
        return __all__


def open_database(path: str | PathLike[str] | None = None) -> Database:
    """Open the bibliographic database at ``path``, or the built-in sample without one.

    The database is a context manager, is never written to, and may be used from many threads.
    Raises :class:`citeproof.errors.DatabaseError` when the file is missing or is not a database.
    """
    from pathlib import Path

    from citeproof.bibdb.database import Database
    from citeproof.bibdb.sample import sample_database

    return Database.open(Path(path) if path is not None else sample_database())


def look_up(title: str, database: Database, threshold: float = 0.9) -> Lookup:
    """Return the records whose titles are alike to ``title`` by ``threshold`` (0.5 to 1) or more, best first.

    ``Lookup.complete`` tells whether a miss is proved.
    """
    return database.look_up(title, threshold)


def verify(reference: Reference, database: Database, threshold: float = 0.9) -> Verdict:
    """Return the verdict on ``reference`` that follows from ``database`` alone."""
    from citeproof.session import offline_pipeline

    return offline_pipeline(database, threshold).verify(reference)
