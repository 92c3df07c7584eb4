from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.verification.validation.rules.placeholders import rule
from tests.verification.validation.cases import case, codes
from tests.verification.validation.conferences import CLAIM, KNOWN, PAPER

if TYPE_CHECKING:
    from citeproof.model.record import Record

CITED = replace(CLAIM, venue="ICS")
PLACEHOLDER = ["authors.placeholder"]


@pytest.mark.parametrize(
    ("authors", "records", "expected"),
    [
        (("Firstname Lastname",), (PAPER,), PLACEHOLDER),
        (("Firstname Lastname",), (), PLACEHOLDER),
        (("Firstname Lastname", "Ann Alma"), (PAPER,), PLACEHOLDER),
        (("Anonymous",), (PAPER,), PLACEHOLDER),
        # a paper may be printed so
        (("Anonymous",), (), []),
        (("Anonymous",), (replace(PAPER, authors=("Anonymous",)),), []),
        (("Anonymous", "Ann Alma"), (PAPER,), []),
        (("Ann Alma",), (PAPER,), []),
    ],
)
def test_rule_reports_placeholders_where_a_record_has_people(
    authors: tuple[str, ...], records: tuple[Record, ...], expected: list[str]
) -> None:
    assert codes(rule(case(replace(CITED, authors=authors), records, venues=KNOWN))) == expected


def test_rule_believes_the_work_of_the_cited_doi_to_be_printed_without_a_name() -> None:
    cited = replace(CITED, authors=("Anonymous",), doi="10.1145/1.2")
    assert codes(rule(case(cited, (replace(PAPER, doi="10.1145/1.2"),), venues=KNOWN))) == []
    assert codes(rule(case(cited, (PAPER,), venues=KNOWN))) == PLACEHOLDER


def test_rule_a_book_may_have_a_placeholder_as_its_only_author() -> None:
    book = replace(CITED, authors=("Firstname Lastname",), entry_type="book", venue="")
    assert codes(rule(case(book))) == []
    two = replace(book, authors=("Firstname Lastname", "Ann Alma"))
    assert codes(rule(case(two))) == PLACEHOLDER


def test_rule_names_every_placeholder_in_one_difference() -> None:
    cited = replace(CITED, authors=("Firstname Lastname", "Ann Alma", "First Author"))
    (difference,) = rule(case(cited, (PAPER,), venues=KNOWN))
    assert difference.cited == "Firstname Lastname; First Author"
