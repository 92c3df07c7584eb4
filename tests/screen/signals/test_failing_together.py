"""A paper is named where chance does not explain it, and not where its field does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.screen.signals.failing_together import at_least, find, interval
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


@pytest.mark.parametrize(("count", "expected", "probability"), [(1, 0.5, 0.393), (4, 1.0, 0.019), (10, 2.0, 4.6e-5)])
def test_the_tail_of_the_poisson_distribution(count: int, expected: float, probability: float) -> None:
    assert at_least(count, expected) == pytest.approx(probability, rel=0.03)


def test_the_interval_of_a_share() -> None:
    assert interval(5, 20) == pytest.approx((0.112, 0.469), abs=0.001)
