"""Read BibTeX and biblatex databases (``.bib``). Each ``@entry`` becomes a reference or a
diagnostic.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.document_entries import (
    LONGEST_RAW,
    Reading,
    too_many,
    too_many_entries,
)
from citeproof.readers.formats.bibtex.blocks import Block, Blocks
from citeproof.readers.formats.bibtex.fields import (
    MACRO_LENGTH,
    MACROS,
    UnclosedQuoteError,
    inherited,
    is_circular,
    read_fields,
    read_key,
)
from citeproof.text.encodings import words_in
from citeproof.text.lines import LineCounter

NAME = "bibtex"
SUFFIXES = (".bib", ".bibtex", ".biblatex")
CODES = {
    "bibtex.unbalanced": (
        "braces or parentheses never close, or the next entry begins inside this one"
    ),
    "bibtex.unclosed_quote": "a value begins with a quotation mark that never closes",
    "bibtex.no_brace": "no opening brace follows the entry's type",
    "bibtex.no_fields": "the entry has no field with a value",
    "bibtex.not_a_work": "a control entry, a container of data or a set: it describes no work",
    "bibtex.commented_out": "a percent sign comments the entry out",
    "bibtex.circular_crossref": "the chain of its crossref leads back to the entry itself",
    "bibtex.only_macros": "the file defines macros and has no entries",
}

_NOTES = frozenset(
    {"bibtex.not_a_work", "bibtex.commented_out", "bibtex.circular_crossref", "bibtex.only_macros"}
)
_ADVICE = {
    "bibtex.unbalanced": "check the braces of this entry.",
    "bibtex.unclosed_quote": "close the quotation mark, or use braces.",
    "bibtex.no_brace": "write @type{key, ...}.",
    "bibtex.no_fields": "give it at least a title.",
    "bibtex.not_a_work": "nothing needs to be done.",
    "bibtex.commented_out": "remove the percent sign if the entry is cited.",
    "bibtex.circular_crossref": "name the volume that holds the work.",
    "bibtex.only_macros": "name the bibliography that uses them.",
}
_NOT_ENTRIES = frozenset({"comment", "preamble", "string"})
_NOT_WORKS = frozenset({"xdata", "set", "ieeetranbstctl", "control", "bibnote"})
_MOST_NOTES = 1000
# maximum number of characters that macros and crossrefs may add beyond the size of the file
_FREE_ADDITIONS = 1_000_000
_KINDS = (
    "article|book|booklet|collection|conference|dataset|inbook|incollection|inproceedings|manual|"
    "mastersthesis|misc|"
    "online|patent|periodical|phdthesis|proceedings|report|software|techreport|thesis|unpublished"
)
# fields that name the entries from which an entry inherits
_PARENTS = frozenset({b"crossref", b"xdata"})
_BARE_ENTRY = re.compile(
    rf"^[ \t]*@[ \t]*({_KINDS})\b(?!\s*[{{(])[^\n]*", re.IGNORECASE | re.MULTILINE
)
_SURE = re.compile(
    rf"^[ \t]*@[ \t]*(?:{_KINDS}|string)\s*[{{(][^{{}}()=,]{{0,200}}[,=]",
    re.IGNORECASE | re.MULTILINE,
)
_SURE_BY_NAME = re.compile(
    r"^[ \t]*@[ \t]*[A-Za-z_]+\s*[{(][^{}()=,\s]{0,200},\s*[A-Za-z_-]+\s*=", re.MULTILINE
)
"""Regex for an entry of any type. If it matches in a file with a suffix of BibTeX, the file is
certainly BibTeX.
"""
_POSSIBLE = re.compile(r"^[ \t}]*@[ \t]*[A-Za-z_]+\s*[{(]", re.MULTILINE)


def accepts(document: Document) -> int:
    """Return how likely it is that the document is BibTeX: 2 (certain), 1 (possible) or 0 (no)."""
    text = document.text
    if _SURE.search(text) or (document.suffix in SUFFIXES and _SURE_BY_NAME.search(text)):
        return 2
    return int(_POSSIBLE.search(text) is not None)


def read(document: Document) -> Bibliography:
    """Read a BibTeX database in linear time, without recursion. Never raises."""
    return begin(document).bibliography()


def begin(document: Document) -> Reading:
    """Return a :class:`Reading` of a BibTeX database. It parses most entries only when they are
    requested.
    """
    reader = _Reader(document)
    return Reading(reader.entries(), reader.notes)


def macros_of(document: Document) -> Mapping[str, str]:
    """Return the values of all macros that are defined at the end of ``document``: by ``document``
    itself, by the files before it, and by BibTeX's standard styles.
    """
    reader = _Reader(document)
    reader.define(iter(Blocks(document.text)))
    return reader.macros


def _emptied(blocks: deque[Block]) -> Iterator[Block]:
    """Yield ``blocks``. Each block is removed from the queue first, to free its memory."""
    while blocks:
        yield blocks.popleft()


class _Reader:
    """Reads one BibTeX file, and stores the macros defined so far."""

    def __init__(self, document: Document) -> None:
        self._text = document.text
        self._file = document.name
        self._says = words_in(self._text, {b"string", *_PARENTS})
        self.macros = {**MACROS, **document.macros}
        # map from the key of an entry to its fields; empty if no entry inherits fields
        self._parents: dict[str, Mapping[str, str]] = {}
        self._lines = LineCounter(self._text)
        # number of characters that macros and crossrefs may add
        self._allowance = len(self._text) + _FREE_ADDITIONS
        self.notes: list[Diagnostic] = []  # diagnostics about circular crossrefs

    def entries(self) -> Iterator[Reference | Diagnostic]:
        """Yield the references of the file, and diagnostics of entries that cannot be read."""
        found = Blocks(self._text)
        position = 0
        first_definition, others = -1, False
        for block in self._parsed(iter(found)):
            if block.kind == "string" and first_definition < 0:
                first_definition = block.start
            others = others or bool(block.code) or block.kind not in _NOT_ENTRIES
            if self._text.find("@", position, block.start) >= 0:
                yield from self._bare_entries(position, block.start)
            position = block.end
            if block.code:
                yield self._diagnostic(block.code, block.start, block.end, block.kind, block.key)
            elif block.kind not in _NOT_ENTRIES:
                yield self._reference(block)
        yield from self._bare_entries(position, found.size)
        if first_definition >= 0 and not others:
            yield self._diagnostic("bibtex.only_macros", first_definition, found.size, "string")
        if found.size < len(self._text):
            yield too_many_entries(self._place(found.size, len(self._text)))

    def _parsed(self, found: Iterator[Block]) -> Iterator[Block]:
        """Yield each block with its fields. If the file has macros or inherited fields, later
        blocks are read first.
        """
        # '@misc{a, title = t} @string{t = {T}} @misc{b, title = {U}}': the blocks before @string
        # are stored until the macro is known. Then a gets the title T. The block b is read only
        # when the caller requests it.
        parsed = map(self._parse, chain(_emptied(self.define(found)), found))
        if not self._says & _PARENTS:
            return parsed
        every = deque(parsed)
        for block in every:
            if block.key and block.fields:
                self._parents.setdefault(block.key.lower(), block.fields)
        return _emptied(every)

    def define(self, found: Iterator[Block]) -> deque[Block]:
        """Define all macros of the file. Return the blocks of ``found`` up to the last ``@string``,
        which had to be read for this.
        """
        definitions = re.finditer(r"(?i)@\s*+string", self._text) if b"string" in self._says else ()
        last = max((match.start() for match in definitions), default=-1)
        waiting = deque[Block]()
        for block in found if last >= 0 else ():
            waiting.append(block)
            self._define(block)
            if block.end > last:
                break
        return waiting

    def _define(self, block: Block) -> None:
        """Define the macros of ``block`` if it is an ``@string``. They replace earlier macros with
        the same names.
        """
        if block.kind == "string" and block.closed:
            with suppress(UnclosedQuoteError):
                defined, _ = read_fields(block.body, 0, self.macros)
                self.macros |= {
                    name: value for name, value in defined.items() if len(value) <= MACRO_LENGTH
                }

    def _parse(self, block: Block) -> Block:
        """Return ``block`` with its key and fields. If it is faulty or is not a reference, also set
        ``block.code``.
        """
        if block.kind in _NOT_ENTRIES:
            self._define(block)
            block.code = "" if block.closed or block.kind == "comment" else "bibtex.unbalanced"
            return block
        block.key, position = read_key(block.body)
        if block.commented or not block.closed:
            block.code = "bibtex.commented_out" if block.commented else "bibtex.unbalanced"
            return block
        try:
            block.fields, block.spans = read_fields(block.body, position, self.macros, block.inside)
        except UnclosedQuoteError:
            block.code = "bibtex.unclosed_quote"
            return block
        self._allowance -= max(0, sum(map(len, block.fields.values())) - len(block.body))
        if self._allowance < 0:
            self.macros = {}
        if block.kind in _NOT_WORKS:
            block.code = "bibtex.not_a_work"
        elif not any(block.fields.values()):
            block.code = "bibtex.no_fields"
        return block

    def _reference(self, block: Block) -> Reference:
        fields = block.fields
        if (
            fields.get("crossref")
            and len(self.notes) < _MOST_NOTES
            and is_circular(block.key, self._parents)
        ):
            code = "bibtex.circular_crossref"
            self.notes.append(self._diagnostic(code, block.start, block.end, block.kind, block.key))
        if self._allowance >= 0 and ("crossref" in fields or "xdata" in fields):
            fields = inherited(block.kind, fields, self._parents)
            self._allowance -= sum(map(len, fields.values())) - sum(map(len, block.fields.values()))
        place = self._place(block.start, block.end, tuple(block.spans.items()))
        return reference_of(
            block.key, block.kind, fields, raw=self._text[block.start : block.end], place=place
        )

    def _bare_entries(self, start: int, end: int) -> Iterator[Diagnostic]:
        for count, match in enumerate(_BARE_ENTRY.finditer(self._text, start, end)):
            if too_many(count, match.start()):
                yield too_many_entries(self._place(match.start(), end))
                return
            yield self._diagnostic("bibtex.no_brace", match.start(), match.end(), match[1].lower())

    def _diagnostic(self, code: str, start: int, end: int, kind: str, key: str = "") -> Diagnostic:
        message = f"{f'@{kind} {key[:80]}'.strip()}: {CODES[code]}; {_ADVICE[code]}"
        severity = Severity.NOTE if code in _NOTES else Severity.ISSUE
        raw = self._text[start : min(end, start + LONGEST_RAW)]
        return Diagnostic(self._place(start, end), code, message, raw, key, severity)

    def _place(self, start: int, end: int, fields: tuple[tuple[str, Span], ...] = ()) -> Place:
        """Return the place from offset ``start`` to offset ``end``. ``start`` must not decrease
        from call to call.
        """
        column = start - self._text.rfind("\n", 0, start)
        return Place(
            self._file, self._lines.of(start), span=Span(start, end), fields=fields, column=column
        )
