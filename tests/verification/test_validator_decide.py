"""Verdicts: one reference, the records that were found, and what must follow."""

from dataclasses import replace
from datetime import date

import pytest

from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import Status
from citeproof.verification.validation.policy import WEIGHTS, Policy, Weight
from citeproof.verification.validator import Validator
from tests.verification.demos import BY_TITLE, OTHER, RECORD, REFERENCE, VALIDATOR, found

CASES = [
    ("as recorded", {}, (BY_TITLE,), Status.VALID, "record_agrees", []),
    ("a year off", {"year": 2021}, (BY_TITLE,), Status.VALID, "record_agrees", ["year.near"]),
    (
        "three years off",
        {"year": 2023},
        (BY_TITLE,),
        Status.SUSPICIOUS,
        "metadata_mismatch",
        ["year.off"],
    ),
    ("in the future", {"year": 2030}, (BY_TITLE,), Status.INVALID, "future_date", ["year.future"]),
    (
        "the future, not found",
        {"year": 2030, "title": "No such thing here"},
        (),
        Status.INVALID,
        "future_date",
        ["year.future"],
    ),
    (
        "dropped authors",
        {"authors": ("A. Alma", "B. Berg")},
        (BY_TITLE,),
        Status.SUSPICIOUS,
        "metadata_mismatch",
        ["authors.dropped"],
    ),
    (
        "and others",
        {"authors": ("A. Alma",), "and_others": True},
        (BY_TITLE,),
        Status.VALID,
        "record_agrees",
        [],
    ),
    (
        "one invented",
        {"authors": ("A. Alma", "B. Berg", "X. Yu")},
        (BY_TITLE,),
        Status.SUSPICIOUS,
        "metadata_mismatch",
        ["authors.not_on_record"],
    ),
    (
        "other people",
        {"authors": ("X. Yu", "Y. Zorn")},
        (BY_TITLE,),
        Status.SUSPICIOUS,
        "metadata_mismatch",
        ["authors.other_people"],
    ),
    (
        "placeholder",
        {"authors": ("Anonymous",)},
        (BY_TITLE,),
        Status.SUSPICIOUS,
        "placeholder_authors",
        ["authors.placeholder"],
    ),
    (
        "order",
        {"authors": ("Bo Berg", "Ada Alma", "Cy Chen")},
        (BY_TITLE,),
        Status.VALID,
        "record_agrees",
        ["authors.order"],
    ),
    ("own doi", {"doi": "10.1145/demo.2020.1"}, (BY_TITLE,), Status.VALID, "record_agrees", []),
    (
        "arXiv's doi",
        {"doi": "10.48550/arxiv.1911.00001"},
        (BY_TITLE,),
        Status.VALID,
        "record_agrees",
        [],
    ),
    ("a short doi", {"doi": "10/abc12"}, (BY_TITLE,), Status.VALID, "record_agrees", ["doi.short"]),
    (
        "an unknown doi of a publisher who gave two to some papers",
        {"doi": "10.1145/demo.2020.9"},
        (BY_TITLE,),
        Status.UNVERIFIED,
        "not_confirmed",
        ["doi.second"],
    ),
    (
        "no doi at all",
        {"doi": "12345"},
        (BY_TITLE,),
        Status.SUSPICIOUS,
        "malformed_identifier",
        ["doi.malformed"],
    ),
    (
        "impossible month",
        {"arxiv_id": "2013.12345"},
        (BY_TITLE,),
        Status.SUSPICIOUS,
        "malformed_identifier",
        ["arxiv.malformed"],
    ),
    (
        "later preprint",
        {"arxiv_id": "2401.12345"},
        (BY_TITLE,),
        Status.SUSPICIOUS,
        "metadata_mismatch",
        ["arxiv.after_year"],
    ),
    (
        "doi of another",
        {"doi": "10.1145/x"},
        (BY_TITLE, Candidate(OTHER, 0.3, MatchKind.DOI)),
        Status.INVALID,
        "identity_conflict",
        ["doi.other_work"],
    ),
    (
        "arXiv id of another",
        {"arxiv_id": "1911.00001"},
        (BY_TITLE, Candidate(OTHER, 0.3, MatchKind.ARXIV_ID)),
        Status.INVALID,
        "identity_conflict",
        ["arxiv.other_work"],
    ),
    (
        "word changed",
        {"title": "Counting Goats with Sparse Attention Networks"},
        (Candidate(RECORD, 0.93),),
        Status.SUSPICIOUS,
        "metadata_mismatch",
        ["title.word_changed"],
    ),
    (
        "one word of few, all else agrees",
        {"title": "Counting Goats Softly", "venue": "DEMO"},
        (Candidate(replace(RECORD, title="Counting Sheep Softly"), 0.8, MatchKind.AUTHORS),),
        Status.SUSPICIOUS,
        "metadata_mismatch",
        ["title.word_changed"],
    ),
    (
        "one word with a hyphen",
        {"title": "Counting Goat-Like Softly", "venue": "DEMO"},
        (Candidate(replace(RECORD, title="Counting Sheep Softly"), 0.8, MatchKind.AUTHORS),),
        Status.SUSPICIOUS,
        "metadata_mismatch",
        ["title.word_changed"],
    ),
    *(
        (
            f"one word of few, {what}",
            {"title": "Counting Goats Softly", "venue": "DEMO"} | changes,
            (Candidate(replace(RECORD, title=title), 0.8, MatchKind.AUTHORS),),
            Status.UNVERIFIED,
            "title_not_found",
            [],
        )
        for what, changes, title in (
            ("another year", {"year": 2021}, "Counting Sheep Softly"),
            ("no year", {"year": None}, "Counting Sheep Softly"),
            ("no venue", {"venue": ""}, "Counting Sheep Softly"),
            ("a name is missing", {"authors": RECORD.authors[:2]}, "Counting Sheep Softly"),
            ("a stranger", {"authors": (*RECORD.authors, "X. Yu")}, "Counting Sheep Softly"),
            ("a number", {"title": "Counting Sheep 2"}, "Counting Sheep 3"),
            ("a heading", {"title": "Guest Editorial Sheep"}, "Guest Editorial Goats"),
            ("two words", {}, "Herding Sheep Softly"),
        )
    ),
    (
        "nowhere",
        {"title": "Nobody ever wrote this one"},
        (),
        Status.UNVERIFIED,
        "title_not_found",
        [],
    ),
    (
        "near only",
        {"title": "Nobody ever wrote this one"},
        (Candidate(OTHER, 0.6, MatchKind.NEARBY),),
        Status.UNVERIFIED,
        "title_not_found",
        [],
    ),
    (
        "web page",
        {"title": "Our great web page", "entry_type": "online"},
        (),
        Status.UNVERIFIED,
        "out_of_scope",
        [],
    ),
    ("no title", {"title": " . "}, (), Status.UNVERIFIED, "no_title", []),
]


