"""One input format a file, each with the same shape.

``NAME``, ``SUFFIXES`` (file names it is known by), ``CODES`` (its diagnostics), ``accepts(document)`` (0: not this
format, 1: could be, 2: surely) and ``read(document)``. Where the first entry can be had before the last is read, there
is ``begin(document)`` too. A new format is one more module here; :func:`names` finds it.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from citeproof.errors import InputError
from citeproof.fields.limits import oversized
from citeproof.fields.reading import Reading
from citeproof.fields.repeats import Repeats
from citeproof.frozen import changed
from citeproof.inputs.document import Document
from citeproof.models import Bibliography, Diagnostic, Place, Reference, Severity

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


@runtime_checkable
class _InPieces(Format, Protocol):
    """A format whose entries can be had before the document is read to its end."""

    def begin(self, document: Document) -> Reading:
        """Begin to read ``document``; never raises."""


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
    return begin(document, name).bibliography()


def begin(document: Document, name: str | None = None) -> Reading:
    """Begin to read ``document``; as :func:`read`, but the first entry does not wait for the last."""
    wanted = name or document.format
    chosen = load(wanted) if wanted else detect(document)
    if not document.is_text and not (chosen and chosen.accepts(document)):
        says = next((says for start, says in _BINARY.items() if document.data.startswith(start)), "")
        return _refused(document, "binary", says or "binary data, not a bibliography in text form")
    if not chosen:
        return _refused(
            document, "unknown_format", f"cannot tell the format; name it with --from ({', '.join(names())})"
        )
    begun = chosen.begin(document) if isinstance(chosen, _InPieces) else Reading.of(chosen.read(document))
    if (first := next(begun.entries, None)) is None:
        return _refused(document, "empty", f"no entry found, read as {chosen.NAME}; name another format with --from")
    whole = Reading(iter(()), [*_guess(document)], begun.parts, begun.extraction)
    whole.entries = _entries(document, chain([first], begun.entries), begun.beside, whole.beside)
    return whole


def _entries(
    document: Document,
    entries: Iterator[Reference | Diagnostic],
    of_format: list[Diagnostic],
    beside: list[Diagnostic],
) -> Iterator[Reference | Diagnostic]:
    """Yield ``entries``, each as one of ``document``; at their end add to ``beside`` what is to be said of them."""
    repeats = Repeats()
    too_long: list[Diagnostic] = []
    repeated: list[Diagnostic] = []
    for entry in entries:
        if isinstance(entry, Reference):
            too_long += oversized(entry)
            if len(repeated) < MOST_SAID:
                repeated += repeats.of(entry)
        own = entry.file == document.name
        yield entry if own else changed(entry, place=changed(entry.place, paper=document.name))
    beside += [*of_format, *too_long, *repeated[:MOST_SAID]]


def read_all(documents: Iterable[Document | Diagnostic | Bibliography]) -> tuple[Bibliography, ...]:
    """Read each of ``documents``; one that could not be opened is a bibliography of that diagnostic.

    Raises:
        InputError: nothing at all could be read, or the user named a format that does not exist.
    """
    return tuple(reading.bibliography() for reading in begin_each(documents))


def begin_each(documents: Iterable[Document | Diagnostic | Bibliography]) -> Iterator[Reading]:
    """Yield each of ``documents`` as it is begun; as :func:`read_all`, but what comes first does not wait for the rest.

    Documents that cannot be read wait for the first that can.
    """
    waiting: list[Reading] | None = []
    refused: list[Diagnostic] = []
    for reading in map(_begin, documents):
        if waiting is not None:
            said, readable = _refusals(reading)
            if not readable:
                refused += said
                waiting.append(reading)
                continue
        yield from waiting or ()
        waiting = None
        yield reading
    if refused and waiting is not None:
        raise InputError(str(refused[0]))
    yield from waiting or ()


def _refusals(reading: Reading) -> tuple[list[Diagnostic], bool]:
    """Return the diagnostics of whole documents that ``reading`` begins with, and whether something else follows."""
    said: list[Diagnostic] = []
    other: list[Reference | Diagnostic] = []
    for entry in reading.entries:
        if not (isinstance(entry, Diagnostic) and entry.of_document):
            other.append(entry)
            break
        said.append(entry)
    reading.entries = chain(said, other, reading.entries)
    return said, bool(other)


def _begin(document: Document | Diagnostic | Bibliography) -> Reading:
    if isinstance(document, Document):
        return begin(document)
    return Reading.of(document if isinstance(document, Bibliography) else Bibliography((document,)))


def detect(document: Document) -> Format | None:
    """Return the format of ``document``; None where nothing speaks for any.

    In this order, and by name among equals: surely this format and so named, surely this format, could be it and so
    named, only so named, could be it. So content that is unmistakable outranks the name of a file.
    """
    best: tuple[tuple[bool, bool, int], Format] | None = None
    # ``.bib`` is tried as ``bibtex`` first: then the others need not be loaded, nor the text searched for their signs.
    letters = document.suffix.removeprefix(".")
    for name in sorted(names(), key=lambda name: letters not in name):
        module = load(name)
        score, named = module.accepts(document), document.suffix in module.SUFFIXES
        if score == 2 and named:
            return module
        rank = (score == 2, named, score)
        if (score or named) and (best is None or rank > best[0]):
            best = rank, module
    return best[1] if best else None


def _guess(document: Document) -> Iterator[Diagnostic]:
    """Yield a note where the encoding of ``document`` was guessed."""
    if document.encoding in _GUESSED:
        message = f"is not UTF-8: read as {document.encoding}; look at its accented letters"
        yield Diagnostic(Place(document.name), "document.guessed_encoding", message, severity=Severity.NOTE)


def _refused(document: Document, code: str, message: str) -> Reading:
    return Reading(iter([Diagnostic(Place(document.name), f"document.{code}", message)]))
