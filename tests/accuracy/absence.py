"""What share of true references would a "proved" absence accuse?

This is measured for each basis of completeness and each bound.

usage: python -m tests.accuracy.absence DATABASE   (built from ../shared/corpus/dblp-sample.xml.gz)

A volume that reaches the bound counts as complete, so a paper that it lacks is said not to exist.
Here papers are removed from volumes, the completeness is estimated again, and the removed papers
are cited correctly:

* *one*: each volume loses one paper. The column has the share of volumes that still reach the
  bound.
* A random share *m* of the papers is removed. A true reference to such a volume cites a removed
  paper with probability *m*, and is accused if the volume still reaches the bound. The column has
  *m* times the share of volumes that do.

The worst *m* counts. Example: of the volumes with pages that reached 0.95, 79 % still do without a
random 4 % of their papers: 0.04 * 0.79 = 3 % of true references are accused. Volumes are weighted
by their number of papers. This cannot show one case: if a volume lacks its end, pages say nothing
about the papers after the last page.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.database.lookup import Database
from citeproof.database.venues import completeness
from citeproof.database.venues.table import Part as StoredPart
from citeproof.database.venues.table import VenueTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SEED = 13
BOUNDS = (0.9, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995, 0.9975)
LOST = (0.001, 0.002, 0.003, 0.004, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.2)
"""Shares of a volume that are lost; the worst of them counts."""
ONE = 1.0
"""Not a share: one paper of each volume."""
DRAWS = 4
"""How often each share is drawn from each volume."""
_PAPERS = """
SELECT crossref, key, pages, year FROM publications
WHERE pub_type = 'inproceedings' AND crossref LIKE 'conf/%' ORDER BY crossref
"""


@dataclass(frozen=True, slots=True)
class Part:
    """One physical volume: a key, and of each of its papers the last part of its key, and its
    pages.
    """

    key: str
    papers: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class Held:
    """What a database holds of one venue and year, as :meth:`VenueTable.volume` sums it up."""

    venue: str
    year: int
    parts: tuple[Part, ...]
    stored: float
    basis: str

    @property
    def size(self) -> int:
        """Papers in all parts."""
        return sum(len(part.papers) for part in self.parts)


class Estimator:
    """Estimates the completeness of a volume without some of its papers, as a build would."""

    def __init__(self, volumes: Sequence[Held]) -> None:
        paged = [
            (held.year, len(part.papers), found.completeness)
            for held in volumes
            for part in held.parts
            if (found := completeness.from_pages([pages for _, pages in part.papers]))
        ]
        self._prior = completeness.Prior(paged)
        unpaged = [
            key
            for held in volumes
            if held.basis == "keys"
            for part in held.parts
            for key, _ in part.papers
        ]
        self._spread = completeness.spread_of(unpaged)
        self._siblings: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        for held in volumes:
            keys = [key for part in held.parts for key, _ in part.papers]
            self._siblings[held.venue.partition(":")[0], held.year].extend(keys)

    def estimate(self, held: Held, lost: frozenset[str] = frozenset()) -> float:
        """Return the completeness of ``held`` without the papers ``lost``; 0 where nothing is
        left.
        """
        siblings = [
            key
            for key in self._siblings[held.venue.partition(":")[0], held.year]
            if key not in lost
        ]
        rows = []
        for part in held.parts:
            papers = [paper for paper in part.papers if paper[0] not in lost]
            if papers:
                found = completeness.from_pages([pages for _, pages in papers])
                found = found or self._by_keys([key for key, _ in papers], siblings, held.year)
                share = min(1.0, found.completeness)
                rows.append(
                    StoredPart(
                        part.key, held.venue, held.year, len(papers), share, found.basis, 0, "", ""
                    )
                )
        volume = VenueTable((), rows).volume(held.venue, held.year)
        return volume.completeness if volume else 0.0

    def _by_keys(
        self, keys: Sequence[str], siblings: Iterable[str], year: int
    ) -> completeness.Estimate:
        evidence = completeness.evidence_of_keys(keys, siblings)
        return completeness.from_keys(evidence, self._prior.mean(year, len(keys)), self._spread)


def volumes_of(database: Database) -> list[Held]:
    """Return the conferences' own volumes; those beside a venue never prove an absence."""
    stored = database.file.rows("SELECT key, venue, year FROM volumes")
    place = {key: (venue, year) for key, venue, year in stored}
    parts: defaultdict[tuple[str, int], list[Part]] = defaultdict(list)
    for key, rows in groupby(database.file.rows(_PAPERS), key=itemgetter(0)):
        papers = tuple((paper.rsplit("/", 1)[-1], pages) for _, paper, pages, _ in rows)
        if key in place and ":" not in place[key][0]:
            parts[place[key]].append(Part(key, papers))
    return [
        held
        for (venue, year), own in sorted(parts.items())
        if (held := _held(database, venue, year, own))
    ]


