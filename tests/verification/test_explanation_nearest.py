"""The nearest works of a reference: which are named, in which order, and what is said of each
field.
"""

from dataclasses import replace

import pytest

from citeproof.model.findings import Agreement, FieldName, NearestWork
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.report.wording import relation
from citeproof.verification.explanation import SHOWN, near_miss, nearest_works
from citeproof.verification.validation.compare.venues import NO_VENUES

WORK = Record(
    "w",
    "Counting Sheep at Night",
    ("Ada Alma", "Bo Berg"),
    2020,
    "DEMO",
    doi="10.1145/1",
    arxiv_id="2001.00001",
)
CITED = Reference(
    "r", WORK.title, WORK.authors, year=2020, venue="DEMO", doi="10.1145/1", arxiv_id="2001.00001"
)

FIELDS = [
    ("title", {"title": "counting sheep at night"}, Agreement.SAME),
    ("title", {"title": "Counting Goats at Night"}, Agreement.PARTLY),
    ("title", {"title": "Herding Cats by Day"}, Agreement.DIFFERENT),
    ("title", {"title": ""}, Agreement.ABSENT),
    ("authors", {"authors": ("Berg, B.", "Alma, A.")}, Agreement.SAME),
    ("authors", {"authors": ("Alma, A.",), "and_others": True}, Agreement.SAME),
    ("authors", {"authors": ("Alma, A.",)}, Agreement.PARTLY),
    ("authors", {"authors": ("Alma, A.", "Chen, C.")}, Agreement.PARTLY),
    ("authors", {"authors": ("Chen, C.",)}, Agreement.DIFFERENT),
    ("authors", {"authors": ()}, Agreement.ABSENT),
    ("year", {}, Agreement.SAME),
    ("year", {"year": 2021}, Agreement.DIFFERENT),
    ("year", {"year": None}, Agreement.ABSENT),
    ("venue", {}, Agreement.SAME),
    ("venue", {"venue": "Springer"}, Agreement.UNCLEAR),
    ("venue", {"venue": "Journal of Entirely Other Matters"}, Agreement.UNCLEAR),
    ("venue", {"venue": ""}, Agreement.ABSENT),
    ("doi", {"doi": "10.1145/2"}, Agreement.DIFFERENT),
    ("doi", {"doi": "10.48550/arxiv.2001.00001"}, Agreement.UNCLEAR),
    ("doi", {"doi": ""}, Agreement.ABSENT),
    ("arxiv_id", {}, Agreement.SAME),
    ("arxiv_id", {"arxiv_id": "2001.00002"}, Agreement.DIFFERENT),
]


def nearest(reference: Reference, candidates: list[Candidate]) -> tuple[NearestWork, ...]:
    return nearest_works(
        Verdict(reference, Status.UNVERIFIED, "title_not_found", 0.5), candidates, NO_VENUES
    )


def by(match: MatchKind, similarity: float = 1.0, **changes: object) -> Candidate:
    return Candidate(replace(WORK, **changes), similarity, match)  # type: ignore[arg-type]


@pytest.mark.parametrize(("field", "changes", "agreement"), FIELDS)
def test_nearest_works_a_field_is_held_against_the_record(
    field: FieldName, changes: dict[str, object], agreement: Agreement
) -> None:
    reference = replace(CITED, **changes)  # type: ignore[arg-type]
    alike = 0.3 if "Cats" in reference.title else 0.9
    (work,) = nearest(reference, [Candidate(WORK, alike)])
    assert [item.field for item in work.fields] == [
        "title",
        "authors",
        "year",
        "venue",
        "doi",
        "arxiv_id",
    ]
    assert {item.field: item.agreement for item in work.fields}[field] is agreement


def test_nearest_works_what_only_one_side_has_is_named() -> None:
    reference = replace(CITED, title="Counting Goats at Night", authors=("Alma, A.", "Chen, C."))
    (work,) = nearest(reference, [Candidate(WORK, 0.9)])
    title, authors = work.fields[:2]
    assert (title.only_cited, title.only_recorded) == (("Goats",), ("Sheep",))
    assert (authors.only_cited, authors.only_recorded) == (("Chen, C.",), ("Bo Berg",))


def test_nearest_works_one_work_that_several_roads_lead_to_is_named_once() -> None:
    (work,) = nearest(
        CITED, [by(MatchKind.TITLE), by(MatchKind.DOI), by(MatchKind.TITLE, key="twin")]
    )
    assert work.found_by == (MatchKind.TITLE, MatchKind.DOI)
    assert work.record.key == "w"


