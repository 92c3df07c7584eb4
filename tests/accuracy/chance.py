"""Count the facts of labelled references, and measure the chances that follow on the half that was
not counted.

usage: python -m tests.accuracy.chance [--write]     (``CITEPROOF_WILD_DB`` names a database that is
built already)

``--write`` writes ``verification/chance.json``. A fact's ratio is its share among invented
references that have a fact of its group, divided by its share among such others. Each set has a
weight, so that made ones (one damage each, papers that the database mostly lacks) do not hide what
bibliographies are like. Halves are by paper: what is measured was not counted.
"""

from __future__ import annotations

import json
import sys
import tempfile
from bisect import bisect_left, bisect_right
from collections import defaultdict
from hashlib import blake2b
from math import exp, log, prod
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.model.chance import Fact, Odds, PaperChance, chance_of
from citeproof.model.verdict import Status
from citeproof.verification import certainty
from citeproof.verification.certainty import FACTS
from tests.accuracy import wild
from tests.accuracy.chance_samples import WEIGHTS, Sample, samples
from tests.conftest import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


STORED = Path(certainty.__file__).with_name("chance.json")
BASE_RATES = (0.002, 0.01, 0.1)
BINS = (0.0, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Lower ends of the bins of the reliability diagram."""
FEWEST = 50
"""References of a bin of which something is said."""
BOUND = 100.0
"""Largest ratio: no fact alone proves an invention, or that there is none."""
UNCOUNTED = "work.outside"
"""Fact whose ratio is 1: no set of inventions states kinds of works, so its share among them is
unknown.
"""
EXTRA = 0.0002
"""Share of a group's weight that is added to the counts of each of its facts."""
DRAWS = 20
"""Times that the papers are parted into halves."""


def counted(given: Sequence[Sample]) -> dict[str, dict[str, float]]:
    """Return for each fact the weighted counts among invented and other references, and the
    ratio.
    """
    weights: tuple[dict[str, float], dict[str, float]] = (defaultdict(float), defaultdict(float))
    for one in given:
        for fact in one.facts:
            weights[one.invented][fact] += one.weight
            weights[one.invented][fact.partition(".")[0]] += one.weight
    others, invented = weights
    found = {}
    for group, names in FACTS.items():
        whole = invented[group], others[group]
        for fact in (f"{group}.{name}" for name in names):
            counts = {"invented": round(invented[fact], 2), "others": round(others[fact], 2)}
            found[fact] = counts | {"ratio": round(_ratio(invented[fact], others[fact], *whole), 4)}
    return found | {UNCOUNTED: found[UNCOUNTED] | {"ratio": 1.0}}


def _ratio(invented: float, others: float, all_invented: float, all_others: float) -> float:
    """Return the ratio of a fact from its weighted counts and those of its group.

    :data:`EXTRA` of both sides of the group is added, which draws the ratio of few counts to 1.

        12 invented and no other reference, of 1,000 and 4,000: 12.2 / 0.8 * 4 = 61; 12 and one:
        12.2 / 1.8 * 4 = 27
    """
    ratio = (
        (invented + EXTRA * all_invented)
        / (others + EXTRA * all_others)
        * all_others
        / all_invented
    )
    return min(max(ratio, 1 / BOUND**2), BOUND)


def ratio_of(one: Sample, table: Mapping[str, Mapping[str, float]]) -> float:
    """Return by how much the facts of a reference multiply the odds, by the table of
    :func:`counted`.
    """
    return prod(table[fact]["ratio"] for fact in one.facts)


def held_out(given: Sequence[Sample]) -> list[tuple[Sample, float]]:
    """Return each reference with the ratio that halves without its paper give it: the mean over all
    draws.
    """
    draws = [_without(given, [one.half(draw) for one in given]) for draw in range(DRAWS)]
    return [
        (one, exp(sum(map(log, ratios)) / DRAWS))
        for one, *ratios in zip(given, *draws, strict=True)
    ]


def without_bibliography(given: Sequence[Sample]) -> list[tuple[Sample, float]]:
    """Return each reference with the ratio that it has without its bibliography, or a sixth of the
    other papers.
    """
    names = wild.BIBLIOGRAPHIES
    parts = [
        (
            names.index(one.paper.partition(" ")[0])
            if one.name == "wild"
            else blake2b(one.paper.encode()).digest()[0] % len(names)
        )
        for one in given
    ]
    return list(zip(given, _without(given, parts), strict=True))


def _without(given: Sequence[Sample], parts: Sequence[int]) -> list[float]:
    """Return the ratio of each of ``given`` by the counts of all that are not in its part."""
    tables = {
        part: counted([one for one, own in zip(given, parts, strict=True) if own != part])
        for part in set(parts)
    }
    return [ratio_of(one, tables[part]) for one, part in zip(given, parts, strict=True)]


def weighed(pairs: Sequence[tuple[Sample, float]], base: float) -> list[tuple[float, float, bool]]:
    """Return weight, chance and label of each reference of a kind in scope; the invented weigh
    ``base`` of all.
    """
    pairs = [(one, ratio) for one, ratio in pairs if not one.outside]
    totals = [sum(one.weight for one, _ in pairs if one.invented is side) for side in (False, True)]
    scale = ((1 - base) / totals[0], base / totals[1])
    return [
        (one.weight * scale[one.invented], chance_of(ratio, base), one.invented)
        for one, ratio in pairs
    ]


def brier(rows: Iterable[tuple[float, float, bool]]) -> float:
    """Return the weighted mean of the squared distance between chance and label."""
    return sum(weight * (chance - invented) ** 2 for weight, chance, invented in rows)


def reliability(
    pairs: Sequence[tuple[Sample, float]], base: float
) -> Iterator[tuple[float, int, int, float, float]]:
    """Yield for each bin its lower end, its references, how many are not invented, mean chance and
    invented share.

    The bin of a reference is that of its chance by all counts, so that references with the same
    facts are in one bin: where a half lacks the honest references of a fact, the chances that it
    gives to the other half are too large.
    """
    table = counted([one for one, _ in pairs])
    places = [row[1] for row in weighed([(one, ratio_of(one, table)) for one, _ in pairs], base)]
    for low, high in zip(BINS, (*BINS[1:], 1.01), strict=True):
        own = [
            row
            for row, place in zip(weighed(pairs, base), places, strict=True)
            if low <= place < high
        ]
        if total := sum(row[0] for row in own):
            mean, share = (
                sum(w * c for w, c, _ in own) / total,
                sum(w * i for w, _, i in own) / total,
            )
            yield low, len(own), sum(not i for _, _, i in own), mean, share


def area(invented: Sequence[float], others: Sequence[float]) -> float:
    """Return the probability that an invented reference has the larger score; a tie counts half."""
    below = sorted(others)
    pairs = (bisect_left(below, score) + bisect_right(below, score) for score in invented)
    return sum(pairs) / (2 * len(invented) * len(others))


ORDER = {
    Status.VALID: 0,
    Status.ERROR: 1,
    Status.UNVERIFIED: 1,
    Status.SUSPICIOUS: 2,
    Status.INVALID: 3,
}


def areas(pairs: Sequence[tuple[Sample, float]]) -> Iterator[tuple[str, int, int, float, float]]:
    """Yield what was compared, how many invented and honest references, and the areas by status and
    by chance.
    """
    chairs = [pair for pair in pairs if pair[0].name == "iclr"]
    open_ = [
        pair for pair in pairs if pair[0].name == "wild" and pair[0].status is not Status.VALID
    ]
    for said, honest in (
        ("not VALID", open_),
        ("not VALID, of kinds in scope", [p for p in open_ if not p[0].outside]),
    ):
        by_status = area(
            [ORDER[one.status] for one, _ in chairs], [ORDER[one.status] for one, _ in honest]
        )
        yield (
            said,
            len(chairs),
            len(honest),
            by_status,
            area([r for _, r in chairs], [r for _, r in honest]),
        )


def _odds(one: Sample, ratio: float) -> Odds:
    """Return the odds for the paper, as :attr:`Chance.odds`."""
    silent = all(
        Fact(fact, "", ratio).is_silence for fact in one.facts if fact != "identifier.nothing"
    )
    return Odds(ratio, min(ratio, 1.0) if silent else ratio)


def planted(pairs: Sequence[tuple[Sample, float]], entries: int, most: int) -> tuple[int, float]:
    """Plant the invented references of a paper among honest ones; return the number of papers, and
    the area.

    Honest papers are runs of ``entries`` references of one bibliography. Every third one gets the
    invented references of one rejected paper, at most ``most``, in place of its last ones. The area
    is the mean over the three ways.
    """
    honest: defaultdict[str, list[Odds]] = defaultdict(list)
    rejected: defaultdict[str, list[Odds]] = defaultdict(list)
    for one, ratio in pairs:
        if one.name in {"wild", "iclr"}:
            own = honest[one.paper.partition(" ")[0]] if one.name == "wild" else rejected[one.paper]
            own.append(_odds(one, ratio))
    papers = [
        own[n : n + entries]
        for own in honest.values()
        for n in range(0, len(own) - entries + 1, entries)
    ]
    areas = []
    for third in range(3):
        supply = iter(sorted(rejected.values(), key=lambda own: (-len(own), own)))
        scores: tuple[list[float], list[float]] = ([], [])
        for number, paper in enumerate(papers):
            invented = next(supply)[:most] if number % 3 == third else []
            mixed = [*paper[: len(paper) - len(invented)], *invented]
            scores[bool(invented)].append(PaperChance.of(mixed, 0.01).one)
        areas.append(area(scores[1], scores[0]))
    return len(papers), sum(areas) / len(areas)


def report(given: Sequence[Sample]) -> Iterator[str]:
    """Yield the figures of ``docs/accuracy.md``."""
    yield "| fact | invented | others | ratio |\n|---|---|---|---|"
    for fact, counts in counted(given).items():
        yield (
            f"| `{fact}` | {counts['invented']:g} | {counts['others']:g} | {counts['ratio']:.3g} |"
        )
    pairs, apart = held_out(given), without_bibliography(given)
    for base in BASE_RATES:
        score = brier(weighed(pairs, base))
        alone = base * (1 - base)
        predicted = f"always predicting the base rate scores {alone:.5f}"
        yield f"\nAt a base rate of {base:.1%}: Brier score {score:.5f}; {predicted}."
        yield (
            "\n| chance from | references | not invented | mean chance | invented |"
            " |\n|---|---|---|---|---|---|"
        )
        for low, count, others, mean, share in reliability(pairs, base):
            bar = "#" * round(40 * share)
            if count >= FEWEST:
                yield f"| {low:.1%} | {count:,} | {others:,} | {mean:.1%} | {share:.1%} | {bar} |"
        off = max(
            abs(mean - share)
            for _, count, _, mean, share in reliability(apart, base)
            if count >= FEWEST
        )
        yield (
            f"\nWith whole bibliographies held out, a bin is off by {100 * off:.1f} points at most."
        )
    yield (
        "\n| held out | honest references | invented | honest | by status | by chance"
        " |\n|---|---|---|---|---|---|"
    )
    for held, ratios in (("half of the papers", pairs), ("the bibliography", apart)):
        for said, invented, honest, by_status, by_chance in areas(ratios):
            yield (
                f"| {held} | {said} | {invented} | {honest:,} | {by_status:.3f} | {by_chance:.3f} |"
            )
    yield "\n| entries | planted at most | papers | area |\n|---|---|---|---|"
    for entries, most in ((10, 1), (10, 3), (30, 1), (30, 3), (100, 3), (100, 8)):
        papers, size = planted(pairs, entries, most)
        yield f"| {entries} | {most} | {papers} | {size:.3f} |"


def main() -> None:
    """Print the figures, and write the table with ``--write``."""
    with tempfile.TemporaryDirectory() as folder, wild.database(SHARED, Path(folder)) as opened:
        given = samples(SHARED, wild.bench_on(opened))
        basis = [
            f"{source['name']} to {source['dump_date']}" for source in opened.describe()["sources"]
        ]
    print("\n".join(report(given)))
    if "--write" in sys.argv[1:]:
        stored = {"counted_on": {"sets": WEIGHTS, "database": basis}, "facts": counted(given)}
        STORED.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
