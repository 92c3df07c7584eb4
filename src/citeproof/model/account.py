"""The account of a text: what became of every line that is not part of a reference.

The reader of a format that consists of lines (text, Markdown, Word, HTML, PDF) fills an
:class:`Account` while it reads, and passes it as :attr:`Bibliography.account`. All reports then
state what was not read, in notes and as ``unread`` in JSON. The exit code is 3 if a line that was
not read looks like a reference. Every line that is not blank is either counted in
:attr:`Account.read` or listed in :attr:`Account.unread`. The reader of a paper counts only the
lines of the reference list.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from citeproof.model.quantity import quantity

_LISTED = 5  # maximum number of unread lines that a note quotes
_QUOTED = 60  # maximum number of characters of a line that a note quotes


class LineKind(StrEnum):
    """Kind of a line that does not belong to a reference."""

    HEADING = "heading"
    """The heading of a list or of a group of references, or the header of a table."""
    INTRODUCTION = "introduction"
    """Text before the first reference of a list: ``Here are the references:``."""
    TEXT = "running text"
    """Text after or between references, such as a remark on a reference."""
    FURNITURE = "page furniture"
    """A page number, running head, rule or code fence."""
    UNKNOWN = "not understood"
    """Anything else."""


_HARMLESS = frozenset({LineKind.HEADING, LineKind.FURNITURE})


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that was not read as a reference or as a part of a reference."""

    file: str
    """The document's name, as the user gave it."""
    line: int
    """Line number, from 1; 0 if the document has no lines."""
    kind: LineKind
    text: str
    """The line, at most 300 characters."""
    lost: bool = False
    """Whether the line looks like a reference.

    If so, a reference may be missing, and the exit code is 3.
    """
    page: int = 0
    """Page number, from 1; 0 if the document has no pages."""


@dataclass(frozen=True, slots=True)
class Account:
    """The lines of a text: which were read as references, and which were not.

    Blank lines are not counted.
    """

    file: str
    """The document's name, as the user gave it."""
    references: int
    """Number of references read."""
    read: int
    """Number of lines that belong to references."""
    unread: tuple[Unread, ...] = ()
    """Lines that do not belong to references, in order."""
    taken_for: str = ""
    """A sentence that says which kind of text was assumed, if the format was guessed; otherwise
    empty.
    """

    @property
    def lost(self) -> tuple[Unread, ...]:
        """The lines that look like references and were not read as such."""
        return tuple(line for line in self.unread if line.lost)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user: how the format was guessed, and which lines were not read.

        Headings and page furniture are not mentioned.
        """
        notes = [f"{self.file or 'the text'}: {self.taken_for}"] if self.taken_for else []
        if shown := [line for line in self.unread if line.kind not in _HARMLESS]:
            counts = Counter(line.kind for line in shown)
            kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items())
            many = len(shown) > 1
            notes.append(
                f"{quantity(self.references, 'reference')};"
                f" {quantity(len(shown), 'line')} {'were' if many else 'was'} not read as"
                f" {'references' if many else 'a reference'} ({kinds}): {_quoted(shown)}"
            )
        if self.lost:
            looks = "looks like a reference" if len(self.lost) == 1 else "look like references"
            notes.append(
                f"WARNING: {quantity(len(self.lost), 'line')} that {looks} could not be read;"
                f" give each on a line of its own, with a number: {_quoted(self.lost)}"
            )
        return tuple(notes)


def _quoted(lines: Sequence[Unread]) -> str:
    said = []
    for line in lines[:_LISTED]:
        at = f"line {line.line}" if line.line else f"page {line.page}"
        text = line.text if len(line.text) <= _QUOTED else f"{line.text[: _QUOTED - 1]}…"
        said.append(f"{at} {text!r}")
    more = len(lines) - _LISTED
    return "; ".join([*said, *([f"and {more:,} more"] if more > 0 else [])])