@pytest.mark.parametrize(
    ("authors", "named"),
    [
        (("Chen, C.", "Dorn, D."), ["t", "p"]),
        (("Alma, A.", "Berg, B."), ["t"]),
        (("Chen, C.", "Eng, E.", "Fox, F."), ["t"]),
        (("Alma, A.", "Chen, C."), ["t"]),
    ],
    ids=["other people", "the people of the title", "fewer than half", "no more than there"],
)
def test_people_are_named_where_they_have_more_of_the_cited_names(
    authors: tuple[str, ...], named: list[str]
) -> None:
    people = by(
        MatchKind.AUTHORS, 0.2, key="p", title="Herding Cats", authors=("Cy Chen", "Di Dorn")
    )
    works = nearest(replace(CITED, authors=authors), [by(MatchKind.TITLE, key="t"), people])
    assert [work.record.key for work in works] == named


@pytest.mark.parametrize(
    ("changes", "similarity", "named"),
    [
        ({"year": 2019}, 0.2, False),
        ({"venue": "OTHER"}, 0.2, False),
        ({"authors": ("Ada Alma", "Bo Berg", "Cy Chen")}, 0.2, False),
        ({"year": 2019}, 0.7, True),
        ({}, 0.2, True),
    ],
    ids=[
        "another year",
        "another venue",
        "more people",
        "a title that is alike",
        "all but the title",
    ],
)
def test_nearest_works_where_nobody_has_the_title_a_work_of_the_people_needs_more(
    changes: dict[str, object], similarity: float, named: bool
) -> None:
    work = by(MatchKind.AUTHORS, similarity, title="Herding Cats", **changes)
    assert bool(nearest(CITED, [work])) is named


def test_nearest_works_the_works_of_the_people_are_few_and_the_nearest_title_is_first() -> None:
    people = [
        by(MatchKind.AUTHORS, n / 10, key=str(n), title=f"Herding {n} Cats") for n in range(6)
    ]
    others = [
        by(MatchKind.TITLE, 1 - n / 100, key=f"t{n}", title=f"Sheep {n}", authors=("X Y",))
        for n in range(6)
    ]
    works = nearest(replace(CITED, title="Cats"), [*people, *others])
    assert len(works) == SHOWN
    assert [work.record.key for work in works] == ["t0", "t1", "t2", "5", "4"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "meant"),
        ({"title": "Counting Goats at Night"}, "meant"),
        ({"authors": ("Chen, C.",)}, "title and DOI and arXiv id of"),
        ({"authors": ("Chen, C.",), "doi": "", "arxiv_id": ""}, "title of"),
        ({"title": "Herding Cats by Day", "doi": "", "arxiv_id": ""}, "authors of"),
        (
            {"title": "Counting Goats at Night", "authors": (), "doi": "", "arxiv_id": ""},
            "similar title",
        ),
        (
            {"title": "Herding Cats", "authors": ("Alma, A.",), "doi": "", "arxiv_id": ""},
            "authors of",
        ),
        (
            {
                "title": "Herding Cats",
                "authors": ("Alma, A.", "Chen, C."),
                "doi": "",
                "arxiv_id": "",
            },
            "1 of 2 authors of",
        ),
        ({"title": "Herding Cats", "authors": ("Chen, C.",), "doi": "", "arxiv_id": ""}, "nearest"),
    ],
)
def test_nearest_works_a_work_says_what_it_is_to_the_reference(
    changes: dict[str, object], said: str
) -> None:
    reference = replace(CITED, **changes)  # type: ignore[arg-type]
    alike = 0.3 if "Cats" in reference.title else 0.9
    (work,) = nearest(reference, [Candidate(WORK, alike)])
    assert relation(work) == said


def test_near_miss_names_a_title_with_a_typing_error() -> None:
    record = Record(
        "k", "Counting sheep with interval trees", ("Ann Alma", "Bo Berg"), 2003, "J. Wool"
    )
    works = (NearestWork(Candidate(record, 0.98), (MatchKind.NEARBY,), ()),)
    assert (
        near_miss(works)
        == " The nearest title is “Counting sheep with interval trees” (Ann Alma and others, J."
        " Wool 2003)."
    )
    assert near_miss((NearestWork(Candidate(record, 0.7), (MatchKind.NEARBY,), ()),)) == ""
