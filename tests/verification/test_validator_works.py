"""Verdicts where records are of several works: which of them is cited."""

from dataclasses import replace

import pytest

from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.verdict import Status
from tests.verification.demos import BY_TITLE, OTHER, RECORD, REFERENCE, VALIDATOR, found


def test_decide_a_short_title_of_other_people_is_not_the_work() -> None:
    record = replace(RECORD, title="Introduction")
    verdict = VALIDATOR.decide(
        replace(REFERENCE, title="Introduction", authors=("X. Yu",)), found(Candidate(record, 1.0))
    )
    assert (verdict.status, verdict.reason) == (Status.UNVERIFIED, "common_title")


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


def test_decide_people_and_identifier_of_a_work_under_another_title() -> None:
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
