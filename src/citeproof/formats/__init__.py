"""One input format a file, each with the same shape.

``NAME``, ``SUFFIXES`` (file names it is known by), ``CODES`` (its diagnostics), ``accepts(document)`` (0: not this
format, 1: could be, 2: surely) and ``read(document)``. A new format is one more module here; :func:`names` finds it.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Protocol, cast

from citeproof.errors import InputError
from citeproof.fields.limits import oversized
from citeproof.fields.repeats import repeats
from citeproof.inputs.document import Document
from citeproof.models import Bibliography, Diagnostic, Place, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_GUESSED = frozenset({"cp1252", "latin-1"})
_BINARY = {
    b"\x1f\x8b": "is compressed with gzip; unpack it first",
    b"PK\x03\x04": "is a zip archive or an office document other than .docx; give the references as text",
    b"\xd0\xcf\x11\xe0": "is a .doc or a protected office document; save it as .docx without a password",
}
"""What to say of a document that is no text, by how it begins."""

MOST_SAID = 1000
"""Most repetitions that are named in one document."""


class Format(Protocol):
    """The shape of a module of this folder."""

    NAME: str
    SUFFIXES: tuple[str, ...]
    CODES: dict[str, str]

    def accepts(self, document: Document) -> int:
        """Return 2 where ``document`` is surely of this format, 1 where it could be, else 0."""

    def read(self, document: Document) -> Bibliography:
        """Read ``document`` into references and diagnostics; never raises."""


@cache
def names() -> tuple[str, ...]:
    """Return the names of the formats, as ``--from`` takes them."""
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)))


def load(name: str) -> Format:
    """Return the format called ``name``.

    Raises:
        InputError: there is no such format.
    """
    if name not in names():
        raise InputError(f"unknown input format {name!r}: use one of {', '.join(names())}")
    return cast("Format", importlib.import_module(f"{__name__}.{name.replace('-', '_')}"))


def read(document: Document, name: str | None = None) -> Bibliography:
    """Read ``document`` as the format ``name``, else as the one the user said, else as the one it looks like.

    A document that cannot be read is a bibliography of one diagnostic, which says why.

    Raises:
        InputError: there is no format of that name.
    """
    wanted = name or document.format
    chosen = load(wanted) if wanted else detect(document)
    if not document.is_text and not (chosen and chosen.accepts(document)):
        says = next((says for start, says in _BINARY.items() if document.data.startswith(start)), "")
        return _refused(document, "binary", says or "binary data, not a bibliography in text form")
    if not chosen:
        return _refused(
            document, "unknown_format", f"cannot tell the format; name it with --from ({', '.join(names())})"
        )
    bibliography = chosen.read(document)
    if not bibliography.entries:
        return _refused(document, "empty", f"no entry found, read as {chosen.NAME}; name another format with --from")
    beside = (
        *bibliography.diagnostics,
        *oversized(bibliography.references),
        *islice(repeats(bibliography.entries), MOST_SAID),
    )
    diagnostics = (*_guess(document), *beside)
    entries = tuple(
        entry if entry.file == document.name else replace(entry, place=replace(entry.place, paper=document.name))
        for entry in bibliography.entries
    )
    return replace(bibliography, entries=entries, diagnostics=diagnostics)


def read_all(documents: Iterable[Document | Diagnostic | Bibliography]) -> tuple[Bibliography, ...]:
    """Read each of ``documents``; one that could not be opened is a bibliography of that diagnostic.

    Raises:
        InputError: nothing at all could be read, or the user named a format that does not exist.
    """
    return tuple(read_each(documents))


def read_each(documents: Iterable[Document | Diagnostic | Bibliography]) -> Iterator[Bibliography]:
    """Yield each of ``documents`` as it is read; as :func:`read_all`, but what comes first does not wait for the rest.

    Documents that cannot be read wait for the first that can.
    """
    waiting: list[Bibliography] | None = []
    for bibliography in map(_read, documents):
        if waiting is not None and all(isinstance(one, Diagnostic) and one.of_document for one in bibliography.entries):
            waiting.append(bibliography)
            continue
        yield from waiting or ()
        waiting = None
        yield bibliography
    for refused in (entry for bibliography in waiting or () for entry in bibliography.entries):
        raise InputError(str(refused))
    yield from waiting or ()


def _read(document: Document | Diagnostic | Bibliography) -> Bibliography:
    if isinstance(document, Bibliography):
        return document
    return read(document) if isinstance(document, Document) else Bibliography((document,))


def detect(document: Document) -> Format | None:
    """Return the format of ``document``; None where nothing speaks for any.

    In this order, and by name among equals: surely this format and so named, surely this format, could be it and so
    named, only so named, could be it. So content that is unmistakable outranks the name of a file.
    """
    best: tuple[tuple[bool, bool, int], Format] | None = None
    for name in names():
        module = load(name)
        score, named = module.accepts(document), document.suffix in module.SUFFIXES
        rank = (score == 2, named, score)
        if (score or named) and (best is None or rank > best[0]):
            best = rank, module
    return best[1] if best else None


def _guess(document: Document) -> Iterator[Diagnostic]:
    """Yield a note where the encoding of ``document`` was guessed."""
    if document.encoding in _GUESSED:
        message = f"is not UTF-8: read as {document.encoding}; look at its accented letters"
        yield Diagnostic(Place(document.name), "document.guessed_encoding", message, severity=Severity.NOTE)


def _refused(document: Document, code: str, message: str) -> Bibliography:
    return Bibliography((Diagnostic(Place(document.name), f"document.{code}", message),))
