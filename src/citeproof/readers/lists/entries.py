"""Group the lines of a reference list into entries.

The first line of each entry is found by the first of these methods that fits the whole list:

1. by labels: ``[1]``, ``12.``, ``[Knu84]``;
2. by indents: the first line of an entry begins further left, or further right, than the other
   lines;
3. by wider gaps above first lines;
4. by short lines, ends of sentences, names of people and years.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from citeproof.readers.lists import Line, goes_on
from citeproof.readers.lists.line_breaks import GOES_ON, PARTICLE, is_half
from citeproof.readers.lists.sections import begins_entry, near_texts
from citeproof.readers.lists.text_lines import UP

_NUMBERS = (
    re.compile(r"\[\s*(\d{1,4})\s*\]\s*"),
    re.compile(r"\((\d{1,4})\)\s+"),
    re.compile(r"(\d{1,4})[.)]\s+"),
    re.compile(
        r"(?!(?:1[5-9]|20)\d\d)(\d{1,4})(?:\s+(?=\W?[^\W\d_])|(?=[^\W\d_a-z](?:\.|[^\W\dA-Z_])))"
    ),
)
"""Regexes for the number before an entry: ``[1]``, ``(1)``, ``1.``, ``1``, and a raised number, as
in ``12D. Knuth`` and ``12Knuth``.

A year at the beginning of an entry is not such a number: ``2014 Lee, Ann``.
"""
_NAMED = re.compile(r"\[([^\[\]]{2,60})\]\s*")
_YEARS = re.compile(r"\d{2,4}[a-z]?$|\d{4}")
# number of lines at the beginning of a list from which the method of grouping is chosen
_EXAMINED = 80
_FEWEST = 3  # minimum number of labels for a list to be split at labels
_GAP = 4  # maximum difference between consecutive labels, because labels may be unreadable
_NEAR = 5  # maximum number of lines between a label and the same number in an entry
_EDGE = 2.6  # maximum difference in points between left edges that count as equal
_DEEPEST = 60.0  # maximum indent of a line in points
_YEAR_OR_SUBSTITUTE = re.compile(
    r"\b(?:1[6-9]|20)\d\d[a-z]?\b|https?:|\bdoi\b|arxiv|\bn\.\s?d\.|in press|to"
    r" appear|forthcoming|submitted",
    re.IGNORECASE,
)
# Minimum gap above an entry. The first number is a multiple of the usual gap. The second number is
# for gaps after lines that end a sentence: the points by which these are wider than the usual gap.
_WIDE, _HARDLY_WIDER = 1.25, 1.0
# minimum space after a short line, as a multiple of the estimated width of the next word
_SURELY = 1.3
_DATED_WITHIN = 8
_SHORTEST, _LONGEST = 25, 2500  # minimum and maximum number of characters of an entry
Starts = dict[int, tuple[str, int]]
"""Map from the index of the first line of each entry to the entry's label and the number of
characters that the label takes up.
"""
_PERSON = re.compile(
    rf"(?i:{PARTICLE} +){{0,2}}"
    r"(?:[^\W\d_][\w'’.-]*(?:\s+[^\W\d_][\w'’-]*){0,2},\s+(?:[^\W\d_]\.|[^\W\d_][\w'’-]+)|"
    r"(?:[^\W\d_]\.[ -]?){1,3}\s*[^\W\d_][\w'’-]+|"
    rf"[^\W\d_][\w'’-]+\s+{UP}(?:[ -]?{UP}){{0,2}}(?:[,.;]|\s+et\s+al\b))"
)
_SENTENCE_END = re.compile(
    r"(?<!\b[A-Z]\.)(?<=[.?!)\]\d/”\"])$|https?://\S+$|(?<!\S)(?=\S*\d\d)(?=\S*[/._(-])\S{6,}$"
)
"""Regex for the end of a sentence or of a URL. Initials at the end of a line do not match."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The lines of one entry."""

    lines: tuple[Line, ...]
    # label, such as ``12`` or ``Knu84``, which was removed from ``lines``; empty without a label
    label: str = ""


