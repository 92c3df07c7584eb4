"""Find the columns of pages, and put the lines in reading order, without running heads."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, compress, groupby, pairwise
from statistics import median

from citeproof.readers.formats.pdf.page import Page
from citeproof.readers.lists import Line

_MARGIN = 0.1  # height of the top and of the bottom margin, as a share of the page height
_NUMBER_ALONE = re.compile(
    r"[-–(\[]?\s*(?:\d{1,5}|[ivxlc]{1,7})\s*[-–)\]]?|(?:\w+ )?\d{1,4} ?(?:/|of|von|sur) ?\d{1,4}"
)
# maximum distance between lines of one text, as a multiple of the usual distance, and as a multiple
# of the line height
_NEAR, _NEVER_NEAR = 1.15, 1.8
_PRINTED = re.compile(r"file://.*|\d{1,2}[/.]\d{1,2}[/.]\d{2,4},? \d{1,2}:\d\d(?: [AP]M)?\b.*")
"""Regex for texts that browsers print at the edges of a page: date and time, or the name of a
file.
"""
_LABEL = re.compile(r"[\[(]?\d{1,4}[\]).]?")
_MOST_LABELS = 500  # maximum number of lines with only a label on a page
_DEEPEST = 40.0  # maximum gap between a label and its entry in points
_STEP = 2  # step in points between the x positions that are examined in the search for columns
# maximum share of a page's lines, such as headings, that may cross a gap between columns
_CROSSED = 0.08
_REACHES = 24.0  # maximum distance in points by which a line may extend into the next column
_HOLDS = 0.12  # minimum share of the page's lines that a column must contain
# minimum number of lines of a shorter last column, and maximum number of lines that cross the gap
# before it
_FEWEST, _STRAY = 4, 2
_NARROW = 0.55  # maximum width of the lines of a column, as a share of the page width
# regex for a rule that is drawn with characters
_RULE = re.compile(r"[\s_=~*.·─━—–-]{5,}")


def reading_order(pages: Sequence[Page]) -> list[Line]:
    """Return the lines of ``pages`` in reading order, without page numbers and running heads."""
    repeated = _repeated(pages)
    ordered: list[Line] = []
    gutters: Sequence[float] = ()
    for page in pages:
        lines = _labelled([*_own_lines(page, repeated)])
        own = _gutters(page, lines)
        gutters = gutters if len(gutters) > len(own) and _are_kept(gutters, lines) else own
        ordered += _columns(lines, gutters)
    return ordered


def _are_kept(gutters: Sequence[float], lines: Sequence[Line]) -> bool:
    """Whether the page has the same columns as the previous page, whose gaps between columns are
    ``gutters``.

    This is so if there are lines to the right of the last gap, and hardly any line crosses a gap.
    In this way, even a last column of two lines is found.
    """
    crossed = (sum(line.left < gutter < line.right for line in lines) for gutter in gutters)
    return max(crossed) <= _STRAY and any(line.left >= gutters[-1] - 3 for line in lines)


def _labelled(lines: list[Line]) -> list[Line]:
    """Join each label, such as ``[1]``, that is drawn separately from its entry with the text to
    its right.
    """
    labels = {place: line for place, line in enumerate(lines) if _LABEL.fullmatch(line.text)}
    if not labels or len(labels) > _MOST_LABELS:
        return lines
    joined = dict(enumerate(lines))
    for place, label in labels.items():
        beside = (
            (line.left, other)
            for other, line in enumerate(lines)
            if other not in labels
            and abs(line.bottom - label.bottom) < label.height / 3
            and 0 <= line.left - label.right < _DEEPEST
        )
        if (found := min(beside, default=None)) and (line := joined.get(found[1])):
            joined[found[1]] = line._replace(text=f"{label.text} {line.text}", left=label.left)
            del joined[place]
    return list(joined.values())


def _shape(line: Line) -> str:
    """Return the text of ``line`` with ``#`` for each number, and without numbers at its ends."""
    return re.sub(r"^(?:# )+|(?: #)+$", "", re.sub(r"\d+", "#", line.text))


def _repeated(pages: Sequence[Page]) -> set[str]:
    """Return the texts that are repeated in the margins of pages, with ``#`` for each number, such
    as ``Journal of Snow # (#)``.
    """
    seen: defaultdict[str, set[int]] = defaultdict(set)
    for page in pages:
        for line in page.lines:
            if _in_margin(page, line):
                seen[_shape(line)].add(page.number)
    return {shape for shape, numbers in seen.items() if len(numbers) >= min(3, max(2, len(pages)))}


def _in_margin(page: Page, line: Line) -> bool:
    return line.bottom < page.height * _MARGIN or line.bottom + line.height > page.height * (
        1 - _MARGIN
    )


def _own_lines(page: Page, repeated: set[str]) -> Iterator[Line]:
    """Yield the lines of ``page`` without page furniture.

    Page furniture is a line at an edge of the page that does not touch the text, and that is a
    number or one of the texts ``repeated`` on other pages.
    """
    counted = _line_numbers(page)
    lines = [
        line
        for place, line in enumerate(page.lines)
        if place not in counted
        and not _RULE.fullmatch(line.text)
        and not (_in_margin(page, line) and _PRINTED.fullmatch(line.text))
    ]
    gaps = [gap for above, below in pairwise(lines) if (gap := above.bottom - below.bottom) > 0]
    near = _NEAR * median(gaps) if gaps else 0.0
    apart = [
        line
        for line in lines
        if _in_margin(page, line)
        and (_shape(line) in repeated or _NUMBER_ALONE.fullmatch(line.text))
    ]
    text = [line for line in lines if line not in apart]
    while text := [line for line in apart if any(_touches(line, one, near) for one in text)]:
        apart = [line for line in apart if line not in text]
    yield from (line for line in lines if line not in apart)


