"""Papers of invented references, typeset in many ways: columns, labels, indents, gaps, headings,
running heads, footnotes, numbered lines, words that are divided, and sections behind the list.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.readers.formats.pdf.typeset import Text, pdf

if TYPE_CHECKING:
    from collections.abc import Sequence

STRINGS = Path(__file__).parents[3] / "data" / "lists" / "strings.jsonl"
_BODY = (
    "The winter in old towns is long, and the sheep know it. We show how foxes find their way over"
    " the ice, and why kites that fly in the north return to the south. Sleds are compared with"
    " each other in the snow of four winters, on two rivers and on a lake. None of them was lost."
)
_HEADINGS = ("References", "REFERENCES", "7. References", "Bibliography", "6 Literature Cited")
_BEHIND = (
    ("Appendix", _BODY),
    ("A Proofs", _BODY),
    ("Acknowledgements", "We thank all shepherds for their help with the sleds."),
    ("Supplementary Material", _BODY),
)


@dataclass
class Paper:
    """A paper that cites."""

    data: bytes
    strings: list[str]
    """The references, as they were before they were typeset."""
    pages: list[int]
    """The page on which each reference begins."""
    lines: int
    """The number of lines of all references."""
    headed: bool
    """Whether its list has a heading."""


@dataclass
class _Press:
    """Sets lines from top to bottom, column by column and page by page."""

    columns: int
    size: float
    leading: float
    head: str
    numbered: bool
    note: str
    counted: bool
    """Whether each line has a number in the margin, as in drafts for reviewers."""
    top: float = 720.0
    foot: float = 80.0
    pages: list[list[Text]] = field(default_factory=list)
    column: int = 0
    y: float = 0.0
    below: float = 0.0
    """The top of the columns of later pages, if it differs."""

    def __post_init__(self) -> None:
        self.width = 216.0 if self.columns == 2 else 450.0
        self.turn()

    def turn(self) -> None:
        """Begin a page."""
        number = len(self.pages) + 1
        self.top = self.below or self.top
        page = [Text(72, 760, self.head, self.size - 1)] if self.head and number > 1 else []
        if self.numbered:
            page.append(Text(300, 40, str(number), self.size))
        if self.note:
            page.append(Text(72, 60, f"{number} {self.note}", self.size * 0.8))
        self.pages.append(page)
        self.column, self.y = 0, self.top

    def across(self, texts: Sequence[str]) -> None:
        """Set lines over the whole width of the first page, above its columns."""
        for text in texts:
            self.pages[-1].append(Text(72, self.y, text, self.size + 2))
            self.y -= self.leading + 2
        self.top, self.below = self.y - 6, self.top
        self.y = self.top

    def line(self, text: str, indent: float = 0.0, size: float = 0.0, label: str = "") -> None:
        """Set one line, and a ``label`` to the left of it."""
        if self.y < self.foot:
            self.column += 1
            self.y = self.top
            if self.column == self.columns:
                self.turn()
        left = 72 + self.column * (self.width + 24) + indent
        page, size = self.pages[-1], size or self.size
        if self.counted and not self.column:
            page.append(Text(40, self.y, str(sum(one.left == 40 for one in page) + 1), 6))
        if label:
            page.append(Text(left - 20, self.y, label, size))
        page.append(Text(left, self.y, text, size))
        self.y -= self.leading

    def fits(self, text: str, indent: float) -> bool:
        """Return whether ``text`` is no wider than a column."""
        return indent + len(text) * self.size * 0.48 <= self.width


def _lines(press: _Press, text: str, first: float, other: float, divides: bool) -> list[str]:
    """Return ``text`` in lines, with some words divided."""
    line = ""
    lines: list[str] = []
    for word in text.split(" "):
        indent = other if lines else first
        longer = f"{line} {word}" if line else word
        if not line or press.fits(longer, indent):
            line = longer
            continue
        half = len(word) // 2
        divided = f"{line} {word[:half]}-"
        may_divide = divides and len(word) > 7 and word.isalpha() and word.islower()
        if may_divide and press.fits(divided, indent):
            lines.append(divided)
            line = word[half:]
            continue
        lines.append(line)
        line = word
    return [*lines, line]


@cache
def strings() -> list[tuple[str, str]]:
    """Return invented reference strings with their styles."""
    read = [json.loads(line) for line in STRINGS.read_text("utf-8").splitlines()]
    return [(one["text"], one["style"]) for one in read]


def paper(seed: int) -> Paper:
    """Return a paper, the same one for the same ``seed``."""
    dice = random.Random(seed)
    every = [one for one in strings() if not set(one[0]) & set("\n，：") and one[0][0].isalpha()]
    style = dice.choice(every)[1]
    alike = [text for text, other in every if other == style]
    chosen = dice.sample(alike, min(len(alike), dice.randint(5, 14)))
    size = dice.choice((8.0, 9.0, 10.0))
    press = _Press(
        columns=dice.choice((1, 2)),
        size=size,
        leading=size + dice.choice((1.0, 2.0, 4.0)),
        head=dice.choice(("", "On winter in old towns", "Lee et al.")),
        numbered=dice.random() < 0.6,
        note=dice.choice(("", "", "Ask the authors for the sleds.")),
        counted=dice.random() < 0.15,
    )
    divides = dice.random() < 0.5
    if dice.random() < 0.4:
        press.across(["On winter in old towns", "Ann Lee and Bo Ray", _BODY[:90], _BODY[90:180]])
    for _ in range(dice.randint(1, 9)):
        for line in _lines(press, _BODY, 10, 0, divides):
            press.line(line)
    headed = dice.random() < 0.9
    if headed:
        press.y -= press.leading
        press.line(dice.choice(_HEADINGS), size=size + dice.choice((0, 2, 4)))
    mark = dice.choice(("[{}] ", "{}. ", "({}) ", "{} ", "", "", ""))
    first, other = dice.choice(((0.0, 0.0), (0.0, 12.0), (12.0, 0.0), (0.0, 18.0)))
    gap = dice.choice((0.0, 0.0, 2.0, 5.0, size))
    pages, count = [], 0
    hung = bool(mark) and dice.random() < 0.3
    for number, text in enumerate(chosen, 1):
        label = mark.format(number)
        for place, line in enumerate(
            _lines(press, text if hung else label + text, first, other, divides)
        ):
            press.line(line, other if place else first, label="" if place or not hung else label)
            if not place:
                pages.append(len(press.pages))
            count += 1
        press.y -= gap
    if dice.random() < 0.5:
        heading, rest = dice.choice(_BEHIND)
        press.line(heading, size=size + dice.choice((0, 2)))
        for line in _lines(press, rest, 0, 0, divides):
            press.line(line)
    return Paper(pdf(press.pages), chosen, pages, count, headed)
