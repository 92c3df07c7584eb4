"""Gaps of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.screen.signals.shared import database_gaps as find
from tests.screen.signals.conftest import judged

if TYPE_CHECKING:
    from tests.screen.signals.test_shared_alike_not_found import Make


def test_database_gaps_are_sorted_by_citing_papers(corpus: Make) -> None:
    acl = [
        judged(f"Meaning {n}", venue=f"Proceedings of the {'2001 ' * (n % 2)}ACL", year=2001)
        for n in range(4)
    ]
    journal = [judged(f"Sheep {n}", venue="Journal of Herding") for n in range(3)]
    one, other = find(corpus({"a": acl[:2], "b": acl[2:], "c": journal[:2], "d": journal[2:]}))
    assert "4 works were not found, cited by 2 of the papers" in one.said
    assert "The ACL Anthology may have them" in one.said
    assert (
        other.said
        == "Journal of Herding 2001: 3 works were not found, cited by 2 of the papers. Crossref may"
        " have them."
    )


def test_database_gaps_ignore_works_of_one_paper(corpus: Make) -> None:
    assert (
        find(corpus({"a": [judged(f"Sheep {n}", venue="Journal of Herding") for n in range(9)]}))
        == []
    )


def test_database_gaps_ignore_volumes_that_are_held(corpus: Make) -> None:
    assert (
        find(corpus({name: [judged(f"{name} {n}", held=0.8) for n in range(9)] for name in "ab"}))
        == []
    )
