"""Estimate the completeness of a volume, the share of its papers in the database, from the volume's own records.

There are three estimators, the most reliable first. The name of the estimator that was used is stored as the *basis*.

``pages``     The share of the page range that the records cover.
              Records on pages 1-10 and 21-30 cover 20 of 30 pages; one more paper may follow, so 20/30 * 2/3 = 0.44.
``articles``  The share of the article numbers that the records have.
              ``1:1-1:14``, ``2:1-2:9`` and ``4:1-4:3`` are 3 of 4 articles, so 3/4 * 3/4 = 0.56.
``keys``      For volumes without pages. DBLP's key has the authors' initials, and a *key letter* for each further paper
              with the same initials. ``ZhangLL22`` and ``ZhangLL22b`` without ``ZhangLL22a`` show that a paper is
              missing: 1 key letter of 2 is present. Because that is little evidence, 20 more key letters are assumed,
              as complete as *paged* volumes (volumes with pages) of similar size and time: if these are 0.9 complete,
              (1 + 20 * 0.9) / (2 + 20) = 0.86. If hardly any keys begin with some letter, its usual share is
              subtracted, because that part of the dump was not loaded.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

_PAGED_SHARE = 0.9  # minimum share of records with pages, or with article numbers, for an estimate from these
_PRIOR_KEYS = 20  # number of further key letters that are assumed for each volume
_BINS = "0ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_HOLE = 0.25  # maximum share of the expected papers of an initial letter for counting this letter as not loaded
_EXPECTED = 8  # minimum expected papers of an initial letter whose absence is not explained by chance
_YEARS_NEAR = 5
_MISPRINTS = 0.01  # maximum share of records that count as misprints, as they follow a jump by 1/4 of the page range
_ON_PAGE_1 = 0.01  # maximum share of papers that begin on page 1 in a volume with continuous pages, besides two papers
_LONGEST = 5  # maximum length of a paper in median lengths: ``1000-7000`` is a misprint, not six thousand pages
_PAGES = re.compile(r"^(?:(\d+)(?:-(\d+))?$|(\d+):\d+)", re.MULTILINE)  # regex of a line: pages, or article number
_KEY = re.compile(r"(.*?\d\d)([a-z]?)$")


class Estimate(NamedTuple):
    """An estimated completeness, 0 to 1, and the name of the estimator."""

    completeness: float
    basis: str


def from_pages(pages: Sequence[str | None]) -> Estimate | None:
    """Return the estimate from page ranges or article numbers; None if too few records have them."""
    ranges, articles = [], set()
    for first, last, article in _PAGES.findall("\n".join(filter(None, pages))):
        if article:
            articles.add(int(article))
        elif 0 < int(first) <= int(last or first):
            ranges.append((int(first), int(last or first)))
    enough = _PAGED_SHARE * len(pages)
    if len(articles) >= enough > 0:
        return Estimate(len(articles) / max(articles) * _to_the_end(len(pages)), "articles")
    if sum(first == 1 for first, _ in ranges) > max(2, _ON_PAGE_1 * len(ranges)):
        return None  # each paper begins on page 1, as in 1-8, 1-7, 1-8, so that pages show no gaps
    if len(ranges) >= enough > 0:
        longest = _LONGEST * sorted(last - first + 1 for first, last in ranges)[len(ranges) // 2]
        cut = [(first, min(last, first + longest - 1)) for first, last in sorted(ranges)]
        return Estimate(_covered(cut) * _to_the_end(len(pages)), "pages")
    return None


def _to_the_end(records: int) -> float:
    """Return the completeness of a volume that has ``records`` without gaps, and lacks one more paper at the end."""
    return records / (records + 1)


class KeyEvidence(NamedTuple):
    """Evidence of the completeness of a volume, found in the DBLP keys of its papers."""

    seen: int  # number of key letters that are present
    expected: int  # number of key letters that DBLP must have assigned
    initials: dict[str, float]  # map from initial letters to the share of the keys that begin with them
    records: int


def evidence_of_keys(keys: Sequence[str], siblings: Iterable[str]) -> KeyEvidence:
    """Return the evidence in ``keys``, the last parts of the DBLP keys of a volume: ``ZhangLL22b``.

    ``siblings`` are all keys of the same conference and year, among which DBLP assigns key letters.
    """
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
    """Return the estimate from key letters and ``prior``, less the share of the initial letters that were not loaded.

    ``prior`` is the mean completeness of similar paged volumes. ``spread`` maps initial letters to their share among
    the keys of all volumes.
    """
    by_letters = (evidence.seen + _PRIOR_KEYS * prior) / (evidence.expected + _PRIOR_KEYS)
    holes = sum(
        share
        for letter, share in spread.items()
        if evidence.initials.get(letter, 0.0) < _HOLE * share and share * evidence.records >= _EXPECTED
    )
    return Estimate(by_letters * (1.0 - holes) * _to_the_end(evidence.records), "keys")


def spread_of(keys: Iterable[str]) -> dict[str, float]:
    """Return a map from initial letters to the share of ``keys`` that begin with them."""
    initials = (key[:1].upper() for key in keys)
    counts = Counter(initial if initial in _BINS else "0" for initial in initials)
    return {letter: counts[letter] / counts.total() for letter in sorted(counts)}


def _covered(ranges: list[tuple[int, int]]) -> float:
    """Return the share of the pages from 1 to the last, without misprints, that the sorted ``ranges`` cover.

    Of 200 papers on pages 1 to 2000 and one on 41172-41176, the pages of the last are a misprint.
    """
    end = ranges[-1][1]
    for index in range(len(ranges) - 1, len(ranges) - 1 - int(len(ranges) * _MISPRINTS), -1):
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
    """Split the key ``ZhangLL22b`` into ``ZhangLL22`` and 2. A key without a letter has the number 0."""
    found = _KEY.match(key)
    if not found:
        return key, 0
    return found[1], ord(found[2]) - ord("a") + 1 if found[2] else 0


class Prior:
    """The completeness of paged volumes, as the prior estimate for volumes of similar size and time."""

    def __init__(self, paged: Iterable[tuple[int, int, float]]) -> None:
        """``paged`` has year, number of records and completeness of every paged volume."""
        self._paged = sorted(paged)
        self._cached_years_near = cache(self._years_near)

    def mean(self, year: int, records: int) -> float:
        """Return the mean of the volumes with at least half the records and at most five years away; 0 without any."""
        sizes, complete, total = self._cached_years_near(year)
        index = bisect_left(sizes, records / 2)
        return complete[index] / total[index] if total[index] else 0.0

    def _years_near(self, year: int) -> tuple[list[int], list[float], list[int]]:
        """Return the ascending numbers of records of volumes near ``year``, and two sums over each and all larger ones.

        The first sum is of completeness times number of records, the second of the number of records.
        """
        low = bisect_left(self._paged, (year - _YEARS_NEAR,))
        high = bisect_left(self._paged, (year + _YEARS_NEAR + 1,))
        by_size = sorted([(records, completeness) for _, records, completeness in self._paged[low:high]])
        falling = by_size[::-1]
        complete = [*accumulate((records * completeness for records, completeness in falling), initial=0.0)]
        total = [*accumulate((records for records, _ in falling), initial=0)]
        return [records for records, _ in by_size], complete[::-1], total[::-1]
