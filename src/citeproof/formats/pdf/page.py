"""The lines of a PDF's pages, with their places: the only module that imports the PDF library.

pdfium gives the text of a page in the order in which the file draws it, one character after another, each with a box.
A line ends where pdfium breaks it (CR LF) and where it saw a hyphen at a line's end (U+FFFE or U+0002).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate, pairwise
from threading import Lock
from typing import TYPE_CHECKING
from unicodedata import normalize

from pypdfium2 import PdfDocument, PdfiumError, PdfTextPage
from pypdfium2.raw import FS_RECTF, FPDFText_GetLooseCharBox

from citeproof.fields.lists.lines import Line
from citeproof.text.encodings import without_controls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_PDFIUM = Lock()
"""pdfium is not safe for threads: one file is read at a time in a process."""

_BREAK = re.compile("[\r\n\ufffe\u0002](?:(?<=\r)\n)?")
_HYPHENS = frozenset("\ufffe\u0002")
_ACCENTS = {
    "´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "ˇ": "\u030c", "˘": "\u0306",
    "¯": "\u0304", "˙": "\u0307", "˚": "\u030a", "˝": "\u030b", "¸": "\u0327", "˛": "\u0328",
}  # fmt: skip
"""Accents that TeX's older fonts draw as characters of their own, to what joins them with a letter."""
_LONE_ACCENT = re.compile(f"[{''.join(_ACCENTS)}]")
_LINE_NUMBER = re.compile(r"(\d{1,4})(?:[^\S\r\n]+|(?=[\r\n]|$))")
_FEWEST_NUMBERED = 8
_TOUCHING = 0.15
"""Of a letter's height. A gap between words is a third of it at least."""
_UNDOTTED = {"ı": "i", "ȷ": "j"}


class PdfError(ValueError):
    """The file cannot be read."""

    def __init__(self, kind: str) -> None:
        """``kind`` is ``damaged`` or ``protected``."""
        super().__init__(kind)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Page:
    """One page; its size is in points."""

    number: int
    """Counted from 1."""
    width: float
    height: float
    lines: tuple[Line, ...]
    """In the order in which the file draws them."""
    readable: bool = True
    """False where the file is damaged here: the page has no lines and no size."""


def read_pages(data: bytes) -> list[Page]:
    """Return the pages of a PDF; raises :class:`PdfError`."""
    with _PDFIUM:
        try:
            document = PdfDocument(data)
        except PdfiumError as error:
            raise PdfError("protected" if "password" in str(error).lower() else "damaged") from error
        try:
            return [_page(document, index) for index in range(len(document))]
        finally:
            document.close()


def _page(document: PdfDocument, index: int) -> Page:
    try:
        page = document[index]
        text_page = page.get_textpage()
    except PdfiumError:
        return Page(index + 1, 0.0, 0.0, (), readable=False)
    try:
        width, height = page.get_size()
        return Page(index + 1, width, height, tuple(_lines(text_page, index + 1)))
    finally:
        text_page.close()
        page.close()


def _lines(page: PdfTextPage, number: int) -> Iterator[Line]:
    text = page.get_text_range()
    units = _units(text)
    box = _boxes(page)
    for first, last, broken in _without_line_numbers(text, list(_stretches(text))):
        left, bottom, _, top = box(units[first])
        _, last_bottom, right, last_top = box(units[last])
        written = text[first : last + 1]
        if _LONE_ACCENT.search(written):
            written = _with_accents(page, written, units[first : last + 1])
        yield Line(
            text=normalize("NFKC", without_controls(written.replace("\x00", ""))),
            number=number,
            left=left,
            right=right,
            bottom=min(bottom, last_bottom),
            height=max(top - bottom, last_top - last_bottom),
            broken_word=broken,
        )


