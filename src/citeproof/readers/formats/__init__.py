"""Detect the format of a document and read it. Each module of this package is one input format.

A format has the names of :class:`Format`. A format that can yield entries while it reads also has ``begin(document)``,
which returns a :class:`Reading`. Formats do not import each other. :func:`names` finds them by their files.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Protocol, cast

from citeproof.model.errors import InputError
from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity
from citeproof.readers.document import Document
from citeproof.readers.fields.reading import Reading, Repeats, oversized, without_entries

if TYPE_CHECKING:
    from citeproof.readers.lists.sections import Paragraph

_BINARY = {
    b"\x1f\x8b": "is compressed with gzip; unpack it first",
    b"PK\x03\x04": "is a zip archive or an office document other than .docx; give the references as text",
    b"\xd0\xcf\x11\xe0": "is a .doc or a protected office document; save it as .docx without a password",
}
"""Map from first bytes of binary documents to error messages."""
_NAMED = {"pdf": "is no PDF that can be read", "docx": "is no Word document that can be read"}
"""Map from formats that file names suggest to error messages for binary documents with other first bytes."""
_MOST_NOTES = 1000  # maximum number of notes on repeated entries per document


class Format(Protocol):
    """The interface of an input format, which is a module of this package."""

    NAME: str
    SUFFIXES: tuple[str, ...]  # suffixes of file names in lower case: ``.bib``
    CODES: dict[str, str]  # map from codes of diagnostics to their meanings

    def accepts(self, document: Document) -> int:
        """Return 2 if ``document`` certainly has this format, 1 if it may have it, else 0."""

    def read(self, document: Document) -> Bibliography:
        """Return the references and diagnostics of ``document``. Never raises."""


@cache
def names() -> tuple[str, ...]:
    """Return the names of all formats, such as ``csl-json``, as the option ``--from`` takes them."""
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)))


def load(name: str) -> Format:
    """Return the format called ``name``. Raises :class:`InputError` if there is none."""
    if name not in names():
        raise InputError(f"unknown input format {name!r}: use one of {', '.join(names())}")
    return cast("Format", importlib.import_module(f"{__name__}.{name.replace('-', '_')}"))


def read(document: Document, name: str | None = None) -> Bibliography:
    """Read ``document`` in the format ``name``, else in the format that the user named, else in the detected format.

    A document that cannot be read gives one diagnostic. Raises :class:`InputError` if the named format does not exist.
    """
    return begin(document, name).bibliography()


def begin(document: Document, name: str | None = None) -> Reading:
    """Begin to read ``document`` as :func:`read` does. The :class:`Reading` reads entries when they are asked for."""
    if not document.data.strip():
        return _refused(document, "empty", "is empty")
    chosen = load(name) if name else detect(document)
    if not document.is_text and not (chosen and chosen.accepts(document)):
        says = _NAMED.get(chosen.NAME if chosen else "", "binary data, not a bibliography in text form")
        says = next((known for start, known in _BINARY.items() if document.data.startswith(start)), says)
        return _refused(document, "binary", says)
    if not chosen:
        says = f"cannot tell the format; name it with --from ({', '.join(names())})"
        return _refused(document, "unknown_format", says)
    begin_format: Callable[[Document], Reading] | None = getattr(chosen, "begin", None)
    begun = begin_format(document) if begin_format else Reading.of(chosen.read(document))
    if (first := next(begun.entries, None)) is None:
        return _refused(document, "empty", f"no entry found, read as {chosen.NAME}; name another format with --from")
    message = f"is not UTF-8: read as {document.encoding}; look at its accented letters"
    guessed = Diagnostic(Place(document.name), "document.guessed_encoding", message, severity=Severity.NOTE)
    beside = [guessed] if document.encoding in {"cp1252", "latin-1"} else []
    begun.entries = chain([first], begun.entries)
    return Reading(_entries(document, begun, beside), beside, begun.parts, begun.extraction)


def _entries(document: Document, begun: Reading, beside: list[Diagnostic]) -> Iterator[Reference | Diagnostic]:
    """Yield the entries of ``document``, then add the diagnostics of the whole document to ``beside``."""
    repeats = Repeats()
    too_long: list[Diagnostic] = []
    repeated: list[Diagnostic] = []
    for entry in begun.entries:
        if isinstance(entry, Reference):
            if entry.oversized or entry.from_text:
                too_long += oversized(entry)
            if len(repeated) < _MOST_NOTES:
                repeated += repeats.of(entry)
        yield entry if entry.file == document.name else replace(entry, place=replace(entry.place, paper=document.name))
    beside += [*begun.beside, *too_long, *repeated[:_MOST_NOTES]]


def read_in_order(documents: Iterable[Document]) -> list[Bibliography]:
    """Read the BibTeX files of a paper. Macros of a file apply in later files. A file of only macros gives nothing."""
    macros_of: Callable[[Document], Mapping[str, str]] = vars(load("bibtex"))["macros_of"]
    macros: Mapping[str, str] = {}
    found: list[Bibliography] = []
    for document in documents:
        with_macros = replace(document, macros=macros)
        found.append(read(with_macros, "bibtex"))
        macros = macros_of(with_macros)
    return [one for one in found if [getattr(entry, "code", "") for entry in one.entries] != ["bibtex.only_macros"]]


def read_list(document: Document, printed: Sequence[Paragraph], code: str, message: str) -> Bibliography:
    """Read ``printed``, a reference list of ``document``. If it is empty, return a diagnostic with ``message``."""
    if not printed:
        return without_entries(document, code, message)
    found = load("text").read(Document.of_text("\n".join(paragraph.text for paragraph in printed), document.name))
    entries = (replace(one, place=Place(document.name, printed[one.place.line - 1].line)) for one in found.entries)
    return replace(found, entries=tuple(entries))


def read_all(documents: Iterable[Document | Diagnostic | Bibliography]) -> tuple[Bibliography, ...]:
    """Read ``documents``. Raises :class:`InputError` if none can be read, or if the named format does not exist."""
    return tuple(reading.bibliography() for reading in begin_each(documents))


def begin_each(documents: Iterable[Document | Diagnostic | Bibliography]) -> Iterator[Reading]:
    """Yield a :class:`Reading` per document. Raises :class:`InputError` if no document can be read."""
    found = (Bibliography((one,)) if isinstance(one, Diagnostic) else one for one in documents)
    readings = (begin(one) if isinstance(one, Document) else Reading.of(one) for one in found)
    waiting: list[Reading] = []
    refused: list[Diagnostic] = []
    for reading in readings:
        waiting.append(reading)
        if (said := _refusals(reading)) is None:
            break
        refused += said
    else:
        if refused:
            raise InputError(str(refused[0]))
    yield from waiting
    yield from readings


def _refusals(reading: Reading) -> list[Diagnostic] | None:
    """Return the diagnostics of the whole document if they are all entries of ``reading``, else None."""
    said: list[Diagnostic] = []
    for entry in reading.entries:
        if not (isinstance(entry, Diagnostic) and entry.of_document):
            reading.entries = chain(said, (entry,), reading.entries)
            return None
        said.append(entry)
    reading.entries = iter(said)
    return said


def detect(document: Document) -> Format | None:
    """Return the format that the user named, or else the format that fits ``document`` best, or None.

    Formats rank in this order: the content certainly fits and the suffix fits too, the content certainly fits, the
    content possibly fits and the suffix fits too, only the suffix fits, the content possibly fits.
    """
    if document.format:
        return load(document.format)
    best: tuple[tuple[bool, bool, int], Format | None] = (False, False, 0), None
    # A format whose name contains the suffix is tried first, so that mostly no other format is loaded and asked.
    letters = document.suffix.removeprefix(".")
    for name in sorted(names(), key=lambda name: letters not in name):
        module = load(name)
        score, named = module.accepts(document), document.suffix in module.SUFFIXES
        if score == 2 and named:
            return module
        if (rank := (score == 2, named, score)) > best[0]:
            best = rank, module
    return best[1]


def _refused(document: Document, code: str, message: str) -> Reading:
    return Reading.of(without_entries(document, f"document.{code}", message))
