"""Estimate the completeness of a volume, which is the share of the papers of the volume that the
database has.

There are three methods, the most reliable first. The name of the method that was used is stored as
the *basis*.

* ``pages``: The share of the page range that the records cover. Example: two records on pages 1-10
  and 21-30 cover 20 of 30 pages. A third paper may follow at the end, so the estimate is 20/30 *
  2/3 = 0.44.
* ``articles``: The share of the article numbers that the records have. Example: ``1:1-1:14``,
  ``2:1-2:9`` and ``4:1-4:3`` are 3 of 4 articles. A further paper may follow, so the estimate is
  3/4 * 3/4 = 0.56.
* ``keys``: For volumes without pages. The DBLP key of a paper has the authors' names or initials
  and the year. If other papers have the same key, a *key letter* is added. ``ZhangLL22`` and
  ``ZhangLL22b`` without ``ZhangLL22a`` show that a paper is missing: 1 key letter of 2 is present.
  As this is little evidence, 20 more key letters are assumed for the volume. The share of these
  that is present is assumed to be the completeness of *paged* volumes (volumes with pages) of
  similar size and time. If these volumes are 0.9 complete, the estimate is (1 + 20 * 0.9) / (2 +
  20) = 0.86. If hardly any keys begin with some letter, a part of the dump was not loaded, and the
  letter's share is subtracted.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

# minimum share of the records of a volume that have pages, for an estimate from pages
_PAGED_SHARE = 0.9
# number of further key letters, such as b in ``ZhangLL22b``, that are assumed for each volume
_PRIOR_KEYS = 20
_BINS = "0ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# If a volume has less than this share of the expected keys that begin with some letter, a part of
# the dump was not loaded.
_HOLE = 0.25
# minimum number of expected keys with some first letter, to conclude that a part was not loaded
_EXPECTED = 8
_YEARS_NEAR = 5
# maximum share of records whose page numbers are ignored as misprints, because a large gap precedes
# them
_MISPRINTS = 0.01
# page numbers are not used if more than two papers, and more than this share, begin on page 1
_ON_PAGE_1 = 0.01
# maximum length of a paper, as a multiple of the median length; ``1000-7000`` is a misprint
_LONGEST = 5
# regex for pages, ``1-10``, or for an article number, ``4:1``
_PAGES = re.compile(r"^(?:(\d+)(?:-(\d+))?$|(\d+):\d+)", re.MULTILINE)
_KEY = re.compile(r"(.*?\d\d)([a-z]?)$")


class Estimate(NamedTuple):
    """The estimated share, 0 to 1, of a volume's papers in the database, and the method: pages,
    articles or keys.
    """

    completeness: float
    basis: str


def from_pages(pages: Sequence[str | None]) -> Estimate | None:
    """Estimate the completeness of a volume from the ``pages`` of the records.

    None if too few records have pages.
    """
    ranges, articles = [], set()
    for first, last, article in _PAGES.findall("\n".join(filter(None, pages))):
        if article:
            articles.add(int(article))
        elif 0 < int(first) <= int(last or first):
            ranges.append((int(first), int(last or first)))
    enough = _PAGED_SHARE * len(pages)
    if len(articles) >= enough > 0:
        return Estimate(len(articles) / max(articles) * _if_one_is_missing(len(pages)), "articles")
    if sum(first == 1 for first, _ in ranges) > max(2, _ON_PAGE_1 * len(ranges)):
        return None  # each paper begins on page 1, as in 1-8, 1-7, 1-8, so that pages show no gaps
    if len(ranges) >= enough > 0:
        longest = _LONGEST * sorted(last - first + 1 for first, last in ranges)[len(ranges) // 2]
        cut = [(first, min(last, first + longest - 1)) for first, last in sorted(ranges)]
        return Estimate(_covered(cut) * _if_one_is_missing(len(pages)), "pages")
    return None


def _if_one_is_missing(records: int) -> float:
    """Return the completeness of a volume with ``records`` papers in the database and one missing
    paper: 0.9 for 9 records.
    """
    return records / (records + 1)


class KeyEvidence(NamedTuple):
    """Evidence of the completeness of a volume in the DBLP keys of the papers, such as
    ``ZhangLL22b``.
    """

    # number of key letters, such as b in ``ZhangLL22b``, that the keys in the database have
    seen: int
    expected: int  # number of key letters that DBLP must have assigned
    # map from a first letter to the share of the keys that begin with this letter
    initials: dict[str, float]
    records: int


def evidence_of_keys(keys: Sequence[str], siblings: Iterable[str]) -> KeyEvidence:
    """Count the letters at the end of ``keys``, such as b in ``ZhangLL22b``, and the letters that
    DBLP must have assigned.

    ``keys`` are the last parts of the DBLP keys of the papers in a volume. ``siblings`` are the
    last parts for all papers of the same conference and year.
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
    """Estimate the completeness of a volume without pages from DBLP keys, such as ``ZhangLL22b``.

    ``prior`` is the mean completeness of similar volumes with pages. ``spread`` maps a first letter
    to the share of the keys of all volumes that begin with this letter.
    """
    by_letters = (evidence.seen + _PRIOR_KEYS * prior) / (evidence.expected + _PRIOR_KEYS)
    holes = sum(
        share
        for letter, share in spread.items()
        if evidence.initials.get(letter, 0.0) < _HOLE * share
        and share * evidence.records >= _EXPECTED
    )
    return Estimate(by_letters * (1.0 - holes) * _if_one_is_missing(evidence.records), "keys")


