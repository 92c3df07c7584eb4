"""Find the lines at which references begin, in a block of lines that have neither numbers nor
bullets.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from citeproof.readers.lists.described import FIELD, described, is_field
from citeproof.readers.lists.text_lines import (
    BARE,
    UP,
    TextLine,
    begins_with_people,
    is_dated,
    is_lead,
    is_like_reference,
    is_sentence,
)
from citeproof.readers.strings import best_reading, is_reference_string

PARTICLE = r"(?:del?|della|d[aiou]s?|van|von|de[rnt]|t[er]n|la|le|el|al|bin|ibn|'t|d['’])"
AREA = r"(?:\d{4}\.|(?:Vol|Iss|No|Art|Т|Вып)\.|[№PSС]\.? ?\d)"
"""Regex for a part of a bibliographic description after a dash, by the standards ISBD and GOST:
``Vol. 3`` in ``– Vol. 3.``.
"""
ENDS = re.compile(r"(?:[.?!)\]\d”\"’*](?<!\b[^\W\d_a-z]\.)|https?://\S+)$")
"""Regex for the end of a sentence or of a URL. Initials at the end of a line do not match:
``and Alan H.``.
"""
_ENDS_OPEN = re.compile(r"(?:\b[Ii]n:|//|[–&]|\b(?:[Vv]ol|[Nn][or]?|[Pp]p?|[Vv]|S)\.)$")
"""Regex for the end of a line that must continue on the next line, such as ``In:``."""
_LOWER = "[a-zß-öø-ÿα-ωа-џ]"  # Latin, Greek and Cyrillic letters
GOES_ON = re.compile(
    rf"(?:(?!{PARTICLE}\b[ ’'-]*(?:{PARTICLE} )?{UP}|[a-z]{{1,4}}[A-Z]){_LOWER}|"
    r"[Ii]n[: ]|pp?\.|\d{1,3}[,(:–-]|[,;:.)&]|\((?:1[5-9]|20)\d\d\)[,;:]|"
    rf"[–—] {AREA})"
)
"""Regex for the beginning of a line that continues the previous line: a lower-case word, or
``In``.
"""
# maximum number of characters that ``_ENDS_OPEN`` examines, including the character before a match
_LONGEST_END = 5
_PAIRS = (("“", "”"), ("«", "»"), ("(", ")"), ("[", "]"))
_ENDS_IN_YEAR = re.compile(r"(?:1[5-9]|20)\d\d[a-z]?\)?[.:,]?$")
# a venue that looks like a person: ``J. Snow Res. 30``
_JOURNAL = re.compile(r"J\. [\w-]+\.? [^\W_a-z]")
_PAGES = re.compile(r"\d ?(?:\(\d|[–-] ?\d)")  # issue numbers and pages: ``29(6)``, ``219–231``
_LONGEST_HALF = 120  # maximum number of characters of half a reference on separate lines
# A line break is deliberate if the line and the next word together are shorter than this share of
# the longest line.
_FITS = 0.85
# number of characters from which a line without a year does not count for the width of lines
_PROSE = 110
_UNWRAPPED = 160  # minimum length of a line of a text that is not wrapped


def starts_of(lines: Sequence[TextLine]) -> list[int]:
    """Return the indexes of the lines of a block at which references begin. They are found by
    fields with labels, by indents, or by line ends.
    """
    fields = sum(is_field(line.text) for line in lines)
    if fields > 1 and described([line.text for line in lines]):
        names = [FIELD.match(line.text) for line in lines]
        first = next(match[1] for match in names if match).lower()
        again = [place for place, match in enumerate(names) if match and match[1].lower() == first]
        return sorted({0, *again[1:]})
    least = min(line.indent for line in lines)
    indented = [place for place, line in enumerate(lines) if line.indent > least]
    if indented:
        outer = [place for place in range(len(lines)) if place not in indented]
        return outer if 0 in outer else sorted({0, *indented})
    return _whole(lines, _line_starts(lines))


def _whole(lines: Sequence[TextLine], starts: Sequence[int]) -> list[int]:
    """Return ``starts`` without those that would cut a reference in two.

    This is assumed in two cases. In the first case, the second part has no people, and the first
    part has people and a year without a title, or people and a title without a venue. In the second
    case, the second part has neither people nor a title.
    """
    kept, before = [0], ""
    for place, end in pairwise([*starts, len(lines)]):
        text = " ".join(line.text for line in lines[place:end])
        if place and (is_half(before, text) or _is_rest(before, text)):
            before = f"{before} {text}"
        else:
            kept += [place] if place else []
            before = text
    return kept


def is_half(before: str, text: str) -> bool:
    """Return whether ``text`` is the second half of a reference whose first half is ``before``."""
    if min(len(before), len(text)) > _LONGEST_HALF:
        return False
    begins = begins_with_people(text) or is_reference_string(text)
    ends_in_year = _ENDS_IN_YEAR.search(before)
    if begins and not ends_in_year:
        return False
    first, _ = best_reading(before)
    if not first.authors or (begins and first.title):
        return False
    second, _ = best_reading(text)
    if first.venue:  # the text may be people before a year
        return bool(ends_in_year and not first.title and second.title and not second.authors)
    is_new = second.authors and ((first.title and second.title) or _ENDS_IN_YEAR.search(text))
    is_rest = is_dated(text) or (first.year and _PAGES.search(text))
    return bool(is_rest if first.title else ends_in_year) and not is_new


def _is_rest(before: str, text: str) -> bool:
    """Return whether ``text`` has only venue, pages and year, while ``before`` has people."""
    begins = begins_with_people(text) and not _JOURNAL.match(text)
    if len(text) > _LONGEST_HALF or begins:
        return False
    return bool(best_reading(before)[0].authors) and not best_reading(text)[0].title


def _begins(text: str) -> bool:
    """Return whether ``text`` certainly does not continue a reference: it begins a reference, or is
    a sentence of a mail.
    """
    text = BARE.sub("", text)
    return begins_with_people(text) or is_reference_string(text) or is_sentence(text)


def is_open(text: str) -> bool:
    """Return whether a quotation or a bracket in ``text`` is not closed, or ``text`` ends in words
    such as ``In:``, after which it must continue.
    """
    unclosed = any(text.count(opening) > text.count(closing) for opening, closing in _PAIRS)
    return unclosed or _ENDS_OPEN.search(text[-_LONGEST_END:]) is not None


def _line_starts(lines: Sequence[TextLine]) -> list[int]:
    """Return the indexes of the lines that begin a reference, judging by line ends. A line break is
    deliberate if the next word would have fitted into the line.
    """
    dated = [is_dated(line.text) for line in lines]
    lengths = [len(line.text) for line in lines]
    references = (
        length for length, known in zip(lengths, dated, strict=True) if known or length < _PROSE
    )
    width = max(references, default=max(lengths))
    titles = not any(dated) and not any(GOES_ON.match(line.text) for line in lines[1:])
    unwrapped = width >= _UNWRAPPED or titles
    sure, possible = {0}, [0]
    for place, (before, line) in enumerate(pairwise(lines), start=1):
        if GOES_ON.match(line.text):
            continue
        word = line.text.split(maxsplit=1)[0]
        fits = unwrapped or len(before.text) + 1 + len(word) < _FITS * width
        is_cut = is_open(before.text)
        is_dated_end = before.text.endswith((".", ")")) and dated[place - 1]
        is_whole = is_dated_end and (is_cut or not fits) and _begins(line.text)
        if is_cut and not is_whole:
            continue
        ended = ENDS.search(before.text) or (is_lead(before.text) and not dated[place - 1])
        if fits or is_whole or (ended and _begins(line.text)):
            sure.add(place)
        if fits or is_whole or ended:
            possible.append(place)
    starts = [0]
    for place, end in pairwise([*possible[1:], len(lines)]):
        if place in sure or (any(dated[starts[-1] : place]) and any(dated[place:end])):
            starts.append(place)
    ends = [*starts[1:], len(lines)]
    with_year = [any(dated[start:end]) for start, end in zip(starts, ends, strict=True)]
    if not any(with_year) or sum(with_year) * 2 > len(starts):
        return starts
    dated_ones = [start for start, known in zip(starts, with_year, strict=True) if known]
    if dated_ones == [starts[-1]]:
        whole = is_like_reference(" ".join(line.text for line in lines[starts[-1] :]))
    else:
        whole = len(dated_ones) == 1 or any(_begins(lines[start].text) for start in dated_ones)
    if whole:
        return starts
    # the title, the people and the venue of each reference are on separate lines
    return [0, *(start for start, before in zip(starts[1:], with_year, strict=False) if before)]
