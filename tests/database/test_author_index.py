"""Works by shared names: the order of the whole list, and a shorter list that holds all that is
asked for.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from citeproof.database.author_index import Suggested, _SharedNames, by_shared_names
from citeproof.text.names import cited_keys, recorded_key

if TYPE_CHECKING:
    from collections.abc import Sequence

CITED = ("Ada Alma", "B. Berg", "Chen, Cy", "Di Dorn")
PEOPLE = (
    "Ada Alma",
    "Anna Alma",
    "Bo Berg",
    "Bea Berg",
    "Cy Chen",
    "Carl Chen",
    "Di Dorn",
    "Ed Eng",
    "Fay Fox",
)


def works(seed: int) -> list[Suggested]:
    """Return works of drawn people, with how many of the cited names they may have as the author
    index tells it.
    """
    choice = random.Random(seed)
    teams = [tuple(choice.sample(PEOPLE, choice.randint(1, 5))) for _ in range(30)]
    return [Suggested(f"Work {place}", team, _most(team)) for place, team in enumerate(teams)]


def _most(team: Sequence[str]) -> int:
    keys = set(map(recorded_key, team))
    return sum(not keys.isdisjoint(cited_keys(name)) for name in CITED)


@pytest.mark.parametrize("seed", range(20))
def test_by_shared_names_with_telling_keeps_the_best_works_and_the_order(seed: int) -> None:
    drawn = works(seed)
    whole = by_shared_names(CITED, drawn)
    short = by_shared_names(CITED, drawn, lambda title: title.endswith("7"))
    assert whole
    assert [place for place in whole if place in short] == short
    best = [place for place in whole if set(drawn[place].authors) == set(drawn[whole[0]].authors)]
    assert {*best, *whole[: 2 if len(best) < 2 else 1]} <= set(short)
    assert {place for place in whole if drawn[place].title.endswith("7")} <= set(short)
    assert len(short) < len(whole)


def test_by_shared_names_compares_until_no_other_work_may_be_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[Sequence[str]] = []
    count = _SharedNames.count

    def counted(self: _SharedNames, authors: Sequence[str]) -> int:
        compared.append(authors)
        return count(self, authors)

    monkeypatch.setattr(_SharedNames, "count", counted)
    team = ("Ada Alma", "Bo Berg")
    drawn = [Suggested("Work", authors, 2) for authors in (PEOPLE, team[::-1], PEOPLE[::-1], team)]
    assert by_shared_names(CITED[:2], drawn, lambda _: False) == [1, 3]
    assert compared == [team[::-1]], (
        "the other work of these people has their names, and all others have more authors"
    )


def test_by_shared_names_ranks_by_names_and_not_by_limits() -> None:
    drawn = [
        Suggested("Three", ("Anna Alma", "Bo Berg", "Cy Chen"), 3),
        Suggested("Two", ("Bo Berg", "Cy Chen"), 2),
        Suggested("None", ("Anna Alma", "Carl Chen"), 2),
    ]
    assert by_shared_names(CITED, drawn) == [1, 0]
