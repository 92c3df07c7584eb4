"""How much of a volume the database holds, estimated from the volume's own records.

There are three estimators, the surest first. The one that was used is stored as the *basis*.

``pages``     The share of the page range that the records cover.
              Records on pages 1-10 and 21-30 cover 20 of 30 pages; one more paper may follow, so 20/30 * 2/3 = 0.44.
``articles``  The share of the article numbers that are there.
              ``1:1-1:14``, ``2:1-2:9`` and ``4:1-4:3`` are 3 of 4 articles, so 3/4 * 3/4 = 0.56.
``keys``      For volumes without pages. DBLP's key holds the authors' initials, and a letter for each further paper of
              the same ones. ``ZhangLL22`` and ``ZhangLL22b`` without ``ZhangLL22a`` tell of a missing paper: 1 letter
              of 2 is there. The letters are few, so 20 more are assumed as the paged volumes of about the same size
              and time have them: where those are 0.9 complete, (1 + 20 * 0.9) / (2 + 20) = 0.86. A stretch of the
              alphabet without papers is taken off: it is a part of the dump that was not loaded.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

PAGED_SHARE = 0.9
"""Pages speak for a volume when this share of its records has them."""
PRIOR_KEYS = 20
"""How many observed letters the other volumes of the database weigh as much as."""
_BINS = "0ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_HOLE = 0.25
"""A stretch of the alphabet with less than this share of what it should have is a hole."""
_EXPECTED = 8
"""A letter must be expected this often for its absence to be more than chance."""
_YEARS_NEAR = 5
_STRAY = 0.01
"""At most this share of the records may stand behind a jump of a quarter of the range, as misprints do."""
_ANEW = 0.01
"""More papers than this share of a volume that begin on page 1, and more than two, are no running pages."""
_LONGEST = 5
"""A paper covers at most so many times the median length: ``1000-7000`` is a misprint, not six thousand pages held."""
_PAGES = re.compile(r"^(?:(\d+)(?:-(\d+))?$|(\d+):\d+)", re.MULTILINE)
"""Pages, or the number of an article, in a line each."""
_KEY = re.compile(r"(.*?\d\d)([a-z]?)$")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A completeness, 0 to 1, with what it rests on."""

    completeness: float
    basis: str


def from_pages(pages: Sequence[str | None]) -> Estimate | None:
    """Estimate from page ranges or article numbers; None when too few records state any."""
    ranges, articles = [], set()
    for first, last, article in _PAGES.findall("\n".join(filter(None, pages))):
        if article:
            articles.add(int(article))
        elif 0 < int(first) <= int(last or first):
            ranges.append((int(first), int(last or first)))
    enough = PAGED_SHARE * len(pages)
    if len(articles) >= enough > 0:
        return Estimate(len(articles) / max(articles) * _to_the_end(len(pages)), "articles")
    if len(ranges) >= enough > 0 and not _each_from_one(ranges):
        return Estimate(_covered(_cut(sorted(ranges))) * _to_the_end(len(pages)), "pages")
    return None


def _each_from_one(ranges: Sequence[tuple[int, int]]) -> bool:
    """Whether papers are paged one by one: of ``1-8``, ``1-7``, ``1-8`` none tells what else is in the volume."""
    return sum(first == 1 for first, _ in ranges) > max(2, _ANEW * len(ranges))