def _held(database: Database, venue: str, year: int, parts: Sequence[Part]) -> Held | None:
    volume = database.venues.volume(venue, year)
    return Held(venue, year, tuple(parts), volume.completeness, volume.basis) if volume else None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    basis: str
    bound: float
    volumes: int
    papers: int
    one: float
    """Share of single lost papers whose volume still reaches the bound."""
    accused: dict[float, float]
    """Share lost, to the share of all true references to the volumes that are accused."""

    @property
    def worst(self) -> tuple[float, float]:
        """The share of true references that are accused where it is highest, and the share lost
        there.
        """
        return max((share, lost) for lost, share in self.accused.items())


def measured(volumes: Sequence[Held], bounds: Sequence[float] = BOUNDS) -> Iterator[Row]:
    """Yield the table for ``volumes``, basis after basis."""
    estimator = Estimator(volumes)
    for basis in sorted({held.basis for held in volumes}):
        own = [held for held in volumes if held.basis == basis and held.stored >= min(bounds)]
        trials = {
            lost: [list(_trials(estimator, held, lost)) for held in own] for lost in (ONE, *LOST)
        }
        for bound in bounds:
            reach = [place for place, held in enumerate(own) if held.stored >= bound]
            papers = sum(own[place].size for place in reach)
            if not reach:
                continue
            accused = {lost: _accused(own, trials[lost], reach, bound) / papers for lost in LOST}
            one = (
                sum(own[place].size * _accused(own, trials[ONE], [place], bound) for place in reach)
                / papers
            )
            yield Row(basis, bound, len(reach), papers, one, accused)


Trial = tuple[int, float]
"""How many papers were lost, and the completeness that is estimated without them."""


def _accused(
    own: Sequence[Held], trials: Sequence[Sequence[Trial]], reach: Iterable[int], bound: float
) -> float:
    """Return how many lost papers of the volumes ``reach`` would be accused, in the mean of the
    trials.
    """
    return sum(
        sum(count for count, value in trials[place] if value >= bound) / len(trials[place])
        for place in reach
    )


def _trials(estimator: Estimator, held: Held, lost: float) -> Iterator[Trial]:
    """Yield trials for a loss: a share of the papers of ``held``, or one paper."""
    dice = random.Random(f"{SEED} {held.venue} {held.year} {lost}")
    keys = [key for part in held.parts for key, _ in part.papers]
    for _ in range(DRAWS):
        # a fraction of a paper is lost by chance, so that the mean share is the one that is wanted
        count = 1 if lost == ONE else int(lost * len(keys) + dice.random())
        yield count, estimator.estimate(held, frozenset(dice.sample(keys, count)))


def main() -> None:
    """Print the table."""
    with Database.open(Path(sys.argv[1])) as database:
        volumes = volumes_of(database)
    print(f"{len(volumes):,} volumes, {sum(held.size for held in volumes):,} papers")
    print(
        "| basis | bound | volumes | papers | one lost, still complete | worst share accused | at a"
        " loss of |"
    )
    print("|---|---|---|---|---|---|---|")
    for row in measured(volumes):
        share, lost = row.worst
        print(
            f"| `{row.basis}` | {row.bound} | {row.volumes:,} | {row.papers:,} | {row.one:.3f} |"
            f" {1000 * share:.2f} in 1,000 | {lost:.1%} |"
        )


if __name__ == "__main__":
    main()