def split_entries(lines: Sequence[Line]) -> list[Entry]:
    """Return the entries of the reference list ``lines``. Text that follows the list, such as an
    appendix, is left out.
    """
    if not lines:
        return []
    beginning = lines[:_EXAMINED]
    way = next(
        (way for way in (_by_numbers, _by_labels) if way(beginning)), None
    ) or _way_of_indent(beginning)
    starts = way(lines) if way else (_by_gap(beginning) and _by_gap(lines)) or _by_text(lines)
    lines = _with_stops(lines, starts)
    entries = []
    for place, following in pairwise([*sorted({0, *starts}), len(lines)]):
        label, length = starts.get(place, ("", 0))
        first = lines[place]._replace(text=lines[place].text[length:].lstrip())
        entries.append(Entry((first, *lines[place + 1 : following]), label))
    return entries[: _count_before_other_text([entry_text(entry) for entry in entries])]


def _with_stops(lines: Sequence[Line], starts: Collection[int]) -> Sequence[Line]:
    """Add a full stop to those lines inside entries at which a line break stands for a full stop,
    such as a line of authors before a line with the title.

    These lines are short, or have a wide gap below them. Nothing is added if less than half of the
    entries have such a line. ``starts`` has the indexes of the first lines of entries.
    """
    gaps, usual = _gaps(lines)
    wide = {place for place, gap in enumerate(gaps, 1) if gap and gap > usual * _WIDE}
    broken = {
        place
        for place in (_behind_short_lines(lines) | wide).difference(starts)
        if lines[place - 1].text[-1:].isalpha() and lines[place].text[:1].isupper()
    }
    if len({sum(start <= place for start in starts) for place in broken}) * 2 < len(starts):
        return lines
    return [
        line._replace(text=f"{line.text}.") if place in broken else line
        for place, line in enumerate(lines, start=1)
    ]


def entry_text(entry: Entry) -> str:
    """Return the lines of an entry, joined by spaces. Hyphens at the ends of lines are kept."""
    return _joined(entry.lines)


def _joined(lines: Sequence[Line]) -> str:
    return " ".join(line.text for line in lines)


def _count_before_other_text(texts: Sequence[str]) -> int:
    """Return the number of texts at the beginning of ``texts`` that are entries, before text that
    is not in the list, such as an appendix or a table.

    The other text begins with three texts in a row that are too short, too long or without a year.
    In addition, from these three to the end, fewer than a third of the texts look like references.
    """
    possible = [
        _SHORTEST <= len(text) <= _LONGEST and _YEAR_OR_SUBSTITUTE.search(text) is not None
        for text in texts
    ]
    left = sum(possible)
    for place, is_possible in enumerate(possible):
        rest = len(possible) - place
        if (
            not is_possible
            and not any(possible[place : place + 3])
            and rest >= 3
            and left * 3 < rest
        ):
            return place
        left -= is_possible
    return len(texts)


def _by_numbers(lines: Sequence[Line]) -> Starts:
    """Return the lines that begin with consecutive numbers, which are labels. The result is empty
    if too few lines begin with labels.
    """
    best: Starts = {}
    for pattern in _NUMBERS:
        found = _at_the_edge(
            {
                place: match
                for place, line in enumerate(lines)
                if (match := pattern.match(line.text))
            },
            lines,
        )
        run = counting([(place, int(match[1])) for place, match in found.items()])
        if len(run) > len(best):
            best = {place: (str(int(found[place][1])), found[place].end()) for place in run}
    return best if len(best) >= max(_FEWEST, len(lines) / 12) else {}


def _at_the_edge(
    found: dict[int, re.Match[str]], lines: Sequence[Line]
) -> dict[int, re.Match[str]]:
    """Return ``found``, a map from line index to label, without numbers inside entries that look
    like labels: ``No`` / ``3. Pp. 4``.

    Such a number has a different indent than most labels, and the same number is near it at the
    usual indent.
    """
    if not found:
        return found
    depths = _depths(lines)
    usual = Counter(round(depths[place]) for place in found).most_common(1)[0][0]
    edge = [place for place in found if abs(depths[place] - usual) <= _EDGE]
    seen = {(found[place][1], place + step) for place in edge for step in range(-_NEAR, _NEAR + 1)}
    return {
        place: match
        for place, match in found.items()
        if abs(depths[place] - usual) <= _EDGE or (match[1], place) not in seen
    }


