"""Find references in the footnotes of a paper that has no reference list."""

import re
from collections.abc import Sequence
from itertools import groupby
from statistics import median

from citeproof.readers.lists import Line
from citeproof.readers.lists.entries import Entry, entry_text
from citeproof.readers.lists.sections import begins_entry

_SMALLER = 0.94  # maximum height of a footnote, as a multiple of the usual line height
_MARK = re.compile(r"(\d{1,3})[.)]?\s?(?=[^\d\s.,)])")
# regex for the words before a reference in a footnote: ``Vgl.``, ``See also``
_LEAD = re.compile(
    r"(?:vgl|cf|s|siehe|see|voir|so)\b\.?,?\s+(?:(?:auch|also|aussi|etwa|z\. ?B\.)\s+)?", re.I
)


def footnotes(lines: Sequence[Line]) -> list[Entry]:
    """Return the footnotes of a paper, which are small lines at the foot of a column. Their numbers
    continue through the paper, or begin with 1 on each page.
    """
    if not lines:
        return []
    usual = median(line.height for line in lines)
    found: list[list[Line]] = []
    labels: list[int] = []
    for _, column in groupby(lines, key=lambda line: (line.number, line.column)):
        small: list[Line] = []
        for line in column:
            small = [*small, line] if line.height < usual * _SMALLER else []
        for line in small:
            mark = _MARK.match(line.text)
            number = int(mark[1]) if mark else 0
            if mark and (number == 1 or (labels and number == labels[-1] + 1)):
                labels.append(number)
                found.append([line._replace(text=line.text[mark.end() :])])
            elif found:
                found[-1].append(line)
    return [Entry(tuple(note), str(label)) for note, label in zip(found, labels, strict=True)]


def naming_works(notes: Sequence[Entry]) -> list[Entry]:
    """Return those of the footnotes ``notes`` that begin with a reference. Words such as ``See``
    before the reference are removed.
    """
    named: list[Entry] = []
    for note in notes:
        first, *rest = note.lines
        lead = _LEAD.match(first.text)
        plain = Entry((first._replace(text=first.text[lead.end() if lead else 0 :]), *rest))
        text = entry_text(plain)
        if begins_entry(text, [text]):
            named.append(plain)
    return named
