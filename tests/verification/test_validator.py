"""Whole verdicts: one reference, the records that were found, and what must follow."""

from dataclasses import replace
from datetime import date

import pytest

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import Status
from citeproof.verification.validation.policy import WEIGHTS, Policy, Weight
from citeproof.verification.validator import Validator

RECORD = Record(
    key="conf/demo/AlmaB20",
    title="Counting Sheep with Sparse Attention Networks",
    authors=("Ada Alma", "Bo Berg", "Cy Chen"),
    year=2020,
    venue="DEMO",
    doi="10.1145/demo.2020.1",
    source="dblp",
)
OTHER = Record(
    "conf/demo/Other19",
    "Herding Cats by Gradient Descent",
    ("Di Dorn",),
    2019,
    "DEMO",
    source="dblp",
)
REFERENCE = Reference(
    key="a", title=RECORD.title, authors=RECORD.authors, year=2020, entry_type="inproceedings"
)
ANSWERED = Inquiry("bibliographic database", Outcome.ANSWERED, complete=True)
FAILED = Inquiry("crossref", Outcome.FAILED, "timed out")
VALIDATOR = Validator(today=lambda: date(2026, 11, 20))


def found(*candidates: Candidate, inquiry: Inquiry = ANSWERED) -> Findings:
    return Findings(candidates=candidates, inquiries=(inquiry,))


