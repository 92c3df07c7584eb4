"""citeproof checks whether the references of a paper exist and are described as they are.

>>> import citeproof
>>> with citeproof.open_database() as database:
...     print(citeproof.look_up("Attention is all you need", database).found)
True

Everything that a program may use has a name here; ``docs/python.md`` shows each with an example.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from citeproof.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

    from citeproof.bibdb.database import Database
    from citeproof.errors import (
        BuildError,
        CiteproofError,
        ConfigurationError,
        DatabaseError,
        InputError,
        MissingExtraError,
        StoreBusyError,
    )
    from citeproof.inputs.document import Document
    from citeproof.models import (
        Bibliography,
        Candidate,
        Diagnostic,
        Issue,
        Lookup,
        NearestWork,
        Place,
        Record,
        Reference,
        Severity,
        Status,
        Verdict,
    )
    from citeproof.results import Ending, Run, Statistics
    from citeproof.session import Progress, Session

    Source: TypeAlias = str | PathLike[str] | bytes
    Paper: TypeAlias = Source | Bibliography | Reference | Diagnostic

_HOMES = {
    "bibdb.database": ("Database",),
    "errors": (
        "BuildError", "CiteproofError", "ConfigurationError", "DatabaseError", "InputError", "MissingExtraError",
        "StoreBusyError",
    ),
    "models": (
        "Bibliography", "Candidate", "Diagnostic", "Issue", "Lookup", "NearestWork", "Place", "Record", "Reference",
        "Severity", "Status", "Verdict",
    ),
    "results": ("Ending", "Run", "Statistics"),
    "session": ("Session",),
}  # fmt: skip
"""Where each class lives. It is imported when it is named, and the functions import what they need when they are
called: ``import citeproof`` stays cheap, and so does every command that never opens a database."""

__all__ = [
    "Bibliography", "BuildError", "Candidate", "CiteproofError", "ConfigurationError", "Database", "DatabaseError",
    "Diagnostic", "Ending", "InputError", "Issue", "Lookup", "MissingExtraError", "NearestWork", "Place", "Record",
    "Reference", "Run", "Session", "Severity", "Statistics", "Status", "StoreBusyError", "Verdict", "__version__",
    "check", "look_up", "open_database", "open_session", "read", "stream", "to_dict", "verify",
]  # fmt: skip

if not TYPE_CHECKING:  # a type checker knows every name from the imports above

    def __getattr__(name: str) -> object:
        """Return a class of the public interface."""
        for home, names in _HOMES.items():
            if name in names:
                return getattr(import_module(f"citeproof.{home}"), name)
        raise AttributeError(f"module 'citeproof' has no attribute {name!r}")

    def __dir__() -> list[str]:
        """Name what may be used."""
        return __all__


def open_database(path: str | PathLike[str] | None = None) -> Database:
    """Open the bibliographic database at ``path``, or the built-in sample without one.

    The database is a context manager, is never written to, and may be used from many threads.
    Raises :class:`DatabaseError` when the file is missing or is not a database.
    """
    from pathlib import Path

    from citeproof.bibdb.database import Database
    from citeproof.bibdb.sample import sample_database

    return Database.open(Path(path) if path is not None else sample_database())


def open_session(**settings: Any) -> Session:
    """Return a session: the chain that the command line uses, with cache and, when asked, online sources.

    ``settings`` are those of ``docs/cli.md`` by name, such as ``bib_db`` or ``enable_online``; what is not given
    comes from variables and settings files, as on the command line. The session is a context manager.
    Raises :class:`ConfigurationError` for a setting that cannot be used, :class:`DatabaseError` for such a file.
    """
    from citeproof import opening
    from citeproof.settings import load

    return opening.open_session(load(**settings))


def read(source: Source, input_format: str | None = None) -> Bibliography:
    """Return what the file ``source`` holds: a reference or a diagnostic for every entry.

    Bytes are what a file would hold: ``read(text.encode())``.
    Of a folder or an archive it is what all papers in it hold together; ``Reference.paper`` tells them apart.
    The format is told by name and content where ``input_format`` does not give it.
    Raises :class:`InputError` when the file cannot be read, or holds no entry.
    """
    from citeproof.formats import read_all
    from citeproof.models import Bibliography

    read_ones = read_all(_documents(source, input_format))
    if len(read_ones) == 1:
        return read_ones[0]
    return Bibliography(
        tuple(entry for bibliography in read_ones for entry in bibliography.entries),
        tuple(diagnostic for bibliography in read_ones for diagnostic in bibliography.diagnostics),
    )


def look_up(title: str, database: Database, threshold: float = 0.9) -> Lookup:
    """Return the records whose titles are alike to ``title`` by ``threshold`` (0.5 to 1) or more, best first.

    ``Lookup.complete`` tells whether a miss is proved.
    """
    if not isinstance(title, str):
        from citeproof.errors import InputError

        raise InputError(f"a title is a text, not {type(title).__name__}")
    return database.look_up(title, _similarity(threshold))


def verify(reference: Reference, database: Database, threshold: float = 0.9) -> Verdict:
    """Return the verdict on ``reference`` that follows from ``database`` alone.

    A title becomes a candidate at similarity ``threshold`` (0.5 to 1).
    Raises :class:`InputError` where a field of the reference has a value that cannot be understood.
    """
    from citeproof.session import Session

    return Session.over(database, _similarity(threshold)).verify(reference)


def check(
    papers: Paper | Iterable[Paper],
    database: Database,
    threshold: float = 0.9,
    progress: Progress | None = None,
) -> Run:
    """Return the verdicts on all entries of ``papers`` that follow from ``database`` alone, with their statistics.

    A paper is the name of a file or its bytes, what :func:`read` returns, or a reference of your own. ``progress`` is
    called with each verdict as it comes, and with the number of all entries.
    Raises :class:`InputError` when nothing can be read, or a reference has a value that cannot be understood.
    """
    from citeproof.session import Session

    return Session.over(database, _similarity(threshold)).check(_opened(papers), progress)


def stream(papers: Paper | Iterable[Paper], database: Database, threshold: float = 0.9) -> Iterator[Verdict]:
    """Yield the verdicts on all entries of ``papers``, as :func:`check` returns them, each as it comes.

    Closing the iterator drops what has not begun.
    """
    from citeproof.formats import read_all
    from citeproof.models import Reference
    from citeproof.session import Session

    session = Session.over(database, _similarity(threshold))
    given = list(_opened(papers))
    for paper in given:
        entries = (paper,) if isinstance(paper, Reference) else read_all([paper])[0].entries
        yield from session.stream(entries)


def to_dict(result: Run | Verdict | Lookup) -> dict[str, Any]:
    """Return ``result`` as the JSON report has it, of plain dictionaries, lists, texts and numbers."""
    from citeproof import serialization
    from citeproof.models import Lookup
    from citeproof.results import Run

    if isinstance(result, Run):
        return serialization.run_object(result)
    return serialization.lookup_object(result) if isinstance(result, Lookup) else serialization.result_object(result)


def _opened(papers: Paper | Iterable[Paper]) -> Iterator[Document | Bibliography | Reference | Diagnostic]:
    """Yield each of ``papers``, those that are named opened as documents."""
    from os import PathLike

    from citeproof.models import Bibliography, Reference

    single = isinstance(papers, str | PathLike | bytes | Bibliography | Reference)
    for paper in cast("Iterable[Paper]", (papers,) if single else papers):
        if isinstance(paper, str | PathLike | bytes):
            yield from _documents(paper)
        else:
            yield paper


def _documents(source: Source, input_format: str | None = None) -> Iterator[Document | Bibliography | Diagnostic]:
    """Yield the document that ``source`` names or is, or the papers in it."""
    from os import fspath
    from os.path import exists

    from citeproof.errors import InputError
    from citeproof.inputs import open_data, open_documents
    from citeproof.papers import papers_of

    if isinstance(source, bytes):
        yield from papers_of([open_data(source, input_format)])
        return
    name = fspath(source)
    if "\n" in name and not exists(name):  # noqa: PTH110 - a Path raises an error for a name that is too long
        raise InputError("a text in place of a file's name; give what a file would hold as bytes: text.encode()")
    yield from papers_of(open_documents([name], input_format))


def _similarity(threshold: float) -> float:
    """Return ``threshold``; raise :class:`ConfigurationError` when it is no similarity at which titles are compared."""
    if not isinstance(threshold, int | float) or not 0.5 <= threshold <= 1:
        from citeproof.errors import ConfigurationError

        raise ConfigurationError(f"threshold: a similarity from 0.5 to 1, not {threshold!r}")
    return threshold
