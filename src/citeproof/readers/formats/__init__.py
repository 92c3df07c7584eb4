"""Detect the format of a document and read it. Each module of this package reads one input format.

A module has the attributes and functions of :class:`Format`. If it can yield entries while it
reads, it also has a function ``begin(document)``, which returns a :class:`Reading`. Formats do not
import each other.
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
from citeproof.readers.fields.document_entries import Reading, Repeats, oversized, without_entries

if TYPE_CHECKING:
    from citeproof.readers.lists.sections import Paragraph

_BINARY = {
    b"\x1f\x8b": "is compressed with gzip; unpack it first",
    b"PK\x03\x04": (
        "is a zip archive or an office document other than .docx, .odt and .xlsx; give the"
        " references as text"
    ),
    b"\xd0\xcf\x11\xe0": (
        "is a .doc or a protected office document; save it as .docx without a password"
    ),
}
"""Map from the first bytes of binary files that cannot be read to an error message."""
_NAMED = {
    "pdf": "is not a readable PDF",
    "docx": "is not a readable Word document",
    "odt": "is not a readable LibreOffice document",
    "xlsx": "is not a readable Excel workbook",
}
"""Map from the name of a binary format to the error message for a file that has its suffix but
different content.
"""
_SAVE_AS = {
    ".doc": "is in an old format of Word; save it as .docx",
    ".pages": "is a document of Pages; export it as .docx or PDF",
    ".wpd": "is a WordPerfect document; save it as .docx or PDF",
    ".xls": "is in an old format of Excel; save it as .xlsx or .csv",
    ".ods": "is a spreadsheet of LibreOffice; save it as .xlsx or .csv",
    ".numbers": "is a spreadsheet of Numbers; export it as .xlsx or .csv",
    ".pptx": "is a presentation; save it as PDF",
    ".odp": "is a presentation; save it as PDF",
    ".epub": "is an electronic book; convert it to .html or .docx",
    ".djvu": "is a scanned document; convert it to PDF, with its text",
    ".ps": "is PostScript; convert it to PDF",
    ".eps": "is PostScript; convert it to PDF",
    ".enl": "is a library of EndNote; export it from EndNote as .xml or .ris",
    ".enlx": "is a library of EndNote; export it from EndNote as .xml or .ris",
    ".rdf": "is RDF; export the library from Zotero as .bib, .json or .ris",
    ".sqlite": "is a database of a program; export the library from it as .bib or .ris",
    ".ipynb": "is a notebook; save it as .md",
    ".bst": "is a style of BibTeX and has no references; name the .bib",
    ".bcf": "is a file that biblatex writes for biber; name the .bib, the .bbl or the .tex",
    ".blg": "is a log of BibTeX; name the .bib, the .bbl or the .tex",
}
"""Map from the suffix of files that cannot be read to an error message that says what to do.

