"""Find the reference lists of a document among its lines (PDF, text) or among its paragraphs (Word,
Markdown, HTML).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from pathlib import Path
from statistics import median

from citeproof.readers.lists import Line
from citeproof.readers.strings import begins_with_authors

# headings of lists in lower case
_NAMES = Path(__file__).with_name("headings.txt").read_text("utf-8").splitlines()
_NUMBER = r"(?:(?:section\s+)?(?:\d{1,2}|[ivx]{1,5}|[a-h])(?:\.\d+)*[.:)]?\s+)?"
_HEADING = re.compile(
    rf"{_NUMBER}(?:{'|'.join(map(re.escape, _NAMES))})(?:\s*\(cont(?:inued|\.)?\))?\s*[:.]?",
    re.IGNORECASE,
)
_SPACED = re.compile(r" (?<=\b\w )(?=\w)")  # regex for the superfluous space in ``R EFERENCES``
_LETTERED = r"(?:[A-Z1-9IVX]{1,4}[.:]?(?:\d+)?\s+)?"
_AFTER = re.compile(
    rf"{_LETTERED}(?:append(?:ix|ices)|"
    r"supplement(?:ary|al)? (?:materials?|information|data|methods|figures?|tables?)|supplement|"
    r"acknowledge?ments?|about the authors?|(?:author )?biograph(?:y|ies)|authors? contributions?|"
    r"(?:neurips |paper |reproducibility |responsible nlp )?checklist|"
    r"figure (?:captions?|legends?)|list of (?:figures|tables)|online resources|ethics"
    r" statement|limitations|vita|"
    r"anh[aä]nge?|(?:abbildungs|tabellen|abkürzungs)verzeichnis|danksagung|anmerkungen|"
    r"zusammenfassung|"
    r"(?:kurz)?biogra(?:ph|f)ien?|(?:über|zu) d(?:ie|en) autor(?:en|innen|inn?en und"
    r" autoren)|zu(?:m autor|r autorin)|"
    r"(?:anschrift|korrespondenzadresse)(?:en)?(?: de[rs]"
    r" (?:verfassers?|verfasserin|autors?|autoren|autorin))?|"
    r"annexes?|remerciements|table des (?:matières|illustrations))(?: [A-Z1-9]{1,2})?[.:]?",
    re.IGNORECASE,
)
"""Regex for a heading that may follow a reference list: ``Acknowledgements``."""
_TITLED = re.compile(rf"(?:{_LETTERED}appendix|supplement(?:ary|al)?)\b.*", re.IGNORECASE)
"""Regex for headings such as ``Appendix A: Proofs``, which may follow a reference list. Such a
heading ends the list only if it is in larger type.
"""
_NAME = r"[^\W\d_a-z][\w.’'-]*"
_BEHIND = re.compile(
    r"(?:manuscript |article |paper )?(?:received|submitted|accepted|revised)"
    r"(?: on)?:? (?:\w+ ){0,3}(?:1[89]|20)\d\d\b.*|gi-edition\b.*|(?-i:P-1 [A-Z]).*|"
    r"(?:previously|recently|already) published (?:in|titles|volumes).*|bisher erschienen\b.*|"
    rf"(?-i:(?:{_NAME} ){{2,4}}(?:(?:has )?received (?:the|his|her|a)|is (?:an?|the|with|currently)"
    r"|was born|obtained (?:the|his|her)|holds|earned|graduated)\b).*",
    re.IGNORECASE,
)
"""Regex for the first line of texts that often follow a reference list without a heading: dates of
the manuscript, volumes of a series, biographies of the authors.
"""
_LARGER = 1.06  # minimum height of a heading, as a multiple of the line height of the entries
_HEADING_LENGTH = 70
_JUDGED_FROM = 4  # minimum number of lines from which the usual line height can be estimated
# minimum number of lines for the usual height to be the median; of fewer lines, it is the maximum
_MEDIAN_FROM = 12
_SMALLER = 0.94  # maximum height of a footnote, as a multiple of the line height of the entries
_FOOTNOTE = re.compile(r"[\d*†‡§∗]")
_LABEL_ALONE = re.compile(r"[\[(]?\d{1,4}[\]).]?")
_LABEL = re.compile(r"\[\d{1,3}\]\s+[^\W\d_a-z]")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_AUTHORS_AND_DATE = re.compile(
    r"[^\W\d_a-z](?:(?!(?:[^\W\d_]{2}|\d)\.\s+(?!(?:19|20)\d\d[a-z]?\.\s))[^?!():;]){5,300}?"
    r"\.\s+(?:19|20)\d\d[a-z]?\.\s+[\"“']?[^\W\d_a-z]"
)
"""Regex for authors, a year and the beginning of a title: ``Ann Lee and Bo Fox. 1984. The``."""
_INVERTED = re.compile(
    rf"{_NAME}(?: {_NAME})?, {_NAME}(?: {_NAME}){{0,2}}"
    rf"(?::|(?:(?: ?[,;/]| und| and| et| &) ?(?:[a-z]{{2,4}} )?{_NAME}[^:()\d]{{0,200}}?| u\."
    r" ?a\.)?"
    r"(?: \([^()]{2,6}\))?(?::|[ .,]*\(?(?:1[89]|20)\d\d[a-z]?\)?[:.,]))"
)
"""Regex for names with the family name first, followed by a colon or a year: ``Weber, Max:``,
``Lee, Ann/Fox, Kim (1998).``.
"""
_WITH_YEAR = 4  # number of lines at the beginning of an entry that are searched for a year
_APART = 9  # maximum number of lines between two entries until five entries are found
# maximum number of lines between two entries once five entries are found, because a figure may be
# between them
_FAR_APART = 40
_FEWEST = 5  # minimum number of entries in a list without a heading


def is_heading(text: str) -> bool:
    """Return whether ``text`` is the heading of a reference list, such as ``7. Bibliography``."""
    written = text.strip()
    return len(text) <= _HEADING_LENGTH and any(
        map(_HEADING.fullmatch, {written, _SPACED.sub("", written)})
    )


def is_heading_after_list(text: str) -> bool:
    """Return whether ``text`` is a heading after a reference list: ``Appendix A``,
    ``Acknowledgements``.
    """
    return text[:1].isupper() and _AFTER.fullmatch(text) is not None


def reference_lists(lines: Sequence[Line]) -> tuple[list[Sequence[Line]], list[Line]]:
    """Return the lines of each reference list, without its heading, and the lines of all other
    text.
    """
    lists: list[Sequence[Line]] = []
    beside: list[Line] = []
    place = 0
    starts = [place for place, line in enumerate(lines) if is_heading(line.text)]
    for start, following in pairwise([*starts, len(lines)]):
        end = _end(lines, start, following)
        if end > start + 1:
            lists.append(_without_footnotes(lines[start + 1 : end]))
        beside += lines[place:start]
        place = end
    return lists, [*beside, *lines[place:]]


def _without_footnotes(lines: Sequence[Line]) -> list[Line]:
    """Return ``lines`` without footnotes. These are small lines at the foot of a column that begin
    with a number or ``*``, or are below a gap.
    """
    usual = median(line.height for line in lines)
    columns = [
        list(column) for _, column in groupby(lines, key=lambda line: (line.number, line.column))
    ]
    # The height of lines varies within one font size. Lines that have larger lines below them are
    # not footnotes, and show how low other lines may be.
    within = sorted(line.height for left in columns for line in left[: _count_above(left, usual)])
    least = within[len(within) // 20] if within else usual
    kept: list[Line] = []
    for left in columns:
        small = _count_above(left, min(usual, least))
        notes = (
            place
            for place in range(small, len(left))
            if _FOOTNOTE.match(left[place].text)
            or (0 < place == small and left[place - 1].bottom - left[place].bottom > 2 * usual)
        )
        kept += left[: next(notes, len(left))]
    return kept


def _count_above(column: Sequence[Line], height: float) -> int:
    """Return the number of lines of ``column`` above the smaller lines at its foot. ``height`` is
    the usual height of lines.
    """
    large = (place for place, line in enumerate(column, 1) if line.height >= height * _SMALLER)
    return max(large, default=0)


def _end(lines: Sequence[Line], start: int, following: int) -> int:
    """Return the index of the first line after the list whose heading is at ``start``.

    The index is at most ``following``, the index of the next heading of a list or of the end.
    """
    sizes: list[float] = []
    usual = 0.0
    for place in range(start + 1, following):
        line = lines[place]
        if len(sizes) >= _JUDGED_FROM and (place - start < 40 or not place % 20):
            usual = max(sizes) if len(sizes) < _MEDIAN_FROM else median(sizes)
        if usual and _ends(line, usual, lines, place):
            return place
        if sizes and _BEHIND.fullmatch(line.text) and not _goes_on(lines[place:following]):
            return place
        if line.height >= _SMALLER * max(sizes[:_JUDGED_FROM], default=0):
            sizes.append(line.height)
    return following


def _goes_on(lines: Sequence[Line]) -> bool:
    """Return whether the reference list continues in ``lines``: at least three of them, and more
    than one in eight, begin an entry.
    """
    near = [line.text for line in lines[: 8 * _FAR_APART]]
    begun = sum(
        begins_entry(text, near[place : place + _WITH_YEAR])
        for place, text in enumerate(near)
        if not _BEHIND.fullmatch(text)
    )
    return begun >= 3 and begun * 8 > len(near)


def _ends(line: Line, usual: float, lines: Sequence[Line], place: int) -> bool:
    """Return whether a reference list ends before ``line``, because ``line`` is a heading or begins
    a text in larger type.

    ``usual`` is the line height of the list, and ``place`` is the index of ``line`` in ``lines``.
    """
    if line.height <= usual * _LARGER:
        return is_heading_after_list(line.text)
    if is_heading_after_list(line.text) or (
        _TITLED.fullmatch(line.text) and len(line.text) <= _HEADING_LENGTH
    ):
        return True
    return line.text[:1].isalnum() and all(
        other.height > usual * _LARGER for other in lines[place + 1 : place + 3]
    )


def unheaded_list(lines: Sequence[Line]) -> int | None:
    """Find the last reference list that has no heading. Return the index of its first line, or None
    if there is no such list.
    """
    begin, last, count = 0, -_FAR_APART, 0
    found: int | None = None
    for place, line in enumerate(lines):
        if not begins_entry(line.text, near_texts(lines, place)):
            continue
        if place - last > (_FAR_APART if count >= _FEWEST else _APART):
            begin, count = place, 0
        last, count = place, count + 1
        if count >= _FEWEST:
            found = begin
    return found


def near_texts(lines: Sequence[Line], place: int) -> list[str]:
    """Return the texts of the few lines from index ``place`` on. An entry that begins at ``place``
    states its year in these lines.
    """
    return [line.text for line in lines[place : place + _WITH_YEAR]]


def begins_entry(line: str, near: Sequence[str]) -> bool:
    """Return whether ``line`` begins an entry: it begins with a label or authors, and ``near``, the
    texts of the lines from ``line`` on, has a year.
    """
    if _LABEL.match(line) or begins_with_authors(line):
        return any(map(has_year, near))
    text = " ".join(near)
    return bool(_AUTHORS_AND_DATE.match(text) or (_INVERTED.match(text) and has_year(text)))


def has_year(text: str) -> bool:
    """Return whether ``text`` contains a year from 1800 on."""
    return _YEAR.search(text) is not None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, list item or heading of a document."""

    text: str  # text with a line feed at each line break
    line: int  # number of the first line, or in a Word document the number of the paragraph
    heading: bool = False


