"""Extract the lines of a PDF's pages with their positions. Only this module imports the PDF
library.

pdfium returns the characters of a page in drawing order, each with a bounding box. A line ends at
CR LF, U+FFFE or U+0002.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from ctypes import byref, c_int, create_string_buffer
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import median
from threading import Lock
from unicodedata import normalize

from pypdfium2 import PdfDocument, PdfiumError, PdfPage, PdfTextPage
from pypdfium2 import raw as pdfium
from pypdfium2.raw import FS_RECTF, FPDFText_GetLooseCharBox

from citeproof.readers.lists import Line
from citeproof.readers.strings import begins_with_authors
from citeproof.text.encodings import without_controls

_PDFIUM = Lock()  # lock for calls of pdfium, which is not thread-safe

# regex for a line, and for the character that marks a hyphen at the end of the line
_WRITTEN = re.compile("([^\r\n\ufffe\u0002]+)([\ufffe\u0002]?)")
_ACCENTS = {
    "´": "\u0301",
    "`": "\u0300",
    "¨": "\u0308",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "ˇ": "\u030c",
    "˘": "\u0306",
    "¯": "\u0304",
    "˙": "\u0307",
    "˚": "\u030a",
    "˝": "\u030b",
    "¸": "\u0327",
    "˛": "\u0328",
}
"""Map from an accent to Unicode's combining character. Older TeX fonts draw accents as separate
characters.
"""
# space and accents, which may follow the last letter of a line
_DRAWN_LATER = " " + "".join(_ACCENTS)
_LONE_ACCENT = re.compile(f"[{''.join(_ACCENTS)}]")
_LINE_NUMBER = re.compile(r"(\d{1,4})(?:[^\S\r\n]+|(?=[\r\n]|$))")
# maximum gap in a word, and maximum gap between words, as shares of the line's height
_TOUCHING, _WORD_GAP = 0.15, 0.6
# minimum gap between two columns, as a share of the line's height, and maximum number of characters
# of the label of an entry or heading, which may also be followed by a gap of this width
_COLUMN_GAP, _LONGEST_LABEL = 1.5, 8
_UNLIKE = 2.0  # minimum gap between two columns, as a multiple of the usual gap in the line
_SPACE = re.compile(r"(?<=\S) +(?=\S)")
_RAISED = 0.8  # maximum shift of a superscript or subscript, as a share of the line's height
# regex for ``”`` that stands for an opening quotation mark
_OPENING = re.compile(r"(?<![^\s(/])”(?=\w)")

# Most papers before 2000 have bitmap fonts of TeX (Type 3), which do not name the characters.
# pdfium returns the codes of TeX's encodings, in which control characters are ligatures, quotation
# marks, dashes and ``ß``: ``e\x0ecient`` is ``efficient`` in OT1, and ``e\x1ecient`` in T1.
_LIGATURES = "ﬀﬁﬂﬃﬄ"
_OT1: dict[int, str | int] = {
    **dict(enumerate(f"{_LIGATURES}ıȷ`´ˇ˘¯˚¸ßæœøÆŒØ", 0x0B)),
    **str.maketrans('"\\{|\x7f', "”“–—¨"),
}
_T1: dict[int, str | int] = {
    **dict(enumerate(f"‚‹›“”„«»–—\u200b0ıȷ{_LIGATURES}", 0x0D)),
    **dict(enumerate("ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£", 0x80)),
    **str.maketrans("×÷ÿ", "Œœß"),
}
"""Map from the codes of TeX's font encoding T1 to Unicode, where T1 differs from Latin-1. ``_OT1``
is the map for the encoding OT1.
"""
# regex for control characters that only bitmap fonts use
_BITMAP_SIGN = re.compile(r"[\x0b\x0c\x0e-\x1f]|\r(?!\n)")
_OF_OT1 = re.compile(r"[\x0b\x0c\x0e\x19]|\r(?!\n)")
_OF_T1 = re.compile(r"[\x10\x11\x15\x1b-\x1e]")
"""Regex for codes that are frequent only in TeX's font encoding T1. ``_OF_OT1`` is the regex for
the encoding OT1.
"""
# maximum links read per page, and maximum length of an address
_MOST_LINKS, _LONGEST_ADDRESS = 1000, 500
_TO_A_WORK = re.compile(r"doi\.org/10\.|arxiv\.org/(?:abs|pdf)/", re.IGNORECASE)


class PdfError(ValueError):
    """Raised if a PDF cannot be read. The message is ``damaged`` or ``protected``."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a PDF. The width and the height are in points."""

    number: int  # page number, counted from 1
    width: float
    height: float
    lines: tuple[Line, ...]  # lines in the order in which they are drawn
    readable: bool = True  # False for a damaged page, which has no lines and the size 0