def _touches(line: Line, other: Line, near: float) -> bool:
    """Return whether one of the lines is above the other, and the distance between them is at most
    ``near`` points.
    """
    return (
        0 < abs(other.bottom - line.bottom) <= min(near, _NEVER_NEAR * line.height)
        and other.left < line.right
        and line.left < other.right
    )


def _line_numbers(page: Page) -> set[int]:
    """Return the indexes of the lines that consist only of a printed line number, as in manuscripts
    under review.
    """
    texts = [(place, line.text) for place, line in enumerate(page.lines)]
    alone = [(place, int(text)) for place, text in texts if len(text) <= 4 and text.isdecimal()]
    if len(alone) < 10:
        return set()
    steps = sum(second - first in {1, 5} for (_, first), (_, second) in pairwise(alone))
    return {place for place, _ in alone} if steps * 10 >= len(alone) * 7 else set()


def _columns(lines: list[Line], gutters: Sequence[float]) -> list[Line]:
    """Return ``lines`` column by column. ``gutters`` has the x positions of the gaps between
    columns. A line that spans several columns divides the page: all columns above it come first,
    then the line, then all columns below it.
    """
    if not gutters:
        is_shuffled = sum(
            below.bottom > above.bottom + 1 for above, below in pairwise(lines)
        ) * 10 > len(lines)
        return (
            sorted(lines, key=lambda line: (-round(line.bottom / 2), line.left))
            if is_shuffled
            else lines
        )
    is_wide = [_is_wide(line, lines, gutters) for line in lines]
    wide = sorted(compress(lines, is_wide), key=lambda line: -line.bottom)
    narrow = (line for line, is_across in zip(lines, is_wide, strict=True) if not is_across)
    bands: list[list[Line]] = [[], *([line] for line in wide)]
    placed = (
        line._replace(column=sum(line.left >= gutter - 3 for gutter in gutters)) for line in narrow
    )
    for line in sorted(placed, key=lambda line: (line.column, -line.bottom)):
        bands[sum(other.bottom > line.bottom for other in wide)].append(line)
    return [line for band in bands for line in band]


def _is_wide(line: Line, lines: Sequence[Line], gutters: Sequence[float]) -> bool:
    """Whether ``line`` spans several columns: it extends far beyond a gap of ``gutters`` into the
    next column, and no line of that column is at its height.
    """
    gutter = next(
        (gutter for gutter in gutters if line.left < gutter - 6 and line.right > gutter + 6), None
    )
    if gutter is None or line.right - gutter < _REACHES:
        return False
    beside = (
        other
        for other in lines
        if abs(other.bottom - line.bottom) < line.height and other is not line
    )
    return not any(other.left >= gutter - 6 for other in beside)


def _gutters(page: Page, lines: Sequence[Line]) -> list[float]:
    """Return the x positions, in points, of the gaps between the columns of ``page``, from left to
    right.

    The result is empty if there is a single column. If only a part of the page has columns, the
    narrow lines of this part show the gaps.
    """
    narrow = [line for line in lines if line.right - line.left < page.width * _NARROW]
    return _gaps(page, lines) or (_gaps(page, narrow) if 3 * len(narrow) > len(lines) else [])


def _gaps(page: Page, lines: Sequence[Line]) -> list[float]:
    if len(lines) < 8:
        return []
    crossing = _crossing(lines, range(int(page.width * 0.2), int(page.width * 0.8), _STEP))
    most = len(lines) * _CROSSED
    free = [
        list(run)
        for is_free, run in groupby(crossing, key=lambda x: crossing[x] <= most)
        if is_free
    ]
    crossed = {_middle(run, crossing): min(crossing[x] for x in run) for run in free}
    found = list(crossed)
    while found:
        edges = [0.0, *found, page.width]
        middles = [(line.left + line.right) / 2 for line in lines]
        held = [
            sum(first <= middle < second for middle in middles) for first, second in pairwise(edges)
        ]
        thin = [
            place
            for place, count in enumerate(held)
            if count < len(lines) * _HOLDS
            # the last column of a reference list may be short
            and (count < _FEWEST or place == 0 or crossed[found[place - 1]] > _STRAY)
        ]
        if not thin:
            return found
        # If long lines split one gap into two gaps, the gap that fewer lines cross is the gutter.
        beside = found[max(0, thin[0] - 1) : thin[0] + 1]
        found.remove(max(beside, key=crossed.__getitem__))
    return found


def _crossing(lines: Sequence[Line], places: range) -> dict[int, int]:
    """Return a map from each x position in ``places`` to the number of lines that cross it."""
    steps = [0] * (len(places) + 1)
    for line in lines:
        first, last = bisect_right(places, line.left), bisect_left(places, line.right)
        if first < last:
            steps[first] += 1
            steps[last] -= 1
    return dict(zip(places, accumulate(steps), strict=False))


def _middle(run: Sequence[int], crossing: Mapping[int, int]) -> float:
    """Return the x position in ``run`` that the fewest lines cross. ``crossing`` maps each position
    to the number of lines. If there are several such positions, return the middle of their longest
    run.
    """
    fewest = min(crossing[x] for x in run)
    parts = [
        list(part)
        for is_least, part in groupby(run, key=lambda x: crossing[x] == fewest)
        if is_least
    ]
    widest = max(parts, key=len)
    return (widest[0] + widest[-1]) / 2