def listed(paragraphs: Iterable[Paragraph]) -> list[Paragraph]:
    """Return one paragraph for each entry of all reference lists.

    A list begins after a heading such as ``References`` and ends at the next heading. Each
    paragraph of a list is an entry. If the lists have only one paragraph in total, each of its
    lines is an entry.
    """
    found: list[Paragraph] = []
    inside = False
    for paragraph in paragraphs:
        if is_heading(paragraph.text):
            inside = True
        elif paragraph.heading or is_heading_after_list(paragraph.text):
            inside = False
        elif inside and paragraph.text.strip():
            # the label of the entry is in a separate cell of a table
            if found and _LABEL_ALONE.fullmatch(found[-1].text.strip()):
                label = found.pop()
                found.append(replace(label, text=f"{label.text.strip()} {paragraph.text}"))
            else:
                found.append(paragraph)
    return on_lines(found)


def on_lines(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """Return ``paragraphs`` without line breaks. If there is only one paragraph, return one
    paragraph for each of its lines instead.
    """
    if len(paragraphs) == 1:
        (whole,) = paragraphs
        return [
            replace(whole, text=" ".join(line.split()))
            for line in whole.text.split("\n")
            if line.strip()
        ]
    return [replace(paragraph, text=" ".join(paragraph.text.split())) for paragraph in paragraphs]
