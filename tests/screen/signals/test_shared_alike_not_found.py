"""Similar titles that were found nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.screen.signals.shared import alike_not_found
from tests.screen.signals.conftest import Judged, judged

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.screen.results import Results

    Make = Callable[[dict[str, list[Judged]]], Results]

TITLE = "Sparse Lanterns for Patient Sorting of Turnips"
PEOPLE = (
    ("Ada Almgren", "Bo Berghaus"),
    ("Cyrus Castellano", "Gwen Drummond"),
    ("Hugo Ivarsson", "Ines Jablonski"),
)


def test_alike_not_found_find_reports_one_title_with_different_authors(corpus: Make) -> None:
    made = corpus({f"p{n}": [judged(TITLE, *people)] for n, people in enumerate(PEOPLE)})
    (signal,) = alike_not_found(made)
    assert len(signal.papers) == len(signal.references) == 3
    assert signal.said == (
        f"3 papers cite a title like '{TITLE}', which no source has; no two of them agree on"
        " authors and title. Different works may have similar titles, so compare these references."
    )


def test_alike_not_found_find_says_how_many_agree(corpus: Make) -> None:
    cited = [(TITLE, PEOPLE[0]), (TITLE, PEOPLE[0]), (TITLE, PEOPLE[1]), (TITLE, PEOPLE[2])]
    made = corpus({f"p{n}": [judged(title, *people)] for n, (title, people) in enumerate(cited)})
    (signal,) = alike_not_found(made)
    assert "; at most 2 of them agree on authors and title." in signal.said


def test_alike_not_found_find_groups_similar_titles(corpus: Make) -> None:
    titles = TITLE, TITLE.replace("Sorting", "Weighing"), TITLE.replace("Turnips", "Kettles")
    made = corpus({f"p{n}": [judged(title, *PEOPLE[0])] for n, title in enumerate(titles)})
    (signal,) = alike_not_found(made)
    assert len(signal.papers) == 3


def test_alike_not_found_find_ignores_a_work_that_papers_agree_on(corpus: Make) -> None:
    spellings = TITLE, TITLE.lower(), TITLE.replace("Turnips", "Turnip")
    papers = {f"p{n}": [judged(title, *PEOPLE[0])] for n, title in enumerate(spellings)}
    made = corpus({**papers, "wrong": [judged(TITLE, *PEOPLE[1])]})
    assert list(alike_not_found(made)) == []


def test_alike_not_found_find_requires_two_papers_to_differ_in_authors_and_title(
    corpus: Make,
) -> None:
    made = corpus(
        {
            "one": [
                judged(TITLE, *PEOPLE[0]),
                judged("Ranking Violins with Almanacs and Ropes", *PEOPLE[0]),
            ],
            "two": [
                judged(TITLE, *PEOPLE[1]),
                judged("Ranking Bridges with Almanacs and Ropes", *PEOPLE[1]),
            ],
        }
    )
    (signal,) = alike_not_found(made)
    assert "Ranking" in signal.said


def test_alike_not_found_find_ignores_found_works_and_single_papers(corpus: Make) -> None:
    papers = {
        f"p{n}": [judged(TITLE, *people, reason="metadata_mismatch")]
        for n, people in enumerate(PEOPLE)
    }
    made = corpus(
        {
            **papers,
            "alone": [judged("Folding Glaciers Greedily in Meadows", *each) for each in PEOPLE],
        }
    )
    assert list(alike_not_found(made)) == []


def test_alike_not_found_find_ignores_group_authors_and_whole_volumes(corpus: Make) -> None:
    volume = "Proceedings of the Symposium on Sheds and Harbours"
    papers = {
        f"p{n}": [judged(volume, *people, entry_type="proceedings")]
        for n, people in enumerate(PEOPLE)
    }
    papers["group"] = [judged(TITLE, "The Herding Group")]
    papers["people"] = [judged(TITLE, *PEOPLE[0])]
    papers["more"] = [judged(TITLE.lower(), *PEOPLE[0])]
    assert list(alike_not_found(corpus(papers))) == []
