"""Sentences that a person can act on: every reason and code has one, and what they say of real
differences.
"""

import re
from typing import get_args

import pytest

from citeproof.model.findings import Agreement, FieldComparison, FieldName, NearestWork
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.report.advice import FOR_ISSUES, FOR_REASONS, field_of, sentence
from citeproof.verification.validation.codes import CODES, REASONS

FIELDS = get_args(FieldName)
WORK = Candidate(Record("k", "A Title", ("Sanjay Ghemawat", "Howard Gobioff")), 1.0)


def verdict(
    *issues: tuple[str, str, str, str],
    status: Status = Status.SUSPICIOUS,
    **fields: FieldComparison,
) -> Verdict:
    compared = tuple(
        fields.get(name, FieldComparison(name, Agreement.SAME, "x", "x")) for name in FIELDS
    )
    return Verdict(
        Reference("key", "A Title", ("Sanjay Ghemawat", "Quillon Marrowby")),
        status,
        "metadata_mismatch",
        0.9,
        tuple(
            Issue(code, Severity.ISSUE, cited, recorded, said)
            for code, cited, recorded, said in issues
        ),
        WORK,
        (NearestWork(WORK, (), compared),),
    )


def test_every_reason_and_every_code_has_its_sentence() -> None:
    assert set(FOR_REASONS) == set(REASONS)
    assert set(FOR_ISSUES) == set(CODES)


def test_a_sentence_for_a_reason_is_one() -> None:
    assert [said for said in FOR_REASONS.values() if not re.fullmatch(r"[A-Zc][^.]*\.", said)] == []


@pytest.mark.parametrize("code", FOR_ISSUES)
def test_sentence_each_part_can_be_filled_in_and_shows_no_code(code: str) -> None:
    said = sentence(verdict((code, "one two", "one three", "the rule's words")))
    assert said.endswith(".")
    assert "{" not in said
    assert code not in said


@pytest.mark.parametrize(
    ("issue", "said"),
    [
        (("year.off", "1988", "1984", ""), "The year is 1984, not 1988; the rest agrees."),
        (
            ("title.word_changed", "a graph b", "a network b", ""),
            "Correct the title: the record has “network”, not “graph”; the rest agrees.",
        ),
        (
            ("title.word_changed", "a b", "a new b", ""),
            "Correct the title: the record also has “new”; the rest agrees.",
        ),
        (
            ("title.word_changed", "x b y", "c b d", ""),
            "Correct the title: the words that differ are marked; the rest agrees.",
        ),
        (
            ("authors.dropped", "A", "A; B; C", ""),
            "Name all authors, or end the list with “and others”: 1 of 3 are cited; the rest"
            " agrees.",
        ),
        (
            ("doi.other_work", "10.1/x", "Another (A)", ""),
            "Correct the DOI: the DOI belongs to another work, Another (A); the rest agrees.",
        ),
    ],
)
def test_sentence_a_wrong_field_of_an_identified_work(
    issue: tuple[str, str, str, str], said: str
) -> None:
    assert sentence(verdict(issue)) == said


def test_one_person_for_another_is_named_with_the_place_in_the_list() -> None:
    authors = FieldComparison(
        "authors",
        Agreement.PARTLY,
        "",
        "",
        only_cited=("Quillon Marrowby",),
        only_recorded=("Howard Gobioff",),
    )
    issue = ("authors.not_on_record", "Quillon Marrowby", "Sanjay Ghemawat; Howard Gobioff", "")
    assert (
        sentence(verdict(issue, authors=authors))
        == "Correct the authors: the second is Howard Gobioff, not Quillon Marrowby; the rest"
        " agrees."
    )


def test_sentence_the_rest_agrees_only_where_it_does() -> None:
    venue = FieldComparison("venue", Agreement.DIFFERENT, "one", "another")
    assert (
        sentence(verdict(("year.off", "1988", "1984", ""), venue=venue))
        == "The year is 1984, not 1988."
    )


def test_sentence_an_impossible_reference_is_not_said_to_agree() -> None:
    said = sentence(verdict(("doi.other_work", "10.1/x", "Another (A)", ""), status=Status.INVALID))
    assert said == "Find out which work is meant: the DOI belongs to another work, Another (A)."


def test_sentence_the_gravest_is_said_first_and_no_more_than_three() -> None:
    issues = [
        (code, "1", "2", "")
        for code in ("doi.differs", "venue.twice", "year.off", "title.word_changed")
    ]
    assert (
        sentence(verdict(*issues))
        == "Correct the title: the record has “2”, not “1”; the year is 2, not 1; the venue is 2,"
        " not 1; and 1 more difference."
    )


def test_sentence_a_cut_value_leaves_no_bracket_open() -> None:
    work = (
        "A Rather Long Title of Another Work (Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob"
        " Uszkoreit)"
    )
    said = sentence(verdict(("doi.other_work", "10.1/x", work, "")))
    assert said.endswith("(Ashish Vaswani, Noam Shazeer,…); the rest agrees.")


def test_of_one_field_only_the_gravest_is_said() -> None:
    issues = [("arxiv.after_year", "1", "2", "later"), ("arxiv.other_work", "1", "Another", "")]
    assert "year" not in sentence(verdict(*issues))


def test_sentence_what_a_format_could_not_read_says_so_itself() -> None:
    issue = Issue("bibtex.unbalanced", Severity.ISSUE, "", "", "a brace is never closed")
    assert (
        sentence(Verdict(Reference("k"), Status.ERROR, "unreadable_entry", 1.0, (issue,)))
        == "A brace is never closed."
    )


@pytest.mark.parametrize(
    ("code", "field"),
    [
        ("year.off", "year"),
        ("arxiv.unknown", "arxiv_id"),
        ("volume.absent", "venue"),
        ("volume.differs", "volume"),
    ],
)
def test_field_of_the_field_of_a_code(code: str, field: str) -> None:
    assert field_of(code) == field
