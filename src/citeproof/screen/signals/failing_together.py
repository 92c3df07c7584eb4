"""Papers of which more references were not found or cannot be than the works that they cite explain."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from citeproof.screen.signals import Signal

if TYPE_CHECKING:
    from citeproof.screen.corpus import Corpus

NAME = "failing_together"
MEANING = (
    "Of a paper's references to venues that the database holds, more than chance allows were not found, join the title "
    "of one work to the people of another, or have an identifier that cannot be. Compared is with the other papers' "
    "references to venues held as far, of the same years."
)
FAILING = frozenset(
    {
        "title_not_found",
        "found_nowhere",
        "absent_from_complete_volume",
        "absent_from_complete_source",
        "not_in_cited_volume",
        "identity_conflict",
        "malformed_identifier",
        "future_date",
    }
)
"""Reasons that count."""
LEAST = 4
"""Fewer such references are no pattern."""
CHANCE = 1e-5
"""A paper is named when its number comes about by chance in fewer papers than this share."""
_YEARS = 5
_NORMAL = 1.96
"""Standard deviations of a 95 % interval."""

Stratum = tuple[int, int]
"""How far the cited volume is held, in quarters, and the period of its year."""


def find(corpus: Corpus) -> list[Signal]:
    """Return the papers, those that are furthest above what is expected first."""
    strata, failing = _strata(corpus)
    total, failed = Counter[Stratum](), Counter[Stratum]()
    papers: defaultdict[int, Counter[Stratum]] = defaultdict(Counter)
    fails: defaultdict[int, list[tuple[int, Stratum]]] = defaultdict(list)
    for page in corpus.store.pages("SELECT id FROM papers WHERE", "id"):
        for (paper,) in page:
            for (reference,) in corpus.store.rows("SELECT DISTINCT reference FROM places WHERE paper = ?", (paper,)):
                if (stratum := strata.get(reference)) is None:
                    continue
                papers[paper][stratum] += 1
                total[stratum] += 1
                if reference in failing:
                    failed[stratum] += 1
                    fails[paper].append((reference, stratum))
    found = []
    for paper, numbers in fails.items():
        expected = _expected(papers[paper], Counter(stratum for _, stratum in numbers), total, failed)
        if len(numbers) >= LEAST and at_least(len(numbers), expected) < CHANCE:
            references = tuple(sorted(reference for reference, _ in numbers))
            said = _sentence(corpus.paper_name(paper), len(numbers), papers[paper].total(), expected)
            found.append(Signal((paper,), references, len(numbers) - expected, said))
    return sorted(found, key=lambda signal: -signal.weight)


def _strata(corpus: Corpus) -> tuple[dict[int, Stratum], set[int]]:
    """Return the stratum of each reference to a venue and year that the database holds, and those that fail."""
    strata: dict[int, Stratum] = {}
    failing: set[int] = set()
    for page in corpus.store.pages(
        "SELECT reference, reason, json_extract(details, '$.held'), "
        "(SELECT json_extract(fields, '$.year') FROM distinct_references WHERE id = reference) FROM verdicts WHERE",
        "reference",
    ):
        for reference, reason, held, year in page:
            impossible = reason in FAILING - {"title_not_found", "found_nowhere"}
            if held or impossible:
                strata[reference] = (math.ceil(4 * held), (year or 0) // _YEARS)
                if reason in FAILING:
                    failing.add(reference)
    return strata, failing


def _expected(
    cited: Counter[Stratum], own: Counter[Stratum], total: Counter[Stratum], failed: Counter[Stratum]
) -> float:
    """Return how many of the references ``cited`` by one paper would fail, if they failed as those of the others do.

    Half a failure is added to each stratum, so that one without any is not taken for one that cannot fail.
    """
    return sum(
        count * min(1.0, (failed[stratum] - own[stratum] + 0.5) / (total[stratum] - count + 1))
        for stratum, count in cited.items()
    )


def at_least(count: int, expected: float) -> float:
    """Return the probability of ``count`` or more where ``expected`` come about on average (Poisson)."""
    term = below = math.exp(-expected)
    for number in range(1, count):
        term *= expected / number
        below += term
    return max(0.0, 1.0 - below)


def interval(count: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927): 5 of 20 gives 0.11 to 0.47."""
    share, square = count / of, _NORMAL**2
    middle = share + square / (2 * of)
    half = _NORMAL * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    return (middle - half) / (1 + square / of), (middle + half) / (1 + square / of)


def _sentence(name: str, count: int, of: int, expected: float) -> str:
    low, high = interval(count, of)
    return (
        f"{name}: {count} of {of} references to venues that the database holds were not found or cannot be as cited "
        f"({100 * count / of:.0f} %, interval {100 * low:.0f} to {100 * high:.0f} %); by what it cites, {expected:.1f} "
        "would be usual."
    )
