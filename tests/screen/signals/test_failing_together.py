"""A paper is named where chance does not explain it, and not where its field does."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import TYPE_CHECKING

import pytest

from citeproof.screen.signals.failing_together import beyond_chance, failures, find, interval
from tests.screen.signals.conftest import Judged, judged

if TYPE_CHECKING:
    from tests.screen.signals.test_alike_not_found import Make


def references(paper: int, failing: int, of: int = 20, held: float = 0.9) -> list[Judged]:
    reasons = ["title_not_found"] * failing + ["record_agrees"] * (of - failing)
    return [judged(f"Work {paper} {n}", "Ada Almgren", reason=reason, held=held) for n, reason in enumerate(reasons)]


def test_a_paper_far_above_the_others_is_named_with_its_interval(corpus: Make) -> None:
    papers = {f"p{n}": references(n, n % 3 == 0) for n in range(12)}
    (signal,) = find(corpus({**papers, "far": references(99, 10)}))
    assert signal.said.startswith("far: 10 of 20 references")
    assert "(50 %, interval 30 to 70 %)" in signal.said
    assert len(signal.references) == 10


def test_what_the_field_explains_is_not_named(corpus: Make) -> None:
    elsewhere = {f"biology{n}": references(n + 50, 8, held=0.2) for n in range(6)}
    assert find(corpus({f"p{n}": references(n, 0) for n in range(6)} | elsewhere)) == []


def test_venues_that_the_database_does_not_know_do_not_count(corpus: Make) -> None:
    papers = {f"p{n}": references(n, 0) for n in range(6)}
    assert find(corpus({**papers, "books": references(99, 20, held=0.0)})) == []


def test_of_few_others_little_is_known() -> None:
    assert failures(2, 1, 4) == pytest.approx([0.525, 0.35, 0.125])
    assert failures(2, 100_000, 400_000) == pytest.approx([0.5625, 0.375, 0.0625], rel=1e-4)


def test_of_those_that_are_named_a_twentieth_may_come_about_by_chance() -> None:
    chances = {1: 0.0002, 2: 0.00009, 3: 0.00004}
    assert beyond_chance(chances, 1_000) == [3, 2]
    assert beyond_chance(chances, 100) == [3, 2, 1]
    assert beyond_chance(chances, 10_000) == []


def test_where_chance_alone_is_at_work_hardly_a_corpus_has_a_paper_named() -> None:
    dice = random.Random(1)
    tail = list(accumulate(reversed(failures(20, 500, 10_000))))[::-1]  # of 20 references that fail once in 20
    named = 0
    for _ in range(100):
        counts = [sum(dice.random() < 0.05 for _ in range(20)) for _ in range(100)]
        named += bool(beyond_chance({paper: tail[count] for paper, count in enumerate(counts)}, len(counts)))
    assert 0 < named <= 8


def test_the_interval_of_a_share() -> None:
    assert interval(5, 20) == pytest.approx((0.112, 0.469), abs=0.001)
