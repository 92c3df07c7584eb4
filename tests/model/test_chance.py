"""Chances: how facts multiply odds, and what the references of a paper say about the paper."""

import pytest

from citeproof.model.chance import Chance, Fact, Odds, PaperChance, carried_by, chance_of

CONFIRMED, SILENT, ABSENT = Odds(0.0015, 0.0015), Odds(2.6, 1.0), Odds(25.0, 25.0)


def test_chance_of_multiplies_the_odds() -> None:
    assert chance_of(15, 0.01) == pytest.approx(15 / 114)
    assert chance_of(1, 0.2) == pytest.approx(0.2)


def test_chance_is_of_the_product_of_its_facts() -> None:
    chance = Chance((Fact("work.absent", "", 20), Fact("identifier.agrees", "", 0.5)), 0.01)
    assert chance.ratio == 10
    assert chance.invented == pytest.approx(10 / 109)


def test_odds_of_silence_do_not_raise_those_of_the_paper() -> None:
    silent = Fact("work.nothing", "", 2.0), Fact("place.unstated", "", 1.5)
    assert Chance((*silent, Fact("identifier.impossible", "", 40))).odds == (120, 40)
    assert Chance((Fact("work.nothing", "", 2.0), Fact("place.stated", "", 0.25))).odds == (
        0.5,
        0.5,
    )
    assert Chance((Fact("work.nothing", "", 2.0), Fact("place.held", "", 20))).odds == (40, 20)


@pytest.mark.parametrize(
    ("ratio", "effect"),
    [
        (15.2, "a (multiplies the odds by 15)"),
        (0.4, "a (divides the odds by 2.5)"),
        (1.01, "a (does not change the odds)"),
    ],
)
def test_effect_says_which_way_and_how_much(ratio: float, effect: str) -> None:
    assert Fact("work.absent", "a", ratio).effect == effect


def test_carried_by_names_what_speaks_for_inventions_the_strongest_first() -> None:
    odds = [Odds(1.2, 1.2), Odds(40, 1.0), Odds(10, 10), Odds(60, 20), Odds(0.1, 0.1)]
    assert carried_by(zip(odds, "abcde", strict=True)) == ["d", "c"]
    assert len(carried_by((Odds(9, 9), n) for n in range(20))) == 5


def test_paper_chance_of_no_reference_is_nothing() -> None:
    assert PaperChance.of((), 0.01).expected == 0


@pytest.mark.parametrize("count", [10, 30, 200])
def test_paper_chance_of_confirmed_references_is_small(count: int) -> None:
    paper = PaperChance.of([CONFIRMED] * count, 0.01)
    assert paper.three < paper.one < paper.expected * 1.01 < 0.001


@pytest.mark.parametrize("count", [10, 200])
def test_paper_chance_of_silence_alone_stays_at_the_base(count: int) -> None:
    """A database that holds nothing of a paper says nothing against it, however long its list
    is.
    """
    assert PaperChance.of([SILENT] * count, 0.01).one < 0.16


def test_paper_chance_grows_with_each_accusing_fact() -> None:
    papers = [PaperChance.of([CONFIRMED] * (40 - n) + [ABSENT] * n, 0.01) for n in range(6)]
    assert [paper.one for paper in papers] == sorted(paper.one for paper in papers)
    assert papers[1].one < 0.1
    assert papers[5].three > 0.2
    assert papers[5].expected > 1


def test_paper_chance_of_few_accusations_in_a_long_list_is_small() -> None:
    assert PaperChance.of([CONFIRMED] * 197 + [ABSENT] * 3, 0.01).one < 0.1


@pytest.mark.parametrize("base_rate", [0.0001, 0.01, 0.2])
def test_paper_chance_of_facts_that_say_nothing_is_the_base_rate(base_rate: float) -> None:
    paper = PaperChance.of([Odds(1.0, 1.0)] * 50, base_rate)
    assert paper.expected == pytest.approx(50 * base_rate, rel=0.02)
    assert 0 <= paper.three <= paper.one <= 1


def test_paper_chance_what_a_small_database_lacks_is_not_taken_for_inventions() -> None:
    """Two accusing facts among 98 works that were not found: a fifth is invented at most."""
    paper = PaperChance.of([SILENT] * 98 + [ABSENT] * 2, 0.01)
    assert paper.one > 0.3
    assert paper.expected < 0.2 * 98 * paper.one
    covered = [PaperChance.of([CONFIRMED] * 95 + [silent] * 5, 0.01) for silent in (SILENT,)]
    assert covered[0].expected < 0.05