def counting(numbered: Sequence[tuple[int, int]]) -> list[int]:
    """Return the indexes of the longest increasing sequence in ``numbered``, which has pairs of
    index and number.

    In the sequence, each number is 1 to 4 higher than the previous number. If the sequence begins
    with 1, the result also contains sequences before and after it that begin with 1.

    >>> counting([(0, 1), (2, 2), (3, 1999), (4, 3)])  # 1999 is a year at the beginning of a line
    [0, 2, 4]
    >>> # The second list is that of a supplement.
    >>> counting([(0, 1), (1, 2), (2, 3), (3, 4), (4, 1), (5, 2), (6, 3)])
    [0, 1, 2, 3, 4, 5, 6]
    """
    run = _longest_run(numbered)
    numbers = dict(numbered)
    if not run or numbers[run[0]] != 1:
        return run
    before = _longest_run([pair for pair in numbered if pair[0] < run[0]])
    behind = _longest_run([pair for pair in numbered if pair[0] > run[-1]])
    runs = [
        other if len(other) >= _FEWEST and numbers[other[0]] == 1 else []
        for other in (before, behind)
    ]
    return [*runs[0], *run, *runs[1]]


def _longest_run(numbered: Sequence[tuple[int, int]]) -> list[int]:
    if all(following == number + 1 for (_, number), (_, following) in pairwise(numbered)):
        return [place for place, _ in numbered]
    longest: list[int] = []
    lengths: list[int] = []
    before: list[int] = []
    last_with: dict[int, int] = {}
    for index, (_, number) in enumerate(numbered):
        steps = ((step, last_with.get(number - step, -1)) for step in range(1, _GAP + 1))
        score, previous = max(
            [(lengths[at] * 10 - step, at) for step, at in steps if at >= 0], default=(0, -1)
        )
        lengths.append(lengths[previous] + 1 if score else 1)
        before.append(previous)
        if lengths[index] >= lengths[last_with.setdefault(number, index)]:
            last_with[number] = index
    at = max(range(len(lengths)), key=lengths.__getitem__, default=-1)
    while at >= 0:
        longest.append(numbered[at][0])
        at = before[at]
    return longest[::-1]


def _by_labels(lines: Sequence[Line]) -> Starts:
    """Return the lines that begin with a label in brackets that ends in a year: ``[Knu84]``,
    ``[Knuth 1984]``.
    """
    found = {
        place: (match[1].strip(), match.end())
        for place, line in enumerate(lines)
        if (match := _NAMED.match(line.text)) and _YEARS.search(match[1].strip("()"))
    }
    return found if len(found) >= max(_FEWEST, len(lines) / 12) else {}


def _way_of_indent(lines: Sequence[Line]) -> Callable[[Sequence[Line]], Starts] | None:
    """Return a function that finds the first line of each entry by the indents of lines. None if
    the indents are irregular.
    """
    depths = _depths(lines)
    inside = [depth for depth in depths if _EDGE <= depth <= _DEEPEST]
    if len(inside) * 5 < len(lines) or (len(lines) - len(inside)) * 12 < len(lines):
        return None
    usual = Counter(round(depth) for depth in inside).most_common(1)[0][0]
    if sum(abs(depth - usual) <= _EDGE for depth in inside) * 10 < len(inside) * 6:
        return None
    behind_sentence: dict[bool, list[bool]] = {True: [], False: []}
    for before, depth in zip(lines, depths[1:], strict=False):
        behind_sentence[depth >= _EDGE].append(ends_sentence(before))
    shares = {side: sum(ends) / max(1, len(ends)) for side, ends in behind_sentence.items()}
    indented = shares[True] > shares[False]
    return lambda lines: {
        place: ("", 0) for place, depth in enumerate(_depths(lines)) if (depth >= _EDGE) is indented
    }


def _depths(lines: Sequence[Line]) -> list[float]:
    """Return the indent of each line in points: the distance from the left edge of its column to
    its left end.

    If a column has at most three lines, the left edge of the same column on other pages is used.
    """
    lefts: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for line in lines:
        lefts[line.number, line.column].append(line.left)
    own = {place: _leftmost(values) for place, values in lefts.items()}
    edges = own.copy()
    for place, edge in own.items():
        usual = min(
            (own[other] for other in own if other[1] == place[1] and len(lefts[other]) > _FEWEST),
            default=edge,
        )
        if len(lefts[place]) <= _FEWEST and 0 < edge - usual < _DEEPEST:
            edges[place] = usual
    return [line.left - edges[line.number, line.column] for line in lines]


