"""References as an author wrote them, their places in a document, and diagnostics of what could not be read."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Span(NamedTuple):
    """A range of characters in a document's text, counted from 0; ``end`` is not in the range."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry is in a document."""

    file: str = ""
    """The document's name, as the user gave it."""
    line: int = 0
    """First line, from 1; 0 if the document has no lines."""
    page: int = 0
    """First page, from 1; 0 if the document has no pages."""
    span: Span | None = None
    """Range of the whole entry in the text."""
    fields: tuple[tuple[str, Span], ...] = ()
    """Names of fields, in lower case, with the ranges of the values, including quotes or braces."""
    paper: str = ""
    """The citing document if that is another file: ``main.tex`` for an entry in ``refs.bib``."""
    column: int = 1
    """Column of the first character, from 1; 1 if it is unknown."""

    def field(self, name: str) -> Span | None:
        """Return the range of the value of field ``name``; None if the entry does not state it."""
        return next((span for own, span in self.fields if own == name), None)

    def __str__(self) -> str:
        """Return the place for users: ``refs.bib:12``, ``paper.pdf, page 9``, or ``line 12`` of pasted text."""
        where = f"{self.file}:{self.line}" if self.file and self.line else self.file
        where = where if where.isprintable() else repr(where)
        line = f"line {self.line}" if self.line and not self.file else ""
        return ", ".join(filter(None, (where, line, f"page {self.page}" if self.page else "")))


NOWHERE = Place()


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of a bibliography, with its place in the input.

    Text fields are as cited, without LaTeX and markup; a field that is not stated is empty.
    """

    key: str
    """Citation key; may be empty or repeated."""
    title: str = ""
    authors: tuple[str, ...] = ()
    """Names in cited order, each as written: ``Family, Given`` or ``Given Family``."""
    and_others: bool = False
    """Whether the list of authors ends in ``and others`` or ``et al.``."""
    year: int | None = None
    venue: str = ""
    """Journal, proceedings or series, as written."""
    entry_type: str = ""
    """Kind of work in the terms of the input, in lower case: ``article``, ``online``..."""
    doi: str = ""
    """DOI in lower case and without a resolver's address; as written if it does not look like a DOI."""
    arxiv_id: str = ""
    """arXiv id without version, ``1706.03762`` or ``cs/0112017``; as written if it does not look like one."""
    pages: str = ""
    volume: str = ""
    number: str = ""
    url: str = ""
    publisher: str = ""
    note: str = ""
    raw: str = ""
    """Text of the entry in the input."""
    from_text: bool = False
    """Whether the fields were parsed from running text, so that they may be split at wrong places."""
    doubts: tuple[str, ...] = ()
    """Short reasons why fields, or start and end of the entry, may be wrong."""
    string: str = ""
    """The reference string from which the fields were parsed. A record may confirm another way to parse it."""
    place: Place = NOWHERE
    oversized: tuple[str, ...] = ()
    """Names of fields that were too long to be real and have been emptied."""

    @property
    def file(self) -> str:
        """Name of the document that contains the entry."""
        return self.place.file

    @property
    def line(self) -> int:
        """First line of the entry, from 1; 0 if there is none."""
        return self.place.line

    @property
    def paper(self) -> str:
        """Name of the citing document: ``place.paper`` if set, else the file that contains the entry."""
        return self.place.paper or self.place.file


class Severity(StrEnum):
    """Whether a difference or a diagnostic counts (ISSUE) or only informs (NOTE)."""

    ISSUE = "issue"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A report to the user that an entry or document could not be read."""

    place: Place
    code: str
    """Stable code, such as ``bibtex.unbalanced``; listed in ``docs/formats.md``."""
    message: str
    """One sentence that states the problem and the remedy."""
    raw: str = ""
    """Text of the entry, shortened if it is long."""
    key: str = ""
    severity: Severity = Severity.ISSUE
    """NOTE if nothing is wrong: the entry describes no work, such as the control entry of a style."""

    @property
    def file(self) -> str:
        """Name of the document."""
        return self.place.file

    @property
    def line(self) -> int:
        """Line of the document, from 1; 0 for the document as a whole."""
        return self.place.line

    @property
    def of_document(self) -> bool:
        """Whether the diagnostic concerns a whole document rather than one entry."""
        return self.code.startswith("document.") or not (self.place.line or self.place.page)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.file else self.message


@dataclass(frozen=True, slots=True)
class Extraction:
    """How well the reference list of a paper was read, judged by what the paper itself states."""

    file: str
    """The document's name, as the user gave it."""
    found: int
    """Number of entries read."""
    expected: int
    """Number of entries that the numbers of the list and the citations in the text imply."""
    doubtful: int
    """Number of entries that may have been read wrongly."""
    uncited: int | None
    """Number of entries that the text does not cite; None if its citations could not be recognised."""
    fault: str = ""
    """What is wrong with the list as a whole, in one sentence; empty if nothing is."""


MOST_NOTES = 5
"""Maximum number of notes of one kind about one document. One more note states the number of further notes."""


@dataclass(frozen=True, slots=True)
class Bibliography:
    """The entries of one document in their order. Each is a reference or a diagnostic."""

    entries: tuple[Reference | Diagnostic, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    """Diagnostics about the whole document, or about an entry that was read: a guessed encoding, a repeated key."""
    parts: tuple[str, ...] = ()
    """Names of further files that were read, such as the ``.bib`` file of a LaTeX paper."""
    extraction: Extraction | None = None
    """How well a list in running text was read; None if the format has named fields."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The diagnostics as sentences, at most ``MOST_NOTES`` of each kind."""
        kinds: dict[str, list[str]] = {}
        for diagnostic in self.diagnostics:
            kinds.setdefault(diagnostic.code, []).append(str(diagnostic))
        notes = []
        for code, said in kinds.items():
            more = len(said) - MOST_NOTES
            notes += [*said[:MOST_NOTES], f"... and {more} more: {code}"] if more > 0 else said
        return tuple(notes)

    @property
    def references(self) -> tuple[Reference, ...]:
        """The entries that are references."""
        return tuple(entry for entry in self.entries if isinstance(entry, Reference))