def _boxes(page: PdfTextPage) -> Callable[[int], tuple[float, float, float, float]]:
    """Return what gives the left, bottom, right and top of a character with all that its font leaves around it.

    pypdfium2's own way makes a new rectangle for each of them.
    """
    handle, rectangle = page.raw, FS_RECTF()

    def box(unit: int) -> tuple[float, float, float, float]:
        if not FPDFText_GetLooseCharBox(handle, unit, rectangle):
            raise PdfiumError("Failed to get the box of a character.")
        return rectangle.left, rectangle.bottom, rectangle.right, rectangle.top

    return box


def _units(text: str) -> Sequence[int]:
    """Return the place of each character as pdfium counts: one beyond U+FFFF as two, as UTF-16 does."""
    if len(text.encode("utf-16-le", "surrogatepass")) == 2 * len(text):
        return range(len(text))
    return list(accumulate((1 + (character > "\uffff") for character in text), initial=0))


Stretch = tuple[int, int, bool]
"""Places of a line's first and last character that are no space, and whether a hyphen stood at its end."""


def _stretches(text: str) -> Iterator[Stretch]:
    start = 0
    for end, next_start, broken in _line_ends(text):
        written = text[start:end].lstrip()
        if written:
            yield end - len(written), end - len(written) + len(written.rstrip()) - 1, broken
        start = next_start


def _without_line_numbers(text: str, lines: list[Stretch]) -> list[Stretch]:
    """Leave out the numbers that a review copy has in front of each line: ``817 References``."""
    numbered = [(place, match) for place, (first, *_) in enumerate(lines) if (match := _LINE_NUMBER.match(text, first))]
    counting = {
        place
        for (before, earlier), (place, later) in pairwise(numbered)
        for place in (before, place)
        if int(later[1]) - int(earlier[1]) == 1
    }
    if len(counting) < max(_FEWEST_NUMBERED, len(lines) // 3):
        return lines
    matches = dict(numbered)
    kept = []
    for place, (first, last, broken) in enumerate(lines):
        begins = matches[place].end() if place in counting else first
        if begins <= last:
            kept.append((begins, last, broken))
    return kept


def _line_ends(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield where each line ends, where the next begins, and whether a hyphen stood at the end."""
    for match in _BREAK.finditer(text):
        yield match.start(), match.end(), match[0] in _HYPHENS
    yield len(text), len(text), False


def _close_up(letters: list[str], boxes: Sequence[tuple[float, float, float, float]], place: int) -> None:
    """Take away the spaces around a ``place`` that is empty now, where the letters on both sides touch.

    ``M ¨ uller``, whose accent is drawn first, has no gap between M and u, and spaces without width.
    """
    before, after = place, place
    while before >= 0 and not letters[before].strip():
        before -= 1
    while after < len(letters) and not letters[after].strip():
        after += 1
    if before < 0 or after == len(letters):
        return
    height = max(boxes[at][3] - boxes[at][1] for at in (before, after))
    if abs(boxes[after][0] - boxes[before][2]) < _TOUCHING * height:
        letters[before + 1 : after] = [""] * (after - before - 1)


def _with_accents(page: PdfTextPage, written: str, units: Sequence[int]) -> str:
    """Put accents that were drawn apart onto their letters.

    ``Dogan, Robert Leaman ˘`` has the box of its last character above the g: ``Doğan, Robert Leaman``.
    """
    boxes = [page.get_charbox(unit) for unit in units]
    letters = list(written)
    taken: list[int] = []
    for place, sign in enumerate(written):
        if sign not in _ACCENTS:
            continue
        middle = (boxes[place][0] + boxes[place][2]) / 2
        below = [
            at
            for at, box in enumerate(boxes)
            if at != place and letters[at].isalpha() and box[0] - 0.3 <= middle <= box[2] + 0.3
        ]
        if not below:
            continue
        at = min(below, key=lambda at: abs((boxes[at][0] + boxes[at][2]) / 2 - middle))
        whole = normalize("NFC", _UNDOTTED.get(letters[at], letters[at]) + _ACCENTS[sign])
        if len(whole) == 1:
            letters[at], letters[place] = whole, ""
            taken.append(place)
    for place in taken:
        _close_up(letters, boxes, place)
    return re.sub(r"\s+", " ", "".join(letters)).strip()
