"""The same invention in several papers is found; works that the database lacks are not taken for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.screen.signals.alike_not_found import find
from tests.screen.signals.conftest import Judged, judged

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.screen.corpus import Corpus

    Make = Callable[[dict[str, list[Judged]]], Corpus]

TITLE = "Sparse Lanterns for Patient Sorting of Turnips"
PEOPLE = ("Ada Almgren", "Bo Berghaus"), ("Cyrus Castellano", "Gwen Drummond"), ("Hugo Ivarsson", "Ines Jablonski")


def test_one_title_with_other_people_in_each_paper_is_one_signal(corpus: Make) -> None:
    made = corpus({f"p{n}": [judged(TITLE, *people)] for n, people in enumerate(PEOPLE)})
    (signal,) = find(made)
    assert len(signal.papers) == len(signal.references) == 3
    assert "3 papers" in signal.said
    assert TITLE in signal.said


def test_titles_that_are_alike_belong_together(corpus: Make) -> None:
    titles = TITLE, TITLE.replace("Sorting", "Weighing"), TITLE.replace("Turnips", "Kettles")
    made = corpus({f"p{n}": [judged(title, *PEOPLE[0])] for n, title in enumerate(titles)})
    (signal,) = find(made)
    assert len(signal.papers) == 3


def test_a_work_that_the_database_lacks_is_no_signal(corpus: Make) -> None:
    spellings = TITLE, TITLE.lower(), TITLE.replace("Turnips", "Turnip")
    papers = {f"p{n}": [judged(title, *PEOPLE[0])] for n, title in enumerate(spellings)}
    made = corpus({**papers, "wrong": [judged(TITLE, *PEOPLE[1])]})
    assert find(made) == []


def test_two_papers_must_disagree_in_both(corpus: Make) -> None:
    made = corpus(
        {
            "one": [judged(TITLE, *PEOPLE[0]), judged("Ranking Violins with Almanacs and Ropes", *PEOPLE[0])],
            "two": [judged(TITLE, *PEOPLE[1]), judged("Ranking Bridges with Almanacs and Ropes", *PEOPLE[1])],
        }
    )
    (signal,) = find(made)
    assert "Ranking" in signal.said


def test_what_was_found_or_stands_in_one_paper_is_no_signal(corpus: Make) -> None:
    papers = {f"p{n}": [judged(TITLE, *people, reason="metadata_mismatch")] for n, people in enumerate(PEOPLE)}
    made = corpus({**papers, "alone": [judged("Folding Glaciers Greedily in Meadows", *each) for each in PEOPLE]})
    assert find(made) == []


def test_groups_as_authors_and_whole_volumes_say_nothing(corpus: Make) -> None:
    volume = "Proceedings of the Symposium on Sheds and Harbours"
    papers = {f"p{n}": [judged(volume, *people, entry_type="proceedings")] for n, people in enumerate(PEOPLE)}
    papers["group"] = [judged(TITLE, "The Herding Group")]
    papers["people"] = [judged(TITLE, *PEOPLE[0])]
    papers["more"] = [judged(TITLE.lower(), *PEOPLE[0])]
    assert find(corpus(papers)) == []