def read_pages(data: bytes) -> list[Page]:
    """Return the pages of the PDF ``data``. Raises :class:`PdfError` if the PDF cannot be read."""
    with _PDFIUM:
        try:
            document = PdfDocument(data)
        except PdfiumError as error:
            raise PdfError(
                "protected" if "password" in str(error).lower() else "damaged"
            ) from error
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
        lines = _lines(text_page, index + 1, list(_links(document, page)))
        return Page(index + 1, width, height, tuple(without_pieces(lines)))
    finally:
        text_page.close()
        page.close()


# left, bottom, right and top of a hyperlink in points, and its address
_Link = tuple[float, float, float, float, str]


def _links(document: PdfDocument, page: PdfPage) -> Iterator[_Link]:
    """Yield the hyperlinks of a page that lead to DOIs and arXiv papers."""
    at, link, box = c_int(0), pdfium.FPDF_LINK(), FS_RECTF()
    for _ in range(_MOST_LINKS):
        if not pdfium.FPDFLink_Enumerate(page.raw, byref(at), byref(link)):
            return
        action = pdfium.FPDFLink_GetAction(link)
        if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
            continue
        written = create_string_buffer(_LONGEST_ADDRESS)
        pdfium.FPDFAction_GetURIPath(document.raw, action, written, _LONGEST_ADDRESS)
        address = written.value.decode("utf-8", "replace")
        if _TO_A_WORK.search(address) and pdfium.FPDFLink_GetAnnotRect(link, box):
            yield box.left, box.bottom, box.right, box.top, address


def _lines(page: PdfTextPage, number: int, links: Sequence[_Link]) -> Iterator[Line]:
    text = page.get_text_range()
    units = _units(text)
    sign = _BITMAP_SIGN.search(text)
    # A bitmap font has no name. The length that pdfium returns includes the NUL after the name.
    if sign and pdfium.FPDFText_GetFontInfo(page.raw, units[sign.start()], None, 0, None) <= 1:
        text = _decoded(text)
    handle, rectangle = page.raw, FS_RECTF()

    def box(unit: int) -> tuple[float, float, float, float]:
        # The function is called directly, because pypdfium2's method creates a rectangle for each
        # character.
        if not FPDFText_GetLooseCharBox(handle, unit, rectangle):
            raise PdfiumError("Failed to get the box of a character.")
        return rectangle.left, rectangle.bottom, rectangle.right, rectangle.top

    def parts(line: _Range) -> Iterator[_Range]:
        """Divide a line at wide gaps, because pdfium joins lines of neighbouring columns.

        In a justified line before a long URL, the gaps are wide too, but all of them are equally
        wide, so the line is not divided.
        """
        first, last, broken = line
        gaps = []
        for space in _SPACE.finditer(text, first, last):
            before, behind = box(units[space.start() - 1]), box(units[space.end()])
            gaps.append((space, behind[0] - before[2], before[3] - before[1]))
        usual = median(width for _, width, _ in gaps) if gaps else 0.0
        begin = first
        for space, width, height in gaps:
            far = width > max(_COLUMN_GAP * height, _UNLIKE * usual)
            if far and space.start() - begin >= _LONGEST_LABEL:
                yield begin, space.start() - 1, False
                begin = space.end()
        yield begin, last, broken

    whole = _without_line_numbers(text, list(_ranges(text)))
    for first, last, broken in (part for line in whole for part in parts(line)):
        written = text[first : last + 1]
        ends = first + max(0, len(written.rstrip(_DRAWN_LATER)) - 1)
        left, bottom, _, top = box(units[first])
        _, last_bottom, right, last_top = box(units[ends])
        middle = (bottom + top) / 2
        across = (
            link[4]
            for link in links
            if link[1] <= middle <= link[3] and link[0] < right and left < link[2]
        )
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
            link=next(across, ""),
        )


def _decoded(text: str) -> str:
    """Convert ``text`` from the codes of TeX's bitmap fonts to Unicode. Line breaks (CR LF) are
    kept.
    """
    table = _OT1 if len(_OF_OT1.findall(text)) >= len(_OF_T1.findall(text)) else _T1
    return "\r\n".join(line.translate(table) for line in text.split("\r\n"))


def _units(text: str) -> Sequence[int]:
    """Return the index of each character of ``text`` in UTF-16, in which a character beyond U+FFFF
    takes two units.
    """
    if len(text.encode("utf-16-le", "surrogatepass")) == 2 * len(text):
        return range(len(text))
    return list(accumulate((1 + (character > "\uffff") for character in text), initial=0))


_Range = tuple[int, int, bool]
"""A line as a tuple: the index of its first visible character, the index of its last visible
character, and whether it ends with a hyphen.
"""