@pytest.mark.parametrize(
    ("changes", "candidates", "status", "reason", "codes"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_decide_follows_from_the_records(
    changes: dict[str, object],
    candidates: tuple[Candidate, ...],
    status: Status,
    reason: str,
    codes: list[str],
) -> None:
    verdict = VALIDATOR.decide(replace(REFERENCE, **changes), found(*candidates))  # type: ignore[arg-type]
    assert (verdict.status, verdict.reason, [issue.code for issue in verdict.issues]) == (
        status,
        reason,
        codes,
    )


def test_decide_a_policy_decides_what_a_difference_does() -> None:
    late = replace(REFERENCE, year=2021)
    strict = Policy({**WEIGHTS, "year.near": Weight.ISSUE})
    assert VALIDATOR.decide(late, found(BY_TITLE)).status is Status.VALID
    verdict = Validator(policy=strict, today=lambda: date(2026, 11, 20)).decide(
        late, found(BY_TITLE)
    )
    assert verdict.status is Status.SUSPICIOUS
    assert [(item.code, item.severity) for item in verdict.issues] == [
        ("year.near", Severity.ISSUE)
    ]


def test_decide_a_book_may_have_no_known_author() -> None:
    book = Reference(
        "a", "The book of lamps", ("Anonymous",), entry_type="book", publisher="Lantern Press"
    )
    paper = replace(book, entry_type="article", venue="J. Lamps")
    assert VALIDATOR.decide(book, found()).status is Status.UNVERIFIED
    nobody = replace(paper, authors=("John Doe",))
    assert VALIDATOR.decide(nobody, found()).reason == "placeholder_authors"


@pytest.mark.parametrize("name", ["Unknown", "Anonymous", "n.a."])
def test_decide_a_web_page_may_have_no_known_author(name: str) -> None:
    page = Reference("a", "The lamps of Oz", (name,), entry_type="misc")
    assert VALIDATOR.decide(page, found()).status is Status.UNVERIFIED
    paper = replace(page, venue="J. Lamps")
    lamps = Candidate(Record("k", page.title, ("Ann Alma",), 2001, "J. Lamps", "article"), 1.0)
    assert VALIDATOR.decide(paper, found()).status is Status.UNVERIFIED, "it may be printed so"
    assert VALIDATOR.decide(paper, found(lamps)).reason == "placeholder_authors"
    printed = replace(paper, authors=(name, "Ann Alma"))
    assert VALIDATOR.decide(printed, found()).status is Status.UNVERIFIED
