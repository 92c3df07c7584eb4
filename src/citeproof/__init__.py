"""citeproof checks whether the references of a paper exist and are described as they are.

>>> import citeproof
>>> with citeproof.open_database() as database:
...     print(citeproof.look_up("Attention is all you need", database).found)
True

This is the public interface; ``docs/python.md`` shows each name with an example.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from citeproof.model.errors import (
    BuildError,
    CiteproofError,
    ConfigurationError,
    DatabaseError,
    InputError,
    MissingExtraError,
    StoreBusyError,
)
from citeproof.model.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

    from citeproof.database.lookup import Database
    from citeproof.database.search import Found
    from citeproof.fix.document import Change, Corrected, Left
    from citeproof.model.findings import NearestWork
    from citeproof.model.record import Candidate, Lookup, Record
    from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity
    from citeproof.model.run import Ending, Run, Statistics
    from citeproof.model.verdict import Issue, Status, Verdict
    from citeproof.readers.papers import File, Paper
    from citeproof.verification.session import Progress, Session


_CLASSES = {
    "database.lookup": ("Database",),
    "database.search": ("Found",),
    "fix.document": ("Change", "Corrected", "Left"),
    "model.findings": ("NearestWork",),
    "model.record": ("Candidate", "Lookup", "Record"),
    "model.reference": ("Bibliography", "Diagnostic", "Place", "Reference", "Severity"),
    "model.run": ("Ending", "Run", "Statistics"),
    "model.verdict": ("Issue", "Status", "Verdict"),
    "verification.session": ("Session",),
}
"""Map from a module to its public classes. They are imported at first use, so that ``import
citeproof`` is fast.
"""

__all__ = [
    "Bibliography",
    "BuildError",
    "Candidate",
    "Change",
    "CiteproofError",
    "ConfigurationError",
    "Corrected",
    "Database",
    "DatabaseError",
    "Diagnostic",
    "Ending",
    "Found",
    "InputError",
    "Issue",
    "Left",
    "Lookup",
    "MissingExtraError",
    "NearestWork",
    "Place",
    "Record",
    "Reference",
    "Run",
    "Session",
    "Severity",
    "Statistics",
    "Status",
    "StoreBusyError",
    "Verdict",
    "__version__",
    "check",
    "check_text",
    "correct",
    "look_up",
    "open_database",
    "open_session",
    "read",
    "search",
    "stream",
    "to_dict",
    "verify",
]

if not TYPE_CHECKING:  # a type checker knows every name from the imports above

    def __getattr__(name: str) -> object:
        """Return a class of the public interface, imported at first use."""
        for module, names in _CLASSES.items():
            if name in names:
                return getattr(import_module(f"citeproof.{module}"), name)
        raise AttributeError(f"module 'citeproof' has no attribute {name!r}")

    def __dir__() -> list[str]:
        """Return the public names."""
        return __all__


def open_database(path: str | PathLike[str] | None = None) -> Database:
    """Open the database at ``path``. Without ``path``, open the database from ``citeproof db
    download`` or, if there is none, the built-in sample.

    The database is a context manager, is never written to, and may be used from many threads.
    Raises :class:`DatabaseError` when the file is missing or is not a database.
    """
    from os import fspath

    from citeproof.database.choice import own_database
    from citeproof.database.lookup import Database
    from citeproof.settings import load_own
    from citeproof.settings.values import file

    try:
        chosen = file(fspath(path)) if path is not None else own_database(load_own().sample)
    except (TypeError, ValueError):
        raise DatabaseError(f"a database is named by its file, not by {path!r}") from None
    return Database.open(chosen)


def open_session(**settings: Any) -> Session:
    """Return a session that checks references as the command line does, with a cache and, if
    enabled, online sources.

    ``settings`` are named as in ``docs/cli.md``: ``bib_db``, ``enable_online``. Settings that are
    not given come from environment variables and settings files, as on the command line. The
    session is a context manager. Raises :class:`ConfigurationError` for an invalid setting,
    :class:`DatabaseError` for a file that cannot be used.
    """
    from citeproof.settings import load
    from citeproof.verification import startup

    return startup.open_session(load(**settings))


def read(file: File, input_format: str | None = None) -> Bibliography:
    """Return the entries of ``file``. An entry is a reference or a diagnostic.

    ``file`` is the name of a file, or the content of a file as bytes: ``read(text.encode())``.
    For a folder or an archive, the entries of all papers are returned; ``Reference.paper`` names
    the paper of an entry. Without ``input_format`` the format is detected from name and content.
    Raises :class:`InputError` if the file cannot be read or has no entry.
    """
    from citeproof.model.reference import Bibliography
    from citeproof.readers.formats import read_all
    from citeproof.readers.papers import open_file

    found = read_all(open_file(file, input_format))
    if len(found) == 1:
        return found[0]
    return Bibliography(
        tuple(entry for bibliography in found for entry in bibliography.entries),
        tuple(diagnostic for bibliography in found for diagnostic in bibliography.diagnostics),
    )


def look_up(
    title: str,
    database: Database,
    threshold: float = 0.9,
    *,
    every: bool = False,
    nearest: bool = False,
) -> Lookup:
    """Return the records with the title most similar to ``title``.

    The similarity is at least ``threshold``, 0.5 to 1. If ``every`` is true, all records that reach
    the threshold are returned, best first; this takes longer. If ``nearest`` is true and no title
    is found, ``Lookup.nearest`` has the most similar title, if its similarity is at least 0.6. This
    takes longer, too.

    If ``Lookup.complete`` is true, the database has no better record. An empty result then proves
    that the title is missing.
    """
    if not isinstance(title, str):
        raise InputError(f"a title is a text, not {type(title).__name__}")
    checked, similarity = _checked(database, threshold)
    return checked.look_up_text(title, similarity, every=every, nearest=nearest)


def verify(reference: Reference, database: Database, threshold: float = 0.9) -> Verdict:
    """Return the verdict on ``reference``, decided from ``database`` only.

    ``threshold`` is the minimum similarity, 0.5 to 1, of a record's title to the cited title.
    Raises :class:`InputError` if a field of the reference has a value of the wrong type.
    """
    from citeproof.verification.session import Session

    return Session.over(*_checked(database, threshold)).verify(reference)


def check(
    papers: Paper | Iterable[Paper],
    database: Database,
    threshold: float = 0.9,
    progress: Progress | None = None,
) -> Run:
    """Check all entries of ``papers``, using ``database`` only. Return the verdicts and statistics.

    A paper is the name of a file, the bytes of a file, a result of :func:`read`, or a reference.
    ``progress`` is called with each verdict and the total number of entries. Raises
    :class:`InputError` if nothing can be read, or a field of a reference has a value of the wrong
    type.
    """
    from citeproof.verification.session import Session

    return Session.over(*_checked(database, threshold)).check(papers, progress)


def check_text(text: str, database: Database, threshold: float = 0.9) -> Run:
    """Check the references in ``text``, as ``citeproof verify --text`` does. The text is one
    reference or a list of references.

    Raises :class:`InputError` if the text has no reference.
    """
    if not isinstance(text, str):
        raise InputError(f"a text of references is needed, not {type(text).__name__}")
    from dataclasses import replace

    from citeproof.readers.document import Document

    return check(replace(Document.of_text(text, "<text>"), format="text"), database, threshold)


def correct(
    file: File,
    database: Database,
    threshold: float = 0.9,
    *,
    upgrade: bool = False,
    complete: bool = False,
) -> Corrected:
    """Return a BibTeX file with its entries corrected, as ``citeproof fix`` does. Nothing is
    written.

    ``file`` is the name of a file, or its content as bytes. With ``upgrade``, preprints are
    replaced by their published versions; with ``complete``, missing fields are added. Raises
    :class:`InputError` if the file is not a BibTeX file.
    """
    from citeproof.fix.document import Corrector, is_bibtex
    from citeproof.model.reference import Diagnostic
    from citeproof.readers.document import Document
    from citeproof.readers.formats import bibtex
    from citeproof.readers.papers import open_file
    from citeproof.verification.session import Session

    session = Session.over(*_checked(database, threshold))
    first, *others = open_file(file)
    if isinstance(first, Diagnostic):
        raise InputError(str(first))
    if others or not isinstance(first, Document) or not is_bibtex(first):
        raise InputError("only a BibTeX file can be corrected: give its name, or its bytes")
    return Corrector(
        bibtex.read, session.pipeline.examine, session.validator, upgrade, complete
    ).correct(first)


def search(words: str, database: Database, most: int = 5) -> list[Found]:
    """Return at most ``most`` works that match ``words``, best match first, as ``citeproof search``
    does.

    Each word may come from the title, an author's name, the venue or the year. Some words may be
    remembered wrongly. ``Found.missing`` has the words that a work lacks. Raises
    :class:`InputError` if no word has a letter or digit.
    """
    from citeproof.database import search as searching
    from citeproof.text.normalize import normalize_title

    if not isinstance(words, str) or not normalize_title(words):
        raise InputError(f"words of title, authors, venue or year are needed, not {words!r}")
    return searching.search(_checked(database, 0.9)[0], words, most)


def stream(
    papers: Paper | Iterable[Paper], database: Database, threshold: float = 0.9
) -> Iterator[Verdict]:
    """Yield the verdict on each entry of ``papers`` as soon as it is decided. The order is that of
    :func:`check`.

    Closing the iterator cancels the entries that have not begun.
    """
    from citeproof.model.reference import Reference
    from citeproof.readers.formats import read_all
    from citeproof.readers.papers import open_papers
    from citeproof.verification.session import Session

    session = Session.over(*_checked(database, threshold))
    for paper in list(open_papers(papers)):
        entries = (paper,) if isinstance(paper, Reference) else read_all([paper])[0].entries
        yield from session.stream(entries)


def to_dict(result: Run | Verdict | Lookup) -> dict[str, Any]:
    """Return ``result`` as in the JSON report: plain dictionaries, lists, strings and numbers."""
    from citeproof.model.record import Lookup
    from citeproof.model.run import Run
    from citeproof.model.verdict import Verdict
    from citeproof.report import serialization

    if isinstance(result, Run):
        return dict(serialization.run_object(result))
    if isinstance(result, Lookup):
        return serialization.lookup_object(result)
    if isinstance(result, Verdict):
        return dict(serialization.result_object(result))
    raise InputError(f"a Run, Verdict or Lookup is needed, not {type(result).__name__}")


def _checked(database: Database, threshold: float) -> tuple[Database, float]:
    """Check the types and the range of two arguments, and return them unchanged.

    Raises :class:`InputError` or :class:`ConfigurationError` if an argument is invalid.
    """
    from citeproof.database.lookup import Database

    if not isinstance(database, Database):
        raise InputError(
            f"a database that citeproof.open_database() returned is needed, not {database!r}"
        )
    if not isinstance(threshold, int | float) or not 0.5 <= threshold <= 1:
        raise ConfigurationError(f"threshold: a similarity from 0.5 to 1, not {threshold!r}")
    return database, threshold