def _leftmost(lefts: Sequence[float]) -> float:
    """Return the x coordinate of the left edge of a column in points. This is the smallest of
    ``lefts``, the left ends of the lines, that enough lines share.
    """
    return _least_shared(lefts, _EDGE, max(1, min(2, len(lefts) // 8), len(lefts) // 25))


def _least_shared(values: Sequence[float], within: float, enough: int) -> float:
    """Return the smallest of ``values`` that has at least ``enough`` values, including itself, less
    than ``within`` away from it.

    If there is no such value, return the smallest value.
    """
    shared = (
        value
        for value in sorted(values)
        if sum(abs(other - value) < within for other in values) >= enough
    )
    return next(shared, min(values))


def _gaps(lines: Sequence[Line]) -> tuple[list[float | None], float]:
    """Return the distance from each line to the next line, and the usual distance, both in points.

    A distance is None at the end of a column. The usual distance is 0 if too few distances are
    known.
    """
    gaps = [
        (
            above.bottom - line.bottom
            if (above.number, above.column) == (line.number, line.column)
            else None
        )
        for above, line in pairwise(lines)
    ]
    known = sorted(gap for gap in gaps if gap and gap > 0)
    is_known = len(known) >= _FEWEST
    return gaps, _least_shared(known, 0.5, max(2, len(known) // 8)) if is_known else 0.0


def _by_gap(lines: Sequence[Line]) -> Starts:
    """Return the lines below a gap that is wider than usual, and the lines at the top of a column
    that begin an entry.

    If only few gaps are clearly wider, gaps that are slightly wider are used too, provided that
    nearly all of them follow the end of a sentence.
    """
    gaps, usual = _gaps(lines)
    if not usual:
        return {}
    wide = {place + 1 for place, gap in enumerate(gaps) if gap and gap > usual * _WIDE}
    if len(wide) < 2 or len(wide) * 12 < len(lines):
        wide = {place + 1 for place, gap in enumerate(gaps) if gap and gap > usual + _HARDLY_WIDER}
        ends = sum(ends_sentence(lines[place - 1]) for place in wide)
        if len(wide) * 12 < len(lines) or ends * 10 < len(wide) * 9:
            return {}
    turned = {
        place + 1 for place, gap in enumerate(gaps) if gap is None and ends_sentence(lines[place])
    }
    named = {place for place in wide | turned if _PERSON.match(lines[place].text)}
    if len(named & wide) * 10 > len(wide) * 6:
        turned &= named
    return dict.fromkeys({0} | wide | turned, ("", 0))


def _by_text(lines: Sequence[Line]) -> Starts:
    """Return the lines at which entries begin, in a list that has no labels and whose indents and
    gaps do not show the entries.

    The line before an entry ends a sentence, or is so short that the first word of the entry would
    have fitted into it. In addition, the entry begins with names, and there is a year both before
    and after its beginning. If the line before is short and also ends a sentence, either the names
    or the years are enough.
    """
    is_dated = [_YEAR_OR_SUBSTITUTE.search(line.text) is not None for line in lines]
    short = _behind_short_lines(lines)
    ended = {
        place
        for place, (before, line) in enumerate(pairwise(lines), start=1)
        if ends_sentence(before) and not goes_on(before.text, line.text)
    }
    starts = [0]
    for place, end in pairwise([*sorted(ended | short), len(lines)]):
        dated = any(is_dated[starts[-1] : place]) and any(is_dated[place : place + _DATED_WITHIN])
        named = _is_named(lines, place)
        is_new = (named or dated) if place in ended & short else (named and dated)
        if is_new and not is_half(_joined(lines[starts[-1] : place]), _joined(lines[place:end])):
            starts.append(place)
    return dict.fromkeys(starts, ("", 0))


def _is_named(lines: Sequence[Line], place: int) -> bool:
    text = lines[place].text
    return not GOES_ON.match(text) and bool(
        _PERSON.match(text) or begins_entry(text, near_texts(lines, place))
    )


def _behind_short_lines(lines: Sequence[Line]) -> set[int]:
    """Return the indexes of the lines whose first word would have fitted into the previous line."""
    ends = [
        depth + line.right - line.left for depth, line in zip(_depths(lines), lines, strict=True)
    ]
    width = -_leftmost([-end for end in ends])
    letters = [(line.right - line.left) / max(1, len(line.text)) for line in lines]
    return {
        place
        for place in range(1, len(lines))
        if width - ends[place - 1]
        > _SURELY * letters[place] * len(f"{lines[place].text.partition(' ')[0]} ")
    }


def ends_sentence(line: Line) -> bool:
    """Return whether a sentence or a URL ends at the end of ``line``."""
    return not line.broken_word and _SENTENCE_END.search(line.text) is not None
