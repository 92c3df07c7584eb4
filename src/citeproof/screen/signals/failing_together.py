"""Find papers in which unexpectedly many references fail. A reference fails if it was not found or
cannot exist as cited.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from citeproof.model.codes import ReasonCode
from citeproof.screen.results import FAILING, Results, Signal

_LEAST = 4  # minimum number of failing references of a paper that is reported
BY_CHANCE = 0.05
"""Maximum expected share of false reports among the reported papers: the false discovery rate of
Benjamini and Hochberg (1995). In a false report, the failures are only a coincidence.

If all papers are honest, this is the maximum probability that any paper is reported.
"""
_YEARS = 5  # number of years that are grouped into a period
_NORMAL = 1.96  # half width of a 95 % confidence interval, in standard deviations

Stratum = tuple[int, int]
"""Key of a group of similar references, such as ``(4, 403)``. The first number says how many
quarters of the cited volume the database has, rounded up (0 to 4). The second number is the year
divided by 5, without the remainder.
"""


def failing_together(results: Results) -> Iterator[Signal]:
    """More of a paper's references fail than coincidence explains.

    A reference fails if it was not found, has the title of one work and the authors of another, or
    has an impossible identifier. The expected number follows from the other papers' references to
    volumes of the same years that are about as complete in the database.
    """
    cited, failing = _counted(results)
    total = Counter(stratum for strata in cited.values() for stratum in strata.elements())
    failed = Counter(stratum for references in failing.values() for stratum in references.values())
    usual = {
        paper: _usual(cited[paper], Counter(references.values()), total, failed)
        for paper, references in failing.items()
        if len(references) >= _LEAST
    }
    chances = {
        paper: sum(probabilities[len(failing[paper]) :]) for paper, probabilities in usual.items()
    }
    for paper in beyond_chance(chances, len(cited)):
        references = failing[paper]
        expected = sum(number * probability for number, probability in enumerate(usual[paper]))
        said = _sentence(results.paper_name(paper), len(references), cited[paper].total(), expected)
        yield Signal((paper,), tuple(sorted(references)), len(references) - expected, said)


def _counted(results: Results) -> tuple[dict[int, Counter[Stratum]], dict[int, dict[int, Stratum]]]:
    """Return two maps whose keys are the numbers of papers. The first has the paper's number of
    references in each :data:`Stratum`. The second has the stratum of each failing reference, by the
    reference's number.
    """
    cited: defaultdict[int, Counter[Stratum]] = defaultdict(Counter)
    failing: defaultdict[int, dict[int, Stratum]] = defaultdict(dict)
    entries = results.store.each(
        "SELECT p.paper, v.reference, v.reason, json_extract(v.details, '$.held'),"
        " json_extract(r.fields, '$.year') FROM places p JOIN verdicts v ON v.reference ="
        " p.reference JOIN distinct_references r ON r.id = v.reference ORDER BY p.paper, p.position"
    )
    for paper, references in groupby(entries, key=itemgetter(0)):
        for _, reference, reason, held, year in dict.fromkeys(references):
            # A reference to a volume that is not in the database is counted only if it cannot
            # exist as cited.
            if held or reason in FAILING - {ReasonCode.TITLE_NOT_FOUND, ReasonCode.FOUND_NOWHERE}:
                stratum = math.ceil(4 * held), (year or 0) // _YEARS
                cited[paper][stratum] += 1
                if reason in FAILING:
                    failing[paper][reference] = stratum
    return cited, failing


def _usual(
    cited: Counter[Stratum],
    own: Counter[Stratum],
    total: Counter[Stratum],
    failed: Counter[Stratum],
) -> list[float]:
    """Return the probabilities that 0, 1, 2, ... references of a paper fail, if they fail as often
    as those of other papers.

    Each argument has one count for each group of similar references: ``cited``, the references of
    the paper; ``own``, its failing references; ``total``, the references of all papers; ``failed``,
    the failing references of all papers.
    """
    together = np.ones(1)
    for stratum, count in cited.items():
        together = np.convolve(
            together, failures(count, failed[stratum] - own[stratum], total[stratum] - count)
        )
    return list(map(float, together))


def failures(count: int, failed: int, total: int) -> NDArray[np.float64]:
    """Return the probabilities that 0, 1, ... or all of ``count`` references fail, if ``failed`` of
    ``total`` other references failed.

    This is the beta-binomial distribution with Jeffreys' prior. The fewer other references there
    are, the wider the distribution is.

        failures(2, 1, 4)          0.525, 0.35, 0.125
        failures(2, 1000, 4000)    0.5625, 0.375, 0.0625     (as for a known rate of 1 in 4)
    """
    exactly = np.ones(1)
    for drawn in range(count):
        fails = (failed + 0.5 + np.arange(drawn + 1)) / (total + 1 + drawn)
        exactly = np.append(exactly * (1 - fails), 0) + np.insert(exactly * fails, 0, 0)
    return exactly


def beyond_chance(chances: Mapping[int, float], looked_at: int) -> list[int]:
    """Return the numbers of the papers with more failures than coincidence explains, by the
    procedure of Benjamini and Hochberg.

    ``chances`` maps the number of a paper to the probability that at least as many of its
    references fail by coincidence. ``looked_at`` is the number of all papers.

    Example: the smallest probabilities of 1,000 papers are 0.00004, 0.00009 and 0.0002. Two papers
    are returned. The third paper is not returned, because 1,000 times 0.0002 is more than 3 times
    :data:`BY_CHANCE`.
    """
    ordered = sorted(chances, key=lambda paper: chances[paper])
    enough = (
        rank
        for rank, paper in enumerate(ordered, 1)
        if chances[paper] * looked_at <= BY_CHANCE * rank
    )
    return ordered[: max(enough, default=0)]


def interval(count: int, of: int) -> tuple[float, float]:
    """Return lower and upper end of the 95 % confidence interval (Wilson 1927) for the share
    ``count / of``: 0.11 and 0.47 for 5 of 20.
    """
    share, square = count / of, _NORMAL**2
    middle = share + square / (2 * of)
    half = _NORMAL * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    return (middle - half) / (1 + square / of), (middle + half) / (1 + square / of)


def _sentence(name: str, count: int, of: int, expected: float) -> str:
    low, high = interval(count, of)
    return (
        f"{name}: {count} of {of} references to venues in the database were not found or are"
        f" impossible ({100 * count / of:.0f} %, interval {100 * low:.0f} to {100 * high:.0f} %);"
        f" for the works that this paper cites, {expected:.1f} would be usual."
    )
