"""Wrong DOIs in several papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.screen.signals.shared import wrong_dois as find
from tests.screen.signals.conftest import Judged, judged

if TYPE_CHECKING:
    from tests.screen.signals.test_shared_alike_not_found import Make


def cited(title: str, doi: str, *people: str) -> Judged:
    return judged(
        title, *people, doi=doi, reason="metadata_mismatch", issues=(("doi.other_work", doi),)
    )


def test_wrong_dois_reports_one_doi_in_two_papers(corpus: Make) -> None:
    made = corpus(
        {
            "a": [cited("Sheep", "10.1000/1", "A. Almgren")],
            "b": [cited("Sheep.", "10.1000/1", "Almgren")],
        }
    )
    (signal,) = find(made)
    assert signal.said == "2 papers cite 'Sheep' with the DOI 10.1000/1."
    assert len(signal.references) == 2


def test_wrong_dois_ignores_different_dois_of_one_title(corpus: Make) -> None:
    assert (
        list(find(corpus({"a": [cited("Sheep", "10.1000/1")], "b": [cited("Sheep", "10.1000/2")]})))
        == []
    )
