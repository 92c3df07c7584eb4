"""References as written in a document, their positions in the document, and diagnostics of
unreadable entries.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from citeproof.model.account import Account


class Span(NamedTuple):
    """A range of characters in the text of a document. ``start`` counts from 0, and ``end`` is
    exclusive.
    """

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Place:
    """The position of a bibliography entry in a document."""

    file: str = ""
    """The document's name, as the user gave it."""
    line: int = 0
    """Number of the entry's first line, from 1; 0 if the document has no lines."""
    page: int = 0
    """Number of the entry's first page, from 1; 0 if the document has no pages."""
    span: Span | None = None
    """Range of characters of the whole entry; None if it is unknown."""
    fields: tuple[tuple[str, Span], ...] = ()
    """Pairs of a field name in lower case and the range of the value.

    The range includes quotes or braces.
    """
    paper: str = ""
    """Name of the document that cites the entry, if it is another file: ``main.tex`` for an entry
    in ``refs.bib``.
    """
    column: int = 1
    """Column of the entry's first character, from 1; 1 if the column is unknown."""

    def field(self, name: str) -> Span | None:
        """Return the range of characters of the value of field ``name``; None if the entry does not
        have the field.
        """
        return next((span for own, span in self.fields if own == name), None)

    def __str__(self) -> str:
        """Return the position as text: ``refs.bib:12``, ``paper.pdf, page 9``, or ``line 12``
        without a file name.
        """
        where = f"{self.file}:{self.line}" if self.file and self.line else self.file
        where = where if where.isprintable() else repr(where)
        line = f"line {self.line}" if self.line and not self.file else ""
        return ", ".join(filter(None, (where, line, f"page {self.page}" if self.page else "")))


NOWHERE = Place()


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of a bibliography, and the position of the entry in the input.

    Text fields are as written, without LaTeX and markup. A missing field is empty.
    """

    key: str
    """Citation key, such as ``vaswani2017``.

    It may be empty, and two entries may have the same key.
    """
    title: str = ""
    authors: tuple[str, ...] = ()
    """Author names in the order and spelling of the entry: ``Family, Given`` or ``Given
    Family``.
    """
    and_others: bool = False
    """Whether the list of authors ends in ``and others`` or ``et al.``."""
    year: int | None = None
    venue: str = ""
    """Name of the journal, proceedings or series, as written."""
    entry_type: str = ""
    """Entry type of the input format, in lower case: ``article``, ``online``..."""
    doi: str = ""
    """DOI in lower case, without ``https://doi.org/``.

    A value that does not look like a DOI is unchanged.
    """
    arxiv_id: str = ""
    """arXiv identifier without version: ``1706.03762`` or ``cs/0112017``.

    An invalid value is unchanged.
    """
    pages: str = ""
    volume: str = ""
    number: str = ""
    url: str = ""
    publisher: str = ""
    note: str = ""
    raw: str = ""
    """Text of the entry, as it is in the input."""
    from_text: bool = False
    """Whether the fields were split from plain text, as in a PDF.

    If so, a field may have words of another field.
    """
    doubts: tuple[str, ...] = ()
    """Reasons to doubt that the entry was parsed correctly, as short texts."""
    string: str = ""
    """Plain text from which the fields were parsed; empty if the input has named fields, such as
    BibTeX.
    """
    linked: bool = False
    """Whether the DOI or the arXiv id is not in the text but in a hyperlink behind the text."""
    place: Place = NOWHERE
    names_unread: bool = False
    """Whether the text has names of people although :attr:`authors` is empty.

    If so, no record can confirm the reference.
    """
    oversized: tuple[str, ...] = ()
    """Names of fields that were emptied because the value was too long."""

    @property
    def file(self) -> str:
        """Name of the document that contains the entry."""
        return self.place.file

    @property
    def line(self) -> int:
        """Number of the first line of the entry, from 1; 0 if the document has no lines."""
        return self.place.line

    @property
    def paper(self) -> str:
        """Name of the citing document: ``place.paper`` if set, else the file that contains the
        entry.
        """
        return self.place.paper or self.place.file


class Severity(StrEnum):
    """Whether a difference or a diagnostic is a problem (ISSUE) or only informs the user (NOTE)."""

    ISSUE = "issue"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A message to the user about an entry or a document, such as an entry that cannot be
    parsed.
    """

    place: Place
    code: str
    """Stable code of the message, such as ``bibtex.unbalanced``; listed in ``docs/formats.md``."""
    message: str
    """One sentence that states the problem and the remedy."""
    raw: str = ""
    """Text of the entry, shortened if it is long."""
    key: str = ""
    severity: Severity = Severity.ISSUE
    """ISSUE for an error.

    NOTE for information, such as a guessed encoding or an entry that describes no work.
    """

    @property
    def file(self) -> str:
        """Name of the document that the message is about."""
        return self.place.file

    @property
    def line(self) -> int:
        """Line number in the document, from 1; 0 for the document as a whole."""
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
    """Number of entries that the text does not cite; None if its citations could not be
    recognised.
    """
    fault: str = ""
    """Problem with the list as a whole, in one sentence; empty if there is none."""


MOST_NOTES = 5
"""Maximum number of messages with the same code about one document.

A further message states how many were left out.
"""


@dataclass(frozen=True, slots=True)
class Bibliography:
    """The entries of one document, in order. An entry that cannot be read is replaced by a
    diagnostic.
    """

    entries: tuple[Reference | Diagnostic, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    """Diagnostics about the document or about entries that were read, such as a guessed encoding or
    a repeated key.
    """
    parts: tuple[str, ...] = ()
    """Names of further files that were read, such as the ``.bib`` file of a LaTeX paper."""
    extraction: Extraction | None = None
    """How well a reference list in plain text was read; None if the format has named fields, such
    as BibTeX.
    """
    account: Account | None = None
    """Account of the lines that were read and not read; None if the format does not consist of
    lines.
    """

    @property
    def notes(self) -> tuple[str, ...]:
        """The diagnostics as texts, at most ``MOST_NOTES`` texts with the same code, and the notes
        of the account.
        """
        kinds: dict[str, list[str]] = {}
        for diagnostic in self.diagnostics:
            kinds.setdefault(diagnostic.code, []).append(str(diagnostic))
        notes = []
        for code, said in kinds.items():
            more = len(said) - MOST_NOTES
            notes += [*said[:MOST_NOTES], f"... and {more} more: {code}"] if more > 0 else said
        return (*notes, *(self.account.notes if self.account else ()))

    @property
    def references(self) -> tuple[Reference, ...]:
        """The entries that are references, not diagnostics."""
        return tuple(entry for entry in self.entries if isinstance(entry, Reference))


def name_of(reference: Reference) -> str:
    """Return the name of an entry for people: its key or, without a key, its DOI or title.

    Entries of tables and of many RIS files have no keys. Empty if the entry has none of these.
    """
    return reference.key or reference.doi or reference.title