def _ranges(text: str) -> Iterator[_Range]:
    for match in _WRITTEN.finditer(text):
        if written := match[1].strip():
            first = match.end(1) - len(match[1].lstrip())
            yield first, first + len(written) - 1, bool(match[2])


def _without_line_numbers(text: str, lines: list[_Range]) -> list[_Range]:
    """Return ``lines`` without printed line numbers: ``References`` for ``817 References``.

    The numbers of entries are kept. They differ from line numbers: not every line has such a
    number, or authors follow most of them.
    """
    numbered = {
        place: match
        for place, (first, *_) in enumerate(lines)
        if (match := _LINE_NUMBER.match(text, first))
    }
    pairs = [
        pair
        for pair in pairwise(numbered)
        if int(numbered[pair[1]][1]) - int(numbered[pair[0]][1]) == 1
    ]
    counting = {place for pair in pairs for place in pair}
    begun = (text[numbered[place].end() : lines[place][1] + 1] for place in counting)
    if (
        len(counting) < max(8, len(lines) // 3)
        or sum(second == first + 1 for first, second in pairs) * 5 < len(pairs) * 4
        or sum(not one.startswith("[") and begins_with_authors(one) for one in begun) * 10
        > len(counting) * 7
    ):
        return lines
    left = (
        (numbered[place].end() if place in counting else line[0], *line[1:])
        for place, line in enumerate(lines)
    )
    return [line for line in left if line[0] <= line[1]]


def _close_up(
    letters: list[str], boxes: Sequence[tuple[float, float, float, float]], place: int
) -> None:
    """Remove the spaces around index ``place`` if the letters on both sides touch: ``M üller``
    becomes ``Müller``. ``boxes`` has the bounding box of each letter.
    """
    before = next((at for at in range(place, -1, -1) if letters[at].strip()), None)
    after = next((at for at in range(place, len(letters)) if letters[at].strip()), None)
    if before is None or after is None:
        return
    height = max(boxes[at][3] - boxes[at][1] for at in (before, after))
    if abs(boxes[after][0] - boxes[before][2]) < _TOUCHING * height:
        letters[before + 1 : after] = [""] * (after - before - 1)


def _with_accents(page: PdfTextPage, written: str, units: Sequence[int]) -> str:
    """Return the text ``written`` with each separate accent combined with the letter below it:
    ``Dogan, Lee ˘`` becomes ``Doğan, Lee``. ``units`` has the index in ``page`` of each character.
    """
    boxes = [page.get_charbox(unit) for unit in units]
    letters = list(written)
    taken: list[int] = []
    for place, sign in enumerate(written):
        if sign not in _ACCENTS:
            continue
        middle = (boxes[place][0] + boxes[place][2]) / 2
        near = (
            at
            for at, box in enumerate(boxes)
            if at != place and box[0] - 0.3 <= middle <= box[2] + 0.3
        )
        below = [at for at in near if letters[at].isalpha()]
        if not below:
            continue
        at = min(below, key=lambda at: abs((boxes[at][0] + boxes[at][2]) / 2 - middle))
        whole = normalize(
            "NFC", {"ı": "i", "ȷ": "j"}.get(letters[at], letters[at]) + _ACCENTS[sign]
        )
        if len(whole) == 1:
            letters[at], letters[place] = whole, ""
            taken.append(place)
    for place in taken:
        _close_up(letters, boxes, place)
    return re.sub(r"\s+", " ", "".join(letters)).strip()


def without_pieces(lines: Iterable[Line]) -> list[Line]:
    """Join the pieces of each line, because pdfium splits a line at a raised or lowered character,
    such as a footnote mark.

    A ``”`` before a word becomes ``„``, because older TeX fonts draw this German mark as a lowered
    ``”``.
    """
    whole: list[Line] = []
    for line in lines:
        if whole and (joined := _joined(whole[-1], line)):
            whole[-1] = joined
        else:
            whole.append(line)
    return [
        line._replace(text=_OPENING.sub("„", line.text)) if "”" in line.text else line
        for line in whole
    ]


def _joined(before: Line, line: Line) -> Line | None:
    """Return ``before`` and ``line`` as one line if they are adjacent and at about the same height.
    Otherwise return None.
    """
    height, gap = max(before.height, line.height), line.left - before.right
    is_raised = abs(line.bottom - before.bottom) >= _RAISED * height
    if before.broken_word or is_raised or not -_TOUCHING * height < gap < _WORD_GAP * height:
        return None
    main = before if len(before.text) >= len(line.text) else line
    text = f"{before.text}{' ' if gap > _TOUCHING * height else ''}{line.text}"
    link = before.link or line.link
    return line._replace(
        text=text, left=before.left, bottom=main.bottom, height=main.height, link=link
    )
