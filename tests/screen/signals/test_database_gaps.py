"""What many cite and the database lacks is named, with a source that may hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.screen.signals.database_gaps import find
from tests.screen.signals.conftest import judged

if TYPE_CHECKING:
    from tests.screen.signals.test_alike_not_found import Make


def test_gaps_come_by_the_papers_that_cite_them(corpus: Make) -> None:
    acl = [judged(f"Meaning {n}", venue=f"Proceedings of the {'2001 ' * (n % 2)}ACL", year=2001) for n in range(4)]
    journal = [judged(f"Sheep {n}", venue="Journal of Herding") for n in range(3)]
    one, other = find(corpus({"a": acl[:2], "b": acl[2:], "c": journal[:2], "d": journal[2:]}))
    assert "4 works were not found, cited by 2 of the papers" in one.said
    assert "The ACL Anthology may hold them" in one.said
    assert other.said == (
        "Journal of Herding 2001: 3 works were not found, cited by 2 of the papers. Crossref may hold them."
    )


def test_what_one_paper_alone_cites_is_no_gap(corpus: Make) -> None:
    assert find(corpus({"a": [judged(f"Sheep {n}", venue="Journal of Herding") for n in range(9)]})) == []


def test_a_volume_that_is_held_is_no_gap(corpus: Make) -> None:
    assert find(corpus({name: [judged(f"{name} {n}", held=0.8) for n in range(9)] for name in "ab"})) == []
