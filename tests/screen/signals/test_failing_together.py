"""Papers with more failing references than chance explains."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import TYPE_CHECKING

import pytest

from citeproof.screen.signals.failing_together import (
    beyond_chance,
    failing_together,
    failures,
    interval,
)
from tests.screen.signals.conftest import Judged, judged

if TYPE_CHECKING:
    from tests.screen.signals.test_shared_alike_not_found import Make


def references(paper: int, failing: int, of: int = 20, held: float = 0.9) -> list[Judged]:
    reasons = ["title_not_found"] * failing + ["record_agrees"] * (of - failing)
    return [
        judged(f"Work {paper} {n}", "Ada Almgren", reason=reason, held=held)
        for n, reason in enumerate(reasons)
    ]


def test_failing_together_find_names_a_paper_far_above_the_others_with_its_interval(
    corpus: Make,
) -> None:
    papers = {f"p{n}": references(n, n % 3 == 0) for n in range(12)}
    (signal,) = failing_together(corpus({**papers, "far": references(99, 10)}))
    assert signal.said.startswith("far: 10 of 20 references")
    assert "(50 %, interval 30 to 70 %)" in signal.said
    assert len(signal.references) == 10


def test_failing_together_find_ignores_what_the_cited_venues_explain(corpus: Make) -> None:
    elsewhere = {f"biology{n}": references(n + 50, 8, held=0.2) for n in range(6)}
    assert (
        list(failing_together(corpus({f"p{n}": references(n, 0) for n in range(6)} | elsewhere)))
        == []
    )


def test_failing_together_find_ignores_venues_that_the_database_lacks(corpus: Make) -> None:
    papers = {f"p{n}": references(n, 0) for n in range(6)}
    assert list(failing_together(corpus({**papers, "books": references(99, 20, held=0.0)}))) == []


def test_failures_are_uncertain_with_few_others() -> None:
    assert failures(2, 1, 4) == pytest.approx([0.525, 0.35, 0.125])
    assert failures(2, 100_000, 400_000) == pytest.approx([0.5625, 0.375, 0.0625], rel=1e-4)


def test_beyond_chance_limits_the_false_discovery_rate() -> None:
    chances = {1: 0.0002, 2: 0.00009, 3: 0.00004}
    assert beyond_chance(chances, 1_000) == [3, 2]
    assert beyond_chance(chances, 100) == [3, 2, 1]
    assert beyond_chance(chances, 10_000) == []


def test_beyond_chance_rarely_names_a_paper_of_a_random_corpus() -> None:
    dice = random.Random(1)
    # of 20 references that fail once in 20
    tail = list(accumulate(reversed(failures(20, 500, 10_000))))[::-1]
    named = 0
    for _ in range(100):
        counts = [sum(dice.random() < 0.05 for _ in range(20)) for _ in range(100)]
        named += bool(
            beyond_chance({paper: tail[count] for paper, count in enumerate(counts)}, len(counts))
        )
    assert 0 < named <= 8


def test_interval_of_a_share() -> None:
    assert interval(5, 20) == pytest.approx((0.112, 0.469), abs=0.001)