def _cut(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ``ranges`` with what is longer than a paper can be cut to that."""
    longest = _LONGEST * sorted(last - first + 1 for first, last in ranges)[len(ranges) // 2]
    return [(first, min(last, first + longest - 1)) for first, last in ranges]


def _to_the_end(records: int) -> float:
    """Return the share of a volume that ``records`` are, when one more paper may follow behind the last of them.

    It makes a volume of less than 19 records incomplete, however gapless: a single paper on pages 1-8 is no volume.
    """
    return records / (records + 1)


@dataclass(frozen=True, slots=True)
class KeyEvidence:
    """What the keys of a volume tell about it."""

    seen: int
    """Letters that are there, of all that must have been given."""
    expected: int
    initials: dict[str, float]
    """Share of each initial that there is."""
    records: int


def evidence_of_keys(keys: Sequence[str], siblings: Iterable[str]) -> KeyEvidence:
    """Read the last parts of DBLP's keys; ``siblings``, those of the whole stream, share one sequence of letters."""
    here = {_base(key)[0] for key in keys}
    letters: defaultdict[str, set[int]] = defaultdict(set)
    for key in siblings:
        base, number = _base(key)
        if base in here:
            letters[base].add(number)
    expected = sum(max(numbers) for numbers in letters.values())
    seen = sum(len(numbers) - 1 for numbers in letters.values())
    return KeyEvidence(min(seen, expected), expected, spread_of(keys), len(keys))


def from_keys(evidence: KeyEvidence, prior: float, spread: dict[str, float]) -> Estimate:
    """Weigh the letters against ``prior``, and take off what is a hole in the alphabet.

    ``prior`` is the mean completeness of comparable volumes with pages, ``spread`` the share of each
    initial among the keys of all volumes.
    """
    by_letters = (evidence.seen + PRIOR_KEYS * prior) / (evidence.expected + PRIOR_KEYS)
    holes = sum(
        share
        for letter, share in spread.items()
        if evidence.initials.get(letter, 0.0) < _HOLE * share and share * evidence.records >= _EXPECTED
    )
    return Estimate(by_letters * (1.0 - holes) * _to_the_end(evidence.records), "keys")


def spread_of(keys: Iterable[str]) -> dict[str, float]:
    """Return the share of each initial that there is among ``keys``."""
    counts = Counter(map(_initial, keys))
    return {letter: counts[letter] / counts.total() for letter in sorted(counts)}


def _covered(ranges: list[tuple[int, int]]) -> float:
    """Return the share of ``1..end`` that sorted ranges cover, where ``end`` is the last page but for misprints.

    Of 200 papers on pages 1 to 2000 and one on 41172-41176, the last is a misprint, and ``end`` is 2000.
    """
    end = ranges[-1][1]
    for index in range(len(ranges) - 1, len(ranges) - 1 - int(len(ranges) * _STRAY), -1):
        before = max(last for _, last in ranges[max(0, index - 50) : index])
        if ranges[index][0] - before > end / 4:
            ranges, end = ranges[:index], before
    covered = reached = 0
    for first, last in ranges:
        if last > reached:
            covered += last - max(first, reached + 1) + 1
            reached = last
    return covered / max(end, reached)


def _base(key: str) -> tuple[str, int]:
    """Split ``ZhangLL22b`` into ``ZhangLL22`` and 2; no letter counts as 0."""
    found = _KEY.match(key)
    if not found:
        return key, 0
    return found[1], ord(found[2]) - ord("a") + 1 if found[2] else 0


def _initial(key: str) -> str:
    first = key[:1].upper()
    return first if first in _BINS else "0"


class Prior:
    """The mean completeness of volumes with pages that are of a size and time with a given one."""

    def __init__(self, paged: Iterable[tuple[int, int, float]]) -> None:
        """``paged`` holds year, number of records and completeness of every volume with pages."""
        self._paged = sorted(paged)
        self._near: dict[int, tuple[list[int], list[float], list[int]]] = {}

    def mean(self, year: int, records: int) -> float:
        """Return the mean over volumes at least half as large and at most five years away; with none, 0."""
        if year not in self._near:
            self._near[year] = self._years_near(year)
        sizes, complete, total = self._near[year]
        index = bisect_left(sizes, records / 2)
        return complete[index] / total[index] if total[index] else 0.0

    def _years_near(self, year: int) -> tuple[list[int], list[float], list[int]]:
        """Return sizes in rising order with, for each, the sums over it and all larger ones."""
        low = bisect_left(self._paged, (year - _YEARS_NEAR,))
        high = bisect_left(self._paged, (year + _YEARS_NEAR + 1,))
        by_size = sorted([(records, completeness) for _, records, completeness in self._paged[low:high]])
        falling = by_size[::-1]
        complete = [*accumulate((records * completeness for records, completeness in falling), initial=0.0)]
        total = [*accumulate((records for records, _ in falling), initial=0)]
        return [records for records, _ in by_size], complete[::-1], total[::-1]
