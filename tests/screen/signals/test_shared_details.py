"""Papers that share wrong details."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.screen.signals.shared import same_wrong_details as find
from tests.screen.signals.conftest import Judged, judged

if TYPE_CHECKING:
    from tests.screen.signals.test_shared_alike_not_found import Make


def wrong(number: int, year: str = "1998") -> Judged:
    issues = (("year.off", year),)
    return judged(
        f"Work {number}",
        year=int(year),
        reason="metadata_mismatch",
        issues=issues,
        match=f"work/{number}",
    )


def test_same_wrong_details_groups_papers_with_two_in_common(corpus: Make) -> None:
    made = corpus(
        {"a": [wrong(1), wrong(2)], "b": [wrong(2), wrong(1), wrong(3)], "c": [wrong(1), wrong(2)]}
    )
    (signal,) = find(made)
    assert signal.said == (
        "3 papers describe 2 works in the same way, but not as the records do;"
        " one of them is 'Work 1'."
    )
    assert len(signal.papers) == 3
    assert len(signal.references) == 2


def test_same_wrong_details_ignores_one_in_common(corpus: Make) -> None:
    assert list(find(corpus({"a": [wrong(1), wrong(2)], "b": [wrong(1), wrong(3)]}))) == []


def test_same_wrong_details_ignores_other_mistakes_on_the_same_works(corpus: Make) -> None:
    assert (
        list(find(corpus({"a": [wrong(1), wrong(2)], "b": [wrong(1, "1997"), wrong(2, "1997")]})))
        == []
    )


def open_with(*authors: str) -> Judged:
    """A reference that may be to another version, with a year that no record has."""
    return judged(
        "On Hearths",
        *authors,
        reason="not_confirmed",
        issues=(("version.differs", "1998"),),
        match="work/9",
        recorded=("Mira Osk", "Tam Bray"),
        severity="note",
    )


def test_same_wrong_details_counts_an_open_reference_with_a_name_on_no_record(
    corpus: Make,
) -> None:
    cited = [wrong(1), open_with("Mira Osk", "Lia Venn")]
    (signal,) = find(corpus({"a": cited, "b": cited, "c": cited}))
    assert signal.said.startswith("3 papers describe 2 works in the same way")
    assert len(signal.references) == 2


def test_same_wrong_details_ignores_an_open_reference_with_the_people_of_the_work(
    corpus: Make,
) -> None:
    cited = [wrong(1), open_with("Mira Osk", "Tam Bray")]
    assert list(find(corpus({"a": cited, "b": cited, "c": cited}))) == []
