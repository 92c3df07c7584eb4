from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status
from citeproof.verification.validation.identity import compare_all, is_surely_of
from citeproof.verification.validator import Validator

BACKPROPAGATION = Reference(
    "a",
    title="On the Complex Backpropagation Algorithm",
    authors=("N. Benvenuto", "F. Piazza"),
    year=1992,
    venue="IEEE Transactions on Signal Processing",
    entry_type="article",
)
REVIEW = Reference(
    "a",
    title="Reinforcement Learning: An Introduction",
    authors=("R. S. Sutton", "A. G. Barto"),
    year=2005,
    venue="IEEE Transactions on Neural Networks",
    volume="16",
    pages="285--286",
    entry_type="article",
)


@pytest.mark.parametrize(
    ("reference", "record", "alike"),
    [
        (
            BACKPROPAGATION,
            Record(
                "journals/tsp/LeungH91a",
                "The complex backpropagation algorithm",
                ("Henry Leung", "Simon Haykin"),
                1991,
                "IEEE Transactions on Signal Processing",
                pub_type="article",
                source="dblp",
            ),
            0.95,
        ),
        (
            REVIEW,
            Record(
                "journals/tnn/SuttonB98",
                "Reinforcement Learning: An Introduction",
                ("Richard S. Sutton", "Andrew G. Barto"),
                1998,
                "IEEE Transactions on Neural Networks",
                pages="1054-1054",
                volume="9",
                pub_type="article",
                source="dblp",
            ),
            1.0,
        ),
    ],
    ids=["a title with one more function word, by others", "two reviews of one page of a book"],
)
def test_works_meant_has_no_other_work_of_a_similar_title(
    reference: Reference, record: Record, alike: float
) -> None:
    findings = Findings(
        (Candidate(record, alike),), (Inquiry("db", Outcome.ANSWERED, complete=True),)
    )
    assert (
        Validator(today=lambda: date(2026, 11, 20)).decide(reference, findings).status
        is Status.UNVERIFIED
    )


@pytest.mark.parametrize(
    ("year", "venue", "meant"),
    [(2011, "ICS", True), (2010, "ICS", False), (None, "ICS 1999", False)],
)
def test_works_meant_are_not_papers_with_similar_titles_of_another_edition(
    year: int | None, venue: str, meant: bool
) -> None:
    record = Record(
        "conf/ics/A11",
        "Beyond parsing: learning to herd",
        ("Ann Alma",),
        2011,
        "ICS",
        "inproceedings",
    )
    cited = Reference(
        "a", "From parsing to learning to herd", ("Ann Alma",), year=year, venue=venue
    )
    findings = Findings(
        (Candidate(record, 0.92),), (Inquiry("db", Outcome.ANSWERED, complete=True),)
    )
    verdict = Validator(today=lambda: date(2026, 11, 20)).decide(cited, findings)
    assert (verdict.status is Status.SUSPICIOUS) == meant


@pytest.mark.parametrize("source", ["", "other.db"])
def test_compare_all_takes_records_without_a_key_for_what_they_are(source: str) -> None:
    """Databases of other tools and old caches have no keys."""
    cited = Reference("a", "Sheep and Their Ropes", ("Ann Alma",), year=2001)
    other = Record("", "Sheep and Their Ropes Revisited", ("Bo Ek",), 1990, source=source)
    exact = Record("", "Sheep and Their Ropes", ("Ann Alma",), 2001, source=source)
    for records in ((other, exact), (exact, other)):
        candidates = [Candidate(record, 0.95) for record in records]
        assert {item.record for item in compare_all(cited, candidates)} == {other, exact}
    again = compare_all(cited, [Candidate(exact, 1.0), Candidate(exact, 1.0)])
    assert [item.record for item in again] == [exact]


@pytest.mark.parametrize(
    ("changes", "match", "is_surely"),
    [
        ({}, MatchKind.TITLE, True),
        ({"authors": ()}, MatchKind.TITLE, True),
        ({"year": 1999, "venue": "Neural Networks"}, MatchKind.TITLE, True),
        ({}, MatchKind.WEB, False),
        ({"authors": ("Henry Leung", "Simon Haykin")}, MatchKind.TITLE, False),
        ({"title": "The Complex Backpropagation Algorithm"}, MatchKind.TITLE, False),
        ({"title": f"{BACKPROPAGATION.title}: Proofs and Three Cases"}, MatchKind.TITLE, False),
        ({"publtype": "encyclopedia", "year": 2001}, MatchKind.TITLE, False),
    ],
)
def test_a_record_that_is_surely_of_the_work_has_its_title_and_people(
    changes: dict[str, Any], match: MatchKind, is_surely: bool
) -> None:
    cited = BACKPROPAGATION
    record = replace(Record("k", cited.title, cited.authors, cited.year, cited.venue), **changes)
    assert is_surely_of(cited, Candidate(record, 1.0, match)) is is_surely