The content is examined first: if a file called ``refs.ps`` contains BibTeX, it is read.
"""
_SAVE_AS |= dict.fromkeys(
    (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".heic", ".webp"),
    "is a picture; run an OCR program over it, and give the text",
)
_NO_MEMORY = "there is not enough memory to read it, or the rest of it; give it in parts"
_MOST_NOTES = 1000  # maximum number of messages per document about repeated entries


class Format(Protocol):
    """The interface of an input format, which is a module of this package."""

    NAME: str
    SUFFIXES: tuple[str, ...]  # suffixes of file names in lower case, such as ``.bib``
    # map from the code of a diagnostic, such as ``ris.no_end``, to its meaning
    CODES: dict[str, str]

    def accepts(self, document: Document) -> int:
        """Return how likely it is that ``document`` has this format: 2 (certain), 1 (possible) or 0
        (no).
        """

    def read(self, document: Document) -> Bibliography:
        """Return the references in ``document``, and diagnostics of what cannot be read. Never
        raises.
        """


@cache
def names() -> tuple[str, ...]:
    """Return the names of all formats, such as ``csl-json``. The option ``--from`` accepts these
    names.
    """
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)))


@cache
def suffixes(name: str = "") -> frozenset[str]:
    """Return the suffixes of files in the format ``name``, such as ``.bib``. Without ``name``,
    return those of all formats.
    """
    return frozenset(
        suffix for one in (name and (name,)) or names() for suffix in load(one).SUFFIXES
    )


def load(name: str) -> Format:
    """Return the module that reads the format ``name``.

    Raises :class:`InputError` if there is no such format.
    """
    if name not in names():
        raise InputError(f"unknown input format {name!r}: use one of {', '.join(names())}")
    return cast("Format", importlib.import_module(f"{__name__}.{name.replace('-', '_')}"))


def read(document: Document, name: str | None = None) -> Bibliography:
    """Read ``document`` in the format ``name``. Without ``name``, read it in the format that
    :func:`detect` returns.

    If the document cannot be read, the result has a diagnostic and no references. Raises
    :class:`InputError` if there is no format ``name``.
    """
    return begin(document, name).bibliography()


def begin(document: Document, name: str | None = None) -> Reading:
    """Begin to read ``document`` like :func:`read`. The result is a :class:`Reading`, whose
    iterator ``entries`` parses one entry at a time.
    """
    if not document.data.strip():
        return _refused(document, "empty", "is empty")
    chosen = load(name) if name else detect(document)
    if not document.is_text and not (chosen and chosen.accepts(document)):
        says = _NAMED.get(
            chosen.NAME if chosen else "", "binary data, not a bibliography in text form"
        )
        says = next(
            (known for start, known in _BINARY.items() if document.data.startswith(start)), says
        )
        return _refused(document, "binary", _SAVE_AS.get(document.suffix, says))
    if not chosen:
        says = f"the format was not detected; name it with --from ({', '.join(names())})"
        return _refused(document, "unknown_format", _SAVE_AS.get(document.suffix, says))
    begin_format: Callable[[Document], Reading] | None = getattr(chosen, "begin", None)
    try:
        begun = begin_format(document) if begin_format else Reading.of(chosen.read(document))
        first = next(begun.entries, None)
    except MemoryError:
        return _refused(document, "too_costly", _NO_MEMORY)
    if first is None:
        why = "" if name or document.format or chosen.accepts(document) else " by its suffix alone"
        says = f"no entry found, read as {chosen.NAME}{why}; name another format with --from"
        return _refused(document, "empty", says)
    guessed = document.encoding in {"cp1252", "latin-1"}
    line = 0 if guessed or not document.is_text else document.line_of_stray_byte()
    message = (
        "a byte is not UTF-8, and was read as Windows-1252; look at the accented letters here"
        if line
        else f"is not UTF-8: read as {document.encoding}; look at its accented letters"
    )
    said = Diagnostic(
        Place(document.name, line),
        "document.guessed_encoding",
        message,
        severity=Severity.NOTE,
    )
    beside = [said] if guessed or line else []
    begun.entries = chain([first], begun.entries)
    return replace(begun, entries=_entries(document, begun, beside), beside=beside)


def _entries(
    document: Document, begun: Reading, beside: list[Diagnostic]
) -> Iterator[Reference | Diagnostic]:
    """Yield the entries of ``begun``. At the end, append the diagnostics of the whole document,
    such as those on repeated entries, to ``beside``.
    """
    repeats = Repeats()
    too_long: list[Diagnostic] = []
    repeated: list[Diagnostic] = []
    for entry in _bounded(document, begun.entries):
        if isinstance(entry, Reference):
            if entry.oversized or entry.from_text:
                too_long += oversized(entry)
            if len(repeated) < _MOST_NOTES:
                repeated += repeats.of(entry)
        yield (
            entry
            if entry.file == document.name
            else replace(entry, place=replace(entry.place, paper=document.name))
        )
    beside += [*begun.beside, *too_long, *repeated[:_MOST_NOTES]]


def _bounded(
    document: Document, entries: Iterator[Reference | Diagnostic]
) -> Iterator[Reference | Diagnostic]:
    """Yield ``entries``. If memory runs out meanwhile, yield a diagnostic as the last item."""
    try:
        yield from entries
    except MemoryError:
        yield Diagnostic(Place(document.name), "document.too_costly", _NO_MEMORY)


def read_in_order(documents: Iterable[Document]) -> list[Bibliography]:
    """Read the BibTeX files of a paper in order. The macros of each file apply in all later files.
    Files that have only macros are left out of the result.
    """
    macros_of: Callable[[Document], Mapping[str, str]] = vars(load("bibtex"))["macros_of"]
    macros: Mapping[str, str] = {}
    found: list[Bibliography] = []
    for document in documents:
        with_macros = replace(document, macros=macros)
        found.append(read(with_macros, "bibtex"))
        macros = macros_of(with_macros)
    return [
        one
        for one in found
        if [getattr(entry, "code", "") for entry in one.entries] != ["bibtex.only_macros"]
    ]


def read_list(
    document: Document, printed: Sequence[Paragraph], code: str, message: str
) -> Bibliography:
    """Read a reference from each of the paragraphs ``printed``. If no reference is found, return a
    diagnostic with ``code`` and ``message``.
    """
    if not printed:
        return without_entries(document, code, message)
    whole = "\n\n".join(paragraph.text for paragraph in printed)
    found = load("text").read(replace(Document.of_text(whole, document.name), format="text"))

    def place(line: int) -> Place:
        return Place(document.name, printed[line // 2].line)

    entries = tuple(replace(one, place=place(one.line)) for one in found.entries)
    if not found.account:
        return replace(found, entries=entries)
    unread = (replace(one, line=place(one.line).line) for one in found.account.unread)
    return replace(found, entries=entries, account=replace(found.account, unread=tuple(unread)))


def printed_list(paragraphs: Iterable[Paragraph]) -> list[Paragraph]:
    """Return the paragraphs of the reference lists among ``paragraphs``.

    If no list has a heading, return all paragraphs if they look like a list of references as a
    whole, and otherwise none.
    """
    from citeproof.readers.lists.sections import listed, on_lines
    from citeproof.readers.lists.text_lines import is_dated

    written = [paragraph for paragraph in paragraphs if paragraph.text.strip()]
    whole = "\n\n".join(paragraph.text for paragraph in written)
    is_list = is_dated(whole) and load("text").accepts(Document.of_text(whole, "")) > 0
    return listed(written) or (on_lines(written) if is_list else [])


def stored_or_printed(
    document: Document,
    name: str,
    stored: Sequence[Reference | Diagnostic],
    paragraphs: Iterable[Paragraph],
) -> Bibliography:
    """Return ``stored``, the references that a reference manager stored in a document of a word
    processor. If there are none, read the printed list in ``paragraphs``.

    ``name`` is the name of the format.
    """
    printed = printed_list(paragraphs)
    if not stored:
        message = (
            "has no fields of a reference manager and no heading such as 'References'; give its"
            " list as text"
        )
        return read_list(document, printed, f"{name}.without_list", message)
    count = sum(isinstance(entry, Reference) for entry in stored)
    message = (
        f"prints {len(printed):,} references, and its fields hold {count:,}: what was written by"
        " hand is not read; give the list as text too"
    )
    note = Diagnostic(Place(document.name), f"{name}.more_printed", message, severity=Severity.NOTE)
    return Bibliography(tuple(stored), (note,) if len(printed) > count else ())


def read_all(documents: Iterable[Document | Diagnostic | Bibliography]) -> tuple[Bibliography, ...]:
    """Read ``documents``, and return one bibliography for each.

    Raises :class:`InputError` if no document can be read, or if a format does not exist.
    """
    return tuple(reading.bibliography() for reading in begin_each(documents))


def begin_each(documents: Iterable[Document | Diagnostic | Bibliography]) -> Iterator[Reading]:
    """Yield the result of :func:`begin` for each document.

    Raises :class:`InputError` if no document can be read.
    """
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
    """Return the entries of ``reading`` if all of them are diagnostics about the whole document.
    Otherwise return None.
    """
    said: list[Diagnostic] = []
    for entry in reading.entries:
        if not (isinstance(entry, Diagnostic) and entry.of_document):
            reading.entries = chain(said, (entry,), reading.entries)
            return None
        said.append(entry)
    reading.entries = iter(said)
    return said


def detect(document: Document) -> Format | None:
    """Return the format that the user chose, or if none was chosen, the format that fits
    ``document`` best. None if no format fits.

    The function ``accepts`` of each format rates the content. Formats rank in this order: rating 2
    and a matching suffix of the file name; rating 2; rating 1 and a matching suffix; only a
    matching suffix; rating 1.
    """
    if document.format:
        return load(document.format)
    best: tuple[tuple[bool, bool, int], Format | None] = (False, False, 0), None
    # A format whose name contains the suffix is tried first. In most cases, no other format has to
    # be loaded then.
    letters = document.suffix.removeprefix(".")
    for name in sorted(names(), key=lambda name: letters not in name):
        module = load(name)
        score, named = module.accepts(document), document.suffix in module.SUFFIXES
        if score == 2 and named:
            return module
        if (rank := (score == 2, named, score)) > best[0]:
            best = rank, module
    return best[1]


def is_damaged(document: Document, named: Format) -> bool:
    """Return whether a file that has the suffix of the format ``named``, but different content,
    cannot be read in any format.

    This is so if its bytes are not text, or if ``named`` is a binary format.
    """
    return bool(document.data) and (not document.is_text or named.NAME in _NAMED)


def _refused(document: Document, code: str, message: str) -> Reading:
    return Reading.of(without_entries(document, f"document.{code}", message))
