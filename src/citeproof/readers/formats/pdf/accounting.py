"""Account for the lines of the reference lists of a paper, and for references after the lists that
may be lost.
"""

import re
from collections.abc import Iterator, Sequence

from citeproof.model.account import Account, LineKind, Unread
from citeproof.readers.lists import Line
from citeproof.readers.lists.entries import Entry, ends_sentence
from citeproof.readers.lists.line_breaks import GOES_ON
from citeproof.readers.lists.sections import begins_entry, has_year, near_texts
from citeproof.readers.strings import begins_with_authors

_NUMBER = re.compile(r"[\[(]?(\d{1,4})[\]).]\s+(?=[^\W\d_a-z])")
_WATCHED = 60  # maximum number of lines after a list in which references are searched for
_GAP = 4  # maximum difference between the last number of a list and a number after the list
_QUOTED = 300  # maximum number of characters of an unread line


def account(
    file: str,
    lines: Sequence[Line],
    lists: Sequence[Sequence[Line]],
    split: Sequence[Sequence[Entry]],
) -> Account:
    """Return the account of the reference lists among ``lines``: what became of each of their
    lines.

    ``lists`` has the lines of each list, and ``split`` its entries. Lines between the entries, such
    as footnotes, are page furniture. Lines after a list are counted only if they look like
    references, because the list may continue there.
    """
    places = {id(line): place for place, line in enumerate(lines)}
    ends = [*(places[id(found[0])] for found in lists[1:]), len(lines)]
    unread: list[Unread] = []
    read = 0
    for found, entries, end in zip(lists, split, ends, strict=True):
        count = sum(len(entry.lines) for entry in entries)
        own = {id(line) for line in found[:count]}
        read += count
        first, last = (places[id(line)] for line in (found[0], found[count - 1]))
        unread += [
            _unread(file, line, LineKind.FURNITURE)
            for line in lines[first:last]
            if id(line) not in own
        ]
        behind = lines[last + 1 : min(end, last + 1 + _WATCHED)]
        lost = [*_inside(entries), *_going_on(behind, entries)]
        unread += [_unread(file, line, LineKind.UNKNOWN) for line in lost]
    return Account(file, sum(map(len, split)), read, tuple(unread))


def _inside(entries: Sequence[Entry]) -> Iterator[Line]:
    """Yield those lines inside entries without labels that look like the beginning of another
    entry.

    Such a line begins with authors, and the lines before it in the entry have a year and end a
    sentence.
    """
    for lines in (entry.lines for entry in entries if not entry.label):
        for place in range(1, len(lines)):
            if (
                ends_sentence(lines[place - 1])
                and any(has_year(line.text) for line in lines[:place])
                and not GOES_ON.match(lines[place].text)
                and begins_with_authors(lines[place].text)
                and begins_entry(lines[place].text, near_texts(lines, place))
            ):
                yield lines[place]


def _going_on(behind: Sequence[Line], entries: Sequence[Entry]) -> list[Line]:
    """Return those lines of ``behind``, the lines after a list, that begin further entries of this
    list.

    If the entries of the list have no numbers, lines with numbers belong to another list, such as
    the volumes of a series.
    """
    label = entries[-1].label if entries else ""
    last = int(label) if label.isdecimal() else 0
    found: list[Line] = []
    for place, line in enumerate(behind):
        number = _NUMBER.match(line.text)
        text = line.text[number.end() :] if number else line.text
        goes_on = (
            number is not None and last < int(number[1]) <= last + _GAP
            if last
            else number is None and begins_with_authors(text)
        )
        if goes_on and begins_entry(
            text if begins_with_authors(text) else line.text, near_texts(behind, place)
        ):
            found.append(line)
            last = int(number[1]) if last and number else last
    # After a list without numbers, a single line with a name is probably about one of the authors.
    return found if last or len(found) > 1 else []


def _unread(file: str, line: Line, kind: LineKind) -> Unread:
    lost = kind is LineKind.UNKNOWN
    return Unread(file, 0, kind, line.text[:_QUOTED], lost, line.number)