def spread_of(keys: Iterable[str]) -> dict[str, float]:
    """Return a map from each first letter to the share of ``keys`` that begin with this letter."""
    initials = (key[:1].upper() for key in keys)
    counts = Counter(initial if initial in _BINS else "0" for initial in initials)
    return {letter: counts[letter] / counts.total() for letter in sorted(counts)}


def _covered(ranges: list[tuple[int, int]]) -> float:
    """Return the share of the pages, from page 1 to the last page, that the sorted ``ranges``
    cover.

    Misprints are left out. Example: 200 papers are on pages 1 to 2000, and one paper on
    41172-41176, a misprint.
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
    """Split ``ZhangLL22b`` into ``ZhangLL22`` and 2, as b is the second letter.

    Without a letter, the number is 0.
    """
    found = _KEY.match(key)
    if not found:
        return key, 0
    return found[1], ord(found[2]) - ord("a") + 1 if found[2] else 0


class Prior:
    """The completeness of volumes with pages, from which the completeness of similar volumes is
    estimated.
    """

    def __init__(self, paged: Iterable[tuple[int, int, float]]) -> None:
        """``paged`` has the year, number of records and completeness of every volume with pages."""
        self._paged = sorted(paged)
        self._cached_years_near = cache(self._years_near)

    def mean(self, year: int, records: int) -> float:
        """Return the mean completeness of the volumes of about ``year`` with at least half as many
        records as ``records``.

        0 if it is unknown.
        """
        sizes, complete, total = self._cached_years_near(year)
        index = bisect_left(sizes, records / 2)
        return complete[index] / total[index] if total[index] else 0.0

    def _years_near(self, year: int) -> tuple[list[int], list[float], list[int]]:
        """Return three lists for the volumes of about ``year``, sorted by their number of records:
        this number, and two sums over the volume and all larger volumes.

        The first sum is of completeness times number of records, the second is of the number of
        records.
        """
        low = bisect_left(self._paged, (year - _YEARS_NEAR,))
        high = bisect_left(self._paged, (year + _YEARS_NEAR + 1,))
        by_size = sorted(
            [(records, completeness) for _, records, completeness in self._paged[low:high]]
        )
        falling = by_size[::-1]
        complete = [
            *accumulate((records * completeness for records, completeness in falling), initial=0.0)
        ]
        total = [*accumulate((records for records, _ in falling), initial=0)]
        return [records for records, _ in by_size], complete[::-1], total[::-1]
