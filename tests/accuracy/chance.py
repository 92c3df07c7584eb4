"""Count the facts of labelled references, and measure the chances that follow on the half that was not counted.

usage: python -m tests.accuracy.chance [--write]     (``CITEPROOF_WILD_DB`` names a database that is built already)

``--write`` writes ``verification/validation/chance.json``. A fact's ratio is its share among invented references,
divided by its share among the others. Each set has a weight, so that made ones (one damage each, papers that the
database mostly lacks) do not hide what bibliographies are like. Halves are by paper: what is measured was not counted.
"""

from __future__ import annotations

import json
import sys
import tempfile
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeproof.model.chance import PaperChance, chance_of
from citeproof.model.verdict import Status
from citeproof.verification.validation import chance
from citeproof.verification.validation.chance import FACTS, facts_of
from tests.accuracy import anthology, damage, preprints, sets, wild
from tests.accuracy.entries import entry, fields_of, kind_of, read
from tests.accuracy.sets import Label, Labelled
from tests.conftest import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tests.accuracy.conftest import Bench

STORED = Path(chance.__file__).with_name("chance.json")
WEIGHTS = {
    "iclr": 1.0,
    "wild": 1.0,
    "hallmark": 0.25,
    "anthology": 0.05,
    "preprints": 0.05,
    "damaged": 0.02,
}
"""Weight of a reference of each set."""
BASE_RATES = (0.002, 0.01, 0.1)
BINS = (0.0, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Lower ends of the bins of the reliability diagram."""
FEWEST = 50
"""References of a bin of which something is said."""
BOUND = 100.0
"""Largest ratio: no fact alone proves an invention, or that there is none."""
SMOOTHING = 0.5
"""Added to each weighted count, so that a fact that was seen on one side only has a ratio."""
DRAWS = 20
"""Times that the papers are parted into halves."""
RUN = 30
"""Entries of a bibliography of other hands that count as one paper: there are only six bibliographies."""

Ratios = dict[str, float]


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled reference with the facts of its verdict."""

    name: str
    """The set."""
    paper: str
    invented: bool
    facts: tuple[str, ...]
    status: Status
    outside: bool
    """It is a kind of work that the sources need not hold."""

    @property
    def weight(self) -> float:
        """The weight of its set."""
        return WEIGHTS[self.name]

    def half(self, draw: int) -> int:
        """Return the half that its paper is in, 0 or 1."""
        return blake2b(f"{draw} {self.paper}".encode()).digest()[0] % 2


def samples(shared: Path, bench: Bench) -> list[Sample]:
    """Return all labelled references with their facts."""
    gold = shared / "gold"
    runs = (
        replace(one, paper=f"{one.paper} {n // RUN}") for n, one in enumerate(sets.wild_bibliographies(gold / "wild"))
    )
    found = [
        *_sampled("wild", runs, bench),
        *_sampled("iclr", sets.chairs(gold / "wild" / "iclr2026.jsonl"), bench),
        *_sampled("hallmark", sets.hallmark_split(gold / "hallmark" / "dev_public.jsonl"), bench),
    ]
    papers = anthology.papers(shared / "corpus" / "acl_anthology.jsonl.gz")[::30]
    entries = read([anthology.entry_of(number, paper) for number, paper in enumerate(papers)])
    found += _sampled("anthology", _all(entries, Label.HONEST), bench)
    records = bench.database.records([number for number, _ in bench.database.titles()])
    early = [record for record in records if preprints.is_preprint(record) and record.authors and record.year][::2]
    entries = read([preprints.entry_of(number, record) for number, record in enumerate(early)])
    found += _sampled("preprints", _all(entries, Label.HONEST), bench)
    kinds = ("article", "inproceedings")
    usable = [
        r for r in records if r.pub_type in kinds and r.authors and r.year and r.venue and r.doi and len(r.title) > 10
    ]
    some = sorted(usable[:: len(usable) // 600], key=lambda record: record.key[::-1])
    found += _sampled(
        "damaged", _all(read([entry(kind_of(r), r.key, fields_of(r)) for r in some]), Label.HONEST), bench
    )
    for kind in damage.KINDS:
        entries = read(damage.damaged(kind, some[:250], some[-250:]))
        found += _sampled("damaged", _all(entries, Label.FAULT), bench)
    return found


def _all(references: Iterable[Any], label: Label) -> Iterator[Labelled]:
    for reference in references:
        yield Labelled(reference, label, reference.key)


def _sampled(name: str, labelled: Iterable[Labelled], bench: Bench) -> list[Sample]:
    given = list(labelled)
    verdicts = bench.explained(bench.measure([one.reference for one in given]))
    found = []
    for one, verdict, findings in zip(given, verdicts.verdicts, verdicts.findings, strict=True):
        facts = tuple(f"{group}.{fact}" for group, fact in facts_of(verdict, findings.volumes).items())
        outside = verdict.reason == "out_of_scope"
        own = "damaged" if name == "hallmark" and one.label is Label.FAULT else name
        found.append(Sample(own, one.paper, one.label is Label.INVENTED, facts, verdict.status, outside))
    return found


def counted(given: Sequence[Sample]) -> dict[str, dict[str, float]]:
    """Return for each fact the weighted counts among invented and other references, and the ratio."""
    weights: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for one in given:
        for fact in (*one.facts, "all"):
            weights[one.invented][fact] += one.weight  # type: ignore[assignment]
    others, invented = weights
    found = {}
    for group, names in FACTS.items():
        for fact in (f"{group}.{name}" for name in names):
            extra = SMOOTHING * len(names)
            shares = [(side[fact] + SMOOTHING) / (side["all"] + extra) for side in weights]
            unseen = not invented[fact] and not others[fact]
            ratio = 1.0 if unseen else min(max(shares[1] / shares[0], 1 / BOUND**2), BOUND)
            found[fact] = {
                "invented": round(invented[fact], 2),
                "others": round(others[fact], 2),
                "ratio": round(ratio, 4),
            }
    return found


def ratio_of(one: Sample, ratios: Mapping[str, float]) -> float:
    """Return by how much the facts of a reference multiply the odds."""
    product = 1.0
    for fact in one.facts:
        product *= ratios[fact]
    return product


def held_out(given: Sequence[Sample]) -> list[tuple[Sample, float]]:
    """Return each reference with the ratio that halves without its paper give it: the mean over all draws."""
    logs = [0.0] * len(given)
    for draw in range(DRAWS):
        tables = [counted([one for one in given if one.half(draw) != half]) for half in (0, 1)]
        for place, one in enumerate(given):
            table = tables[one.half(draw)]
            logs[place] += log(ratio_of(one, {fact: table[fact]["ratio"] for fact in one.facts})) / DRAWS
    return [(one, exp(total)) for one, total in zip(given, logs, strict=True)]


def weighed(pairs: Sequence[tuple[Sample, float]], base: float) -> list[tuple[float, float, bool]]:
    """Return weight, chance and label of each reference; the invented weigh ``base`` of all."""
    totals = [sum(one.weight for one, _ in pairs if one.invented is side) for side in (False, True)]
    scale = ((1 - base) / totals[0], base / totals[1])
    return [(one.weight * scale[one.invented], chance_of(ratio, base), one.invented) for one, ratio in pairs]


def brier(rows: Iterable[tuple[float, float, bool]]) -> float:
    """Return the weighted mean of the squared distance between chance and label."""
    return sum(weight * (chance - invented) ** 2 for weight, chance, invented in rows)


def reliability(rows: Sequence[tuple[float, float, bool]]) -> Iterator[tuple[float, int, float, float]]:
    """Yield for each bin its lower end, its references, the mean chance and the share that is invented."""
    for low, high in zip(BINS, (*BINS[1:], 1.01), strict=True):
        own = [row for row in rows if low <= row[1] < high]
        total = sum(row[0] for row in own)
        if own and total:
            yield low, len(own), sum(w * c for w, c, _ in own) / total, sum(w * i for w, _, i in own) / total


def area(invented: Sequence[float], others: Sequence[float]) -> float:
    """Return the probability that an invented reference has the larger score; a tie counts half."""
    below = sorted(others)
    pairs = (bisect_left(below, score) + bisect_right(below, score) for score in invented)
    return sum(pairs) / (2 * len(invented) * len(others))


ORDER = {Status.VALID: 0, Status.ERROR: 1, Status.UNVERIFIED: 1, Status.SUSPICIOUS: 2, Status.INVALID: 3}


def areas(pairs: Sequence[tuple[Sample, float]]) -> Iterator[tuple[str, int, int, float, float]]:
    """Yield what was compared, how many invented and honest references, and the areas by status and by chance."""
    chairs = [pair for pair in pairs if pair[0].name == "iclr"]
    open_ = [pair for pair in pairs if pair[0].name == "wild" and pair[0].status is not Status.VALID]
    for said, honest in (
        ("not VALID", open_),
        ("not VALID, of kinds in scope", [p for p in open_ if not p[0].outside]),
    ):
        by_status = area([ORDER[one.status] for one, _ in chairs], [ORDER[one.status] for one, _ in honest])
        yield said, len(chairs), len(honest), by_status, area([r for _, r in chairs], [r for _, r in honest])


def planted(pairs: Sequence[tuple[Sample, float]], entries: int, most: int) -> tuple[int, int, float, int]:
    """Plant the invented references of a paper among honest ones; return papers with, without, area, honest ones ahead.

    Honest papers are runs of ``entries`` references of one bibliography. Every third one gets the invented references
    of one rejected paper, at most ``most``, in place of its last ones.
    """
    by_paper: dict[str, list[float]] = {}
    for one, ratio in pairs:
        if one.name == "wild":
            by_paper.setdefault(one.paper.partition(" ")[0], []).append(ratio)
    rejected: dict[str, list[float]] = {}
    for one, ratio in pairs:
        if one.name == "iclr":
            rejected.setdefault(one.paper, []).append(ratio)
    papers = [own[n : n + entries] for own in by_paper.values() for n in range(0, len(own) - entries + 1, entries)]
    supply = iter(sorted(rejected.values(), key=lambda own: (-len(own), own)))
    scores: tuple[list[float], list[float]] = ([], [])
    for number, paper in enumerate(papers):
        invented = next(supply)[:most] if number % 3 == 0 else []
        mixed = [*paper[: len(paper) - len(invented)], *invented]
        scores[bool(invented)].append(PaperChance.of(mixed, 0.01).expected)
    last = min(scores[1])
    return len(scores[1]), len(scores[0]), area(scores[1], scores[0]), sum(score > last for score in scores[0])


def report(given: Sequence[Sample]) -> Iterator[str]:
    """Yield the figures of ``docs/accuracy.md``."""
    yield "| fact | invented | others | ratio |\n|---|---|---|---|"
    for fact, counts in counted(given).items():
        yield f"| `{fact}` | {counts['invented']:g} | {counts['others']:g} | {counts['ratio']:.3g} |"
    pairs = held_out(given)
    for base in BASE_RATES:
        rows = weighed(pairs, base)
        yield f"\nbase rate {base:.1%}: Brier score {brier(rows):.5f}, of the base rate alone {base * (1 - base):.5f}"
        yield "| chance from | references | mean chance | invented | |\n|---|---|---|---|---|"
        for low, count, mean, share in reliability(rows):
            bar = "#" * round(40 * share)
            if count >= FEWEST:
                yield f"| {low:.1%} | {count:,} | {mean:.1%} | {share:.1%} | {bar} |"
    yield "\n| honest references | invented | honest | by status | by chance |\n|---|---|---|---|---|"
    for said, invented, honest, by_status, by_chance in areas(pairs):
        yield f"| {said} | {invented} | {honest} | {by_status:.3f} | {by_chance:.3f} |"
    yield "\n| entries | planted at most | papers with | without | area | honest before the last |"
    yield "|---|---|---|---|---|---|"
    for entries, most in ((10, 1), (10, 3), (30, 1), (30, 3), (100, 3), (100, 8)):
        having, without, size, ahead = planted(pairs, entries, most)
        yield f"| {entries} | {most} | {having} | {without} | {size:.3f} | {ahead} |"


def main() -> None:
    """Print the figures, and write the table with ``--write``."""
    with tempfile.TemporaryDirectory() as folder, wild.database(SHARED, Path(folder)) as opened:
        given = samples(SHARED, wild.bench_on(opened))
        basis = [f"{source['name']} to {source['dump_date']}" for source in opened.describe()["sources"]]
    print("\n".join(report(given)))
    if "--write" in sys.argv[1:]:
        stored = {"counted_on": {"sets": WEIGHTS, "database": basis}, "facts": counted(given)}
        STORED.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
