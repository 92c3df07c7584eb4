"""Split a text into the references in it and all other lines.

A text may be a list, a mail, a chat answer or a page. Numbers, labels, bullets, blank lines,
indents or line ends separate the references. Headings, introductions, remarks and page numbers may
stand between them. The text is split in three steps:

1. Each line is a heading, page furniture, the beginning of a marked item, or another line.
2. Lines are joined to pieces. A piece is an item with the lines that continue it, or an unmarked
   reference.
3. Each piece is classified as a reference or as another kind of text. No line is dropped.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from citeproof.model.account import LineKind
from citeproof.readers.lists.described import FIELD, described, is_field, table_row
from citeproof.readers.lists.entries import counting
from citeproof.readers.lists.line_breaks import AREA, ENDS, GOES_ON, PARTICLE, is_open, starts_of
from citeproof.readers.lists.markup import without_markup
from citeproof.readers.lists.sections import is_heading, is_heading_after_list
from citeproof.readers.lists.text_lines import (
    IDENTIFIER,
    MAIL_HEADER,
    SIGN_OFF,
    UP,
    VERB,
    YEAR,
    TextLine,
    begins_with_people,
    is_dated,
    is_lead,
    is_like_reference,
    is_sentence,
    text_lines,
)
from citeproof.readers.strings import begins_with_authors, best_reading, is_reference_string

_MARK = re.compile(
    r"(?:\*\*|__)?(?:\[(?P<bracket>\d{1,4})\]|\((?P<paren>\d{1,4})\)(?![:,;.])|"
    r"(?P<dot>\d{1,4})[.)](?=[*_\s]|[^\W\d_])(?!\s+[–—-] )|"
    rf"(?P<bare>\d{{1,4}})(?=[ \t]+\W?(?:{PARTICLE}[ ’'-]+){{0,2}}{UP})|"
    rf"(?P<bullet>[-*+•·‣◦▪●○■►])(?=\s)|(?P<dash>[–—])(?=\s)(?!\s+{AREA})|"
    r"\[\^(?P<note>[^\]\s]{1,40})\]:|\[(?P<label>[^\[\]\n]{2,40}\d{2,4}[a-z]?)\])"
    r"(?:\*\*|__)?[ \t]*(?=\S)"
)
"""Regex for a mark before an item: ``[1]``, ``(1)``, ``1.``, ``1``, ``-``, ``[^1]:``,
``[Knu84]``.
"""
_FEWEST = {"bracket": 1, "paren": 2, "dot": 2, "bare": 3}
"""Minimum number of consecutive numbers that a text must have of each kind of mark. A single ``1.``
is also accepted if a reference follows.
"""
_FENCE = re.compile(r"(?:```|~~~)\s*[\w-]*$")
_RULE = re.compile(r"[-_=*~–—·•.+|:\s]{3,}$")
_PAGE = re.compile(
    r"(?:[-–— ]*(?:(?:page|seite|p\.|s\.) *)?\d{1,4}(?: *(?:of|/|von) *\d{1,4})?[-–— ]*|"
    r"\( *\d{1,4} *\)|\[ *\d{1,4} *\])$",
    re.IGNORECASE,
)
"""Regex for a line that is only a page number: ``12``, ``- 12 -``, ``Page 3 of 7``."""
_ADDRESS = re.compile(
    r"\W?[\w.+-]+@[\w-]+(?:\.[\w-]+)+\W?$"
)  # regex for a line that is only an e-mail address
_PAGE_BESIDE = re.compile(r"^\W*\d+\b|\b\d+\W*$")
_WORD = re.compile(r"[^\W\d_]{3}")
_REPEATED = 3  # minimum number of equal lines for them to be running heads
_LONG = 80  # number of characters from which a line cannot be a running head or a heading
_RARE = 4  # less than one in this number of lines may be the same running head
_HASHED = re.compile(r"(#{1,6})[ \t]+\S")
_UNDERLINE = re.compile(r"=+|-{3,}")
_BOLD = re.compile(r"(\*\*|__)(?=\S)(?:(?!\1).)+\1:?$")
_LINK_ALONE = re.compile(r"\W*(?:(?:doi|arxiv|https?|www)\b\S*\s*)+\S*$", re.IGNORECASE)
_PEOPLE = re.compile(rf"\bet\.? +al\b|(?<!\w){UP}\. ?-?(?:{UP}\. ?-?)*{UP}[\w’'-]+|, {UP}\.")
_INSIDE = re.compile(r"[,.(–:;] ?\w")
_HEADING_WORDS = 8  # maximum number of words of a heading between references
_FUTURE = range(1500, 2100)  # numbers that are years rather than labels
_INLINE = re.compile(
    r"(?<=[.?!)\]\d”\"]) (?: *(?:\[(\d{1,4})\] *|\((\d{1,4})\) +|(\d{1,4})\. +)"
    rf"(?=\W?{UP})| *[•‣▪●►] +(?=\S))"
)
"""Regex for the mark of a further reference on the same line: ``[2]``, ``(2)``, ``2.``, ``•``."""
_SHORTEST = 25  # minimum number of characters of a reference
_LETTERS = 300  # maximum number of characters of a line that a message quotes


@dataclass
class _Piece:
    """Lines that belong together: an item with its mark, or a block of unmarked lines."""

    lines: list[TextLine]
    section: int = 0  # number of headings before the piece
    nested: bool = False  # whether the piece is an item inside another item
    # number of the first line of the block from which the piece was split off; 0 if there is none
    block: int = 0
    signed: bool = False  # whether the piece is after the end of a mail, such as ``Best regards,``
    in_list: bool = True  # whether the piece is not in the body of a paper
    row: str = ""  # text of a row of a table

    @property
    def mark(self) -> str:
        return self.lines[0].mark

    @cached_property
    def text(self) -> str:
        """The text to be parsed: the lines joined to one line, without markup."""
        whole = "\n".join(line.text for line in self.lines)
        return self.row or described([line.text for line in self.lines]) or without_markup(whole)

    @cached_property
    def is_like_reference(self) -> bool:
        mark = _MARK.match(self.text) if self.mark in {"number", "bullet"} else None
        return is_like_reference(self.text[mark.end() if mark else 0 :])


class Item(NamedTuple):
    """A reference in a text."""

    line: int  # number of the first line
    begin: int  # offset of the first character
    end: int
    label: str  # number or label, such as ``12``; empty without a label
    text: str  # text to be parsed, without markup


class Other(NamedTuple):
    """A line that does not belong to a reference."""

    line: int
    kind: LineKind
    text: str
    lost: bool  # whether the line looks like a reference, so that a reference may be lost


@dataclass(slots=True)
class Split:
    """The references and the other lines of a text."""

    items: list[Item] = field(default_factory=list)
    others: list[Other] = field(default_factory=list)
    read: int = 0  # number of lines in items
    counted: bool = False  # whether several of the items have numbers or bullets


def split_text(text: str) -> Split:
    """Split ``text`` into references and other lines."""
    lines = list(text_lines(text))
    _find_marks(lines)
    _find_kinds(lines)
    pieces = _pieces(lines)
    made = Split(counted=sum(line.mark in {"number", "bullet"} for line in lines) > 1)
    for piece, role in zip(pieces, _choose(pieces), strict=True):
        if role is None:
            made.items += _items(piece, text)
            made.read += len(piece.lines)
        for line in piece.lines:
            line.kind = role
    made.others = [
        Other(line.number, line.kind, line.text[:_LETTERS], _may_be_lost(line))
        for line in lines
        if line.kind
    ]
    return made


def _may_be_lost(line: TextLine) -> bool:
    if line.kind not in {LineKind.UNKNOWN, LineKind.TEXT, LineKind.INTRODUCTION}:
        return False
    if begins_with_people(line.text):
        return YEAR.search(line.text) is not None
    if line.kind is not LineKind.UNKNOWN:
        return False
    return bool(
        IDENTIFIER.search(line.text) or (_PEOPLE.search(line.text) and YEAR.search(line.text))
    )


def _find_marks(lines: Sequence[TextLine]) -> None:
    """Find the mark at the beginning of each line, such as ``1.`` or a bullet, and store it in the
    line. Numbers are marks only if they are consecutive.
    """
    found = {place: match for place, line in enumerate(lines) if (match := _MARK.match(line.text))}
    kinds = {place: str(match.lastgroup) for place, match in found.items()}
    chosen: dict[int, str] = {}
    for kind, fewest in _FEWEST.items():
        numbers = [(place, int(found[place][kind])) for place, own in kinds.items() if own == kind]
        rests = {place: lines[place].text[found[place].end() :] for place, _ in numbers}
        for run in _runs(_without_headings(numbers, rests)):
            value = int(found[run[0]][kind])
            enough = len(run) >= fewest or (value == 1 and is_like_reference(rests[run[0]]))
            if enough and value not in _FUTURE:
                chosen |= dict.fromkeys(run, "number")
    for mark, names in (("bullet", ["bullet"]), ("bullet", ["dash"]), ("label", ["label", "note"])):
        places = [place for place, kind in kinds.items() if kind in names]
        if places and (names == ["bullet"] or not chosen):
            begins = not places[0] or lines[places[0]].gap
            follows = len(places) > 1 or lines[places[0] - 1].text.endswith((":", "*"))
            if begins or (follows and names != ["dash"]):
                chosen |= dict.fromkeys(places, mark)
    for place, mark in chosen.items():
        lines[place].mark = mark
        lines[place].label = "" if mark == "bullet" else found[place][kinds[place]]
    for line in lines:
        if line.text.startswith("|") and line.text.count("|") > 2:
            line.mark = "row"


def _without_headings(
    numbers: Sequence[tuple[int, int]], rests: Mapping[int, str]
) -> list[tuple[int, int]]:
    """Return ``numbers`` without the numbers of headings, such as ``3. Methods`` in a text that
    also has ``3. Lee, A. (2019)``.

    ``numbers`` has pairs of the index of a line and its number. ``rests`` maps the index of a line
    to the text after its number.
    """
    likely = {place: is_dated(text) or begins_with_people(text) for place, text in rests.items()}
    twice = {
        value
        for (one, value), (other, following) in pairwise(numbers)
        if value == following and likely[one] != likely[other]
    }
    return [(place, value) for place, value in numbers if value not in twice or likely[place]]


def _runs(numbers: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """Yield the line indexes of the longest run of consecutive numbers, and of the runs before and
    after this run.
    """
    if run := counting(numbers):
        yield from _runs([pair for pair in numbers if pair[0] < run[0]])
        yield run
        yield from _runs([pair for pair in numbers if pair[0] > run[-1]])


def _find_kinds(lines: Sequence[TextLine]) -> None:
    """Store the kind in each line that is certainly not a part of a reference, such as a
    heading.
    """
    shapes = [_shape(line) for line in lines]
    counts = Counter(shapes)
    for place, (line, shape) in enumerate(zip(lines, shapes, strict=True)):
        repeated = shape and _REPEATED <= counts[shape] < len(lines) / _RARE and " " in line.text
        apart = line.gap or "#" in shape or any(one.gap for one in lines[place + 1 : place + 2])
        running = bool(repeated) and apart and not line.text.endswith(".")
        line.kind = line.kind or _kind(lines, place, is_running=running)


def _shape(line: TextLine) -> str:
    """Return the text of a short line with ``#`` in place of the page number at its beginning or
    end. The result is empty if the line cannot be a running head.
    """
    if line.mark or len(line.text) >= _LONG or not _WORD.search(line.text):
        return ""
    return _PAGE_BESIDE.sub("#", line.text)


def _kind(lines: Sequence[TextLine], place: int, *, is_running: bool) -> LineKind | None:
    line = lines[place]
    text = line.text
    if len(text) >= _LONG and is_reference_string(text):
        return None
    plain = without_markup(text.lstrip("# "))
    before = lines[place - 1] if place else None
    cut_off = before and not line.gap and YEAR.fullmatch(text.strip("()"))
    if any(form.match(text) for form in (_FENCE, _RULE, _PAGE, _ADDRESS)) and not cut_off:
        return LineKind.FURNITURE
    if is_running and not is_like_reference(text):
        return LineKind.FURNITURE
    if SIGN_OFF.fullmatch(text):
        return LineKind.TEXT
    if _HASHED.match(text) or is_heading(plain) or is_heading_after_list(plain):
        return LineKind.HEADING
    after = lines[place + 1] if place + 1 < len(lines) else None
    begins = not before or line.gap or before.kind is not None
    if (begins or "@" in text or text.endswith(":")) and MAIL_HEADER.match(text):
        return LineKind.INTRODUCTION
    if line.mark or YEAR.search(text) or begins_with_authors(plain) or FIELD.match(text):
        return None
    if after and not after.gap and _UNDERLINE.fullmatch(after.text) and len(plain) < _LETTERS:
        return LineKind.HEADING
    if _BOLD.match(text):
        alone = not after or after.gap or after.mark or _is_whole(after.text)
        return LineKind.HEADING if alone else None
    if not (begins and after):
        return None
    if not is_lead(text):
        speaks = GOES_ON.match(text) and VERB.search(text) and begins_with_people(after.text)
        return LineKind.INTRODUCTION if speaks else None
    leads = after.gap or after.mark or is_sentence(text) or is_like_reference(after.text)
    return LineKind.INTRODUCTION if leads and not is_open(text) else None


def _is_whole(text: str) -> bool:
    """Return whether ``text`` is a complete reference: it has authors, a title, a venue and a
    date.
    """
    reading, _ = best_reading(text)
    has_title = len(reading.title.split()) > 2  # two words may be a person
    return bool(reading.authors and has_title and reading.venue and is_dated(text))


def _pieces(lines: Sequence[TextLine]) -> list[_Piece]:
    """Group the lines that have no kind yet into pieces."""
    found: list[_Piece] = []
    current: _Piece | None = None
    owner: _Piece | None = None  # the last item that is not nested
    columns: list[str] = []  # names of the columns of a table
    in_list = not any(is_heading(without_markup(line.text)) for line in lines)
    section, level, turned, signed = 0, 0, False, False
    for line, after in zip(lines, (*lines[1:], None), strict=False):
        if line.kind:
            signed = signed or line.kind is LineKind.TEXT
            turned = line.kind is LineKind.FURNITURE and _PAGE.match(line.text) is not None
            if not turned:
                current = None
            if line.kind in {LineKind.HEADING, LineKind.INTRODUCTION}:
                plain = without_markup(line.text.lstrip("# "))
                section, owner, columns, signed = section + 1, None, [], False
                hashed = _HASHED.match(line.text)
                depth = len(hashed[1]) if hashed else 0
                if is_heading(plain):
                    in_list, level = True, depth
                elif is_heading_after_list(plain) or (hashed and depth <= level):
                    in_list = False
            continue
        if line.mark == "row" and after and _RULE.fullmatch(after.text):
            line.kind, columns, current = LineKind.HEADING, table_row(line.text), None
            continue
        nested = bool(owner and line.mark and _is_nested(owner.lines[0], line))
        if nested and owner and (is_field(line.text) or _LINK_ALONE.match(line.text)):
            owner.lines.append(line)
        elif current and not line.mark and _belongs(current, line, turned=turned):
            current.lines.append(line)
        else:
            row = described(table_row(line.text), columns) if line.mark == "row" else ""
            current = _Piece([line], section, nested, signed=signed, in_list=in_list, row=row)
            found.append(current)
            if line.mark and not nested:
                owner = current
        turned = False
    return [part for piece in found for part in _parts(piece)]


def _is_nested(top: TextLine, line: TextLine) -> bool:
    """Return whether the item that begins at ``line`` is nested in the item that begins at
    ``top``.
    """
    return line.indent >= top.indent + 2 or (line.mark == "bullet" and top.mark == "number")


def _belongs(piece: _Piece, line: TextLine, *, turned: bool) -> bool:
    """Return whether ``line``, which has no mark, continues ``piece``. ``turned`` says whether a
    page number stands between them.
    """
    mark = _MARK.match(line.text)
    if piece.mark == "row" or (mark and begins_with_people(line.text[mark.end() :])):
        return False
    last = piece.lines[-1]
    goes_on = GOES_ON.match(line.text) is not None
    if line.gap or turned:
        if turned and (goes_on or not ENDS.search(last.text)):
            return True
        deeper = bool(piece.mark) and line.indent > piece.lines[0].indent
        dated = any(is_dated(one.text) for one in piece.lines)
        return deeper and is_dated(line.text) and not dated
    if not piece.mark or goes_on or line.indent > piece.lines[0].indent:
        return True
    dated = any(is_dated(one.text) for one in piece.lines)
    return not (dated and ENDS.search(last.text) and is_reference_string(line.text))


def _parts(piece: _Piece) -> Iterator[_Piece]:
    """Split an unmarked block of lines into references, at indents or at line ends. A piece that is
    not such a block is yielded unchanged.
    """
    starts = [0] if piece.mark or len(piece.lines) == 1 else starts_of(piece.lines)
    if len(starts) == 1:
        yield piece
        return
    for start, end in pairwise([*starts, len(piece.lines)]):
        yield replace(piece, lines=piece.lines[start:end], block=piece.lines[0].number)


def _choose(pieces: Sequence[_Piece]) -> list[LineKind | None]:
    """Return for each piece the kind of its lines, or None if it is a reference."""
    likely = [piece for piece in pieces if piece.is_like_reference]
    lists = {piece.section for piece in likely if piece.mark and not piece.nested}
    nothing_known = not lists and all(piece.mark for piece in likely)
    roles: list[LineKind | None] = []
    for place, piece in enumerate(pieces):
        after = pieces[place + 1] if place + 1 < len(pieces) else None
        if not piece.in_list:
            known = bool(piece.mark) and is_reference_string(piece.text)
        elif piece.nested or piece.signed:
            known = piece.is_like_reference
        elif piece.mark:
            known = nothing_known or piece.section in lists
            inside = bool(after and after.nested and after.is_like_reference)
            known = known and not (inside and not piece.is_like_reference)
        else:
            known = nothing_known or piece.is_like_reference
        roles.append(None if known else LineKind.TEXT)
    read = [place for place, role in enumerate(roles) if role is None]
    blocks = {pieces[place].block for place in read} - {0}
    for place, piece in enumerate(pieces):
        if roles[place] and piece.in_list and not (piece.nested or piece.signed) and read:
            before, behind = place < read[0], place > read[-1]
            beside = piece.block in blocks
            roles[place] = _role(piece, before=before, behind=behind, beside=beside)
    return roles


def _role(piece: _Piece, *, before: bool, behind: bool, beside: bool) -> LineKind | None:
    """Return the kind of a piece that does not look like a reference, judging by its position among
    the references.

    Return None if the piece is a reference after all, such as a title in a list of references.
    ``before`` and ``behind`` say whether the piece is before the first or after the last reference.
    ``beside`` says whether a reference is in the same block of lines.
    """
    text = piece.text
    if piece.mark:
        return LineKind.HEADING if text.endswith(":") or len(text.split()) <= 3 else LineKind.TEXT
    sentence = is_sentence(text) or (text.endswith((".", "!", "?", ":")) and VERB.search(text))
    lead = before and (text.endswith(":") or GOES_ON.match(text)) and not is_dated(text)
    described = is_dated(text) and len(text) >= _SHORTEST and _INSIDE.search(text)
    if (beside or described) and not (sentence or lead):
        return None
    if before:
        return LineKind.INTRODUCTION
    if sentence or behind:
        return LineKind.TEXT
    if len(text.split()) <= _HEADING_WORDS and not text.endswith("."):
        return LineKind.HEADING
    return LineKind.UNKNOWN


def _items(piece: _Piece, text: str) -> Iterator[Item]:
    """Yield the reference of ``piece``, or several references if there are further marks within its
    lines. The numbers of these marks must continue from the number of the piece.
    """
    first, end = piece.lines[0], max(line.end for line in piece.lines)
    number = int(first.label) if first.label.isdecimal() else 0
    parts = [(first.begin, first.begin, first.label)]  # end of the previous part, begin, label
    is_long = len(piece.text) > 2 * _SHORTEST and not piece.row
    for match in _INLINE.finditer(text, first.begin, end) if is_long else ():
        label = match[1] or match[2] or match[3] or ""
        counts = label and number and int(label) == number + 1
        dated = is_dated(text[match.end() : end])
        parted = first.mark == "bullet" or (dated and is_dated(text[parts[-1][1] : match.start()]))
        if dated if counts else parted and not label:
            number += 1
            parts.append((match.start(), match.end() - len(match[0].lstrip()), label))
    for (_, begin, label), (stop, _, _) in pairwise([*parts, (end, end, "")]):
        read = piece.text if len(parts) == 1 else without_markup(text[begin:stop])
        yield Item(first.number + text.count("\n", first.begin, begin), begin, stop, label, read)
