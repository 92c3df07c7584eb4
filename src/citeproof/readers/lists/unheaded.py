"""Find a reference list without a heading: several lines close together begin as references do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.readers.strings.beginnings import begins_with_people

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.readers.lists.lines import Line

_LABEL = re.compile(r"\[\d{1,3}\]\s+[^\W\d_a-z]")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_DATED = re.compile(
    r"[^\W\d_a-z](?:(?!(?:[^\W\d_]{2}|\d)\.\s+(?!(?:19|20)\d\d[a-z]?\.\s))[^?!():;]){5,300}?"
    r"\.\s+(?:19|20)\d\d[a-z]?\.\s+[\"“']?[^\W\d_a-z]"
)
"""Regex of ``Donald Knuth and Ann Lee. 1984. The``, over several lines, with no other sentence before the date."""
_REACHES = 4
"""Number of lines within which an entry must have its year."""
_APART = 9
"""Maximum distance between first lines of entries, in lines."""
_FAR_APART = 40
"""Maximum distance once the list has begun, in lines: a figure may come between two entries."""
_FEWEST = 5
"""Minimum number of entries in a list: running text rarely begins five lines with names."""


def beginning(lines: Sequence[Line]) -> int | None:
    """Return the index of the first line of the last list without a heading; None if there is none."""
    begin, last, count = 0, -_FAR_APART, 0
    found: int | None = None
    for place, line in enumerate(lines):
        if not _begins_entry(line.text, [near.text for near in lines[place : place + _REACHES]]):
            continue
        if place - last > (_FAR_APART if count >= _FEWEST else _APART):
            begin, count = place, 0
        last, count = place, count + 1
        if count >= _FEWEST:
            found = begin
    return found


def _begins_entry(line: str, near: Sequence[str]) -> bool:
    if _LABEL.match(line) or begins_with_people(line):
        return any(map(_YEAR.search, near))
    return _DATED.match(" ".join(near)) is not None