BY_TITLE = Candidate(RECORD, 1.0)

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
def test_verdict(
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


def test_decide_a_short_title_of_other_people_is_not_the_work() -> None:
    record = replace(RECORD, title="Introduction")
    verdict = VALIDATOR.decide(
        replace(REFERENCE, title="Introduction", authors=("X. Yu",)), found(Candidate(record, 1.0))
    )
    assert (verdict.status, verdict.reason) == (Status.UNVERIFIED, "common_title")


def test_decide_a_failed_source_makes_an_error_of_a_miss_and_of_nothing_else() -> None:
    miss = VALIDATOR.decide(
        replace(REFERENCE, title="Nobody ever wrote this"), found(inquiry=FAILED)
    )
    hit = VALIDATOR.decide(REFERENCE, found(BY_TITLE, inquiry=FAILED))
    assert (miss.status, miss.reason) == (Status.ERROR, "source_failed")
    assert hit.status is Status.VALID


def test_decide_keeps_what_local_records_prove_though_a_source_failed() -> None:
    cited = replace(REFERENCE, year=2023)
    local = replace(found(BY_TITLE, inquiry=FAILED), local=1)
    verdict = VALIDATOR.decide(cited, local)
    assert (verdict.status, [issue.code for issue in verdict.issues]) == (
        Status.SUSPICIOUS,
        ["year.off", "sources.failed"],
    )
    assert VALIDATOR.decide(cited, replace(local, local=0)).reason == "source_failed"


@pytest.mark.parametrize(
    ("year", "status", "reason"),
    [
        (2020, Status.VALID, "record_agrees"),
        (2023, Status.UNVERIFIED, "remembered_differs"),
    ],
)
def test_decide_says_that_a_remembered_record_differs(
    year: int, status: Status, reason: str
) -> None:
    findings = replace(found(), remembered=(BY_TITLE,))
    verdict = VALIDATOR.decide(replace(REFERENCE, year=year), findings)
    assert (verdict.status, verdict.reason) == (status, reason)


def test_decide_nobody_was_asked() -> None:
    assert VALIDATOR.decide(REFERENCE, Findings()).reason == "not_asked"


def test_decide_the_homonym_that_agrees_best_is_compared() -> None:
    twin = replace(RECORD, key="x", authors=("Di Dorn", "Ed Eng"), year=2020)
    verdict = VALIDATOR.decide(REFERENCE, found(Candidate(twin, 1.0), BY_TITLE))
    assert verdict.status is Status.VALID
    assert verdict.best_match == BY_TITLE


def test_decide_preprint_and_publication_are_one_work() -> None:
    preprint = replace(RECORD, key="journals/corr/abs-1801-00001", year=2018, venue="CoRR", doi="")
    verdict = VALIDATOR.decide(
        replace(REFERENCE, year=2018), found(Candidate(preprint, 1.0), BY_TITLE)
    )
    assert verdict.status is Status.VALID


def test_decide_what_is_not_valid_names_the_works_that_may_be_meant() -> None:
    findings = found(Candidate(OTHER, 0.6, MatchKind.NEARBY))
    verdict = VALIDATOR.decide(replace(REFERENCE, title="Nobody ever wrote this one"), findings)
    verdict = VALIDATOR.explain(verdict, findings)
    assert [candidate.record.title for candidate in verdict.meant] == [OTHER.title]


def test_decide_what_is_valid_needs_no_explanation_and_has_a_chance() -> None:
    findings = found(BY_TITLE)
    verdict = VALIDATOR.decide(REFERENCE, findings)
    explained = VALIDATOR.explain(verdict, findings)
    assert explained.chance
    assert explained.chance.invented < 0.001
    assert replace(explained, chance=None) == verdict


def test_people_and_identifier_of_a_work_under_another_title() -> None:
    reference = replace(REFERENCE, title="Nobody ever wrote this one", doi=RECORD.doi)
    verdict = VALIDATOR.decide(reference, found(Candidate(RECORD, 0.4, MatchKind.DOI)))
    assert (verdict.status, [item.code for item in verdict.issues]) == (
        Status.SUSPICIOUS,
        ["title.different"],
    )


def test_decide_another_number_is_another_work_by_the_same_people() -> None:
    record = replace(RECORD, title="Counting Sheep, Part I")
    verdict = VALIDATOR.decide(
        replace(REFERENCE, title="Counting Sheep, Part II"), found(Candidate(record, 0.97))
    )
    assert (verdict.status, verdict.reason) == (Status.UNVERIFIED, "title_not_found")


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


def test_decide_a_doi_of_a_neighbour_in_the_cited_volume_is_a_slip() -> None:
    neighbour = Candidate(
        replace(OTHER, doi="10.1145/demo.2019.2", venue="Journal of Demos"), 0.1, MatchKind.DOI
    )
    cited = replace(
        REFERENCE,
        doi="10.1145/demo.2019.2",
        year=2019,
        venue="Journal of Demos",
        entry_type="article",
    )
    assert VALIDATOR.decide(cited, found(neighbour)).status is Status.SUSPICIOUS
    assert VALIDATOR.decide(replace(cited, year=2012), found(neighbour)).status is Status.INVALID


def test_decide_sessions_of_two_editions_bear_one_title() -> None:
    session = replace(
        RECORD, title="Session 7: Natural Languages of Sheep", venue="Journal of Demos"
    )
    cited = replace(
        REFERENCE,
        title="Session 9: Natural Languages of Sheep",
        venue="Journal of Demos",
        authors=("Di Dorn",),
    )
    assert VALIDATOR.decide(cited, found(Candidate(session, 0.95))).status is Status.UNVERIFIED


@pytest.mark.parametrize(("gap", "code"), [(0, "doi.link"), (1, "doi.link"), (2, "doi.other_work")])
def test_decide_the_doi_of_proceedings_may_stand_for_a_paper_of_about_their_year(
    gap: int, code: str
) -> None:
    proceedings = Record(
        "conf/demo/2020",
        "Proceedings of the Conference on Demos",
        ("Ed Editor",),
        2020 - gap,
        "DEMO",
        "proceedings",
        doi="10.1145/demo.2020",
        source="dblp",
    )
    cited = replace(REFERENCE, doi=proceedings.doi)
    by_doi = Candidate(proceedings, 0.2, MatchKind.DOI)
    verdict = VALIDATOR.decide(cited, found(BY_TITLE, by_doi))
    assert code in [issue.code for issue in verdict.issues]
