from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.verification.validation.rules.authors import rule
from tests.verification.validation.cases import case, codes
from tests.verification.validation.conferences import CLAIM, KNOWN, PAPER

if TYPE_CHECKING:
    from citeproof.model.record import Record
    from citeproof.model.reference import Reference

TITLE = "Counting sheep by night with one lamp only"
RECORD = replace(PAPER, title=TITLE)
BY_OTHERS = replace(CLAIM, title=TITLE, authors=("Zoe Zander", "Yan Yule"), year=2030, venue="COG")


def test_two_works_may_have_one_title() -> None:
    assert codes(rule(case(BY_OTHERS, (RECORD,), venues=KNOWN))) == ["authors.another_work"]


@pytest.mark.parametrize("cited", [replace(BY_OTHERS, year=2021), replace(BY_OTHERS, venue="ICS")])
def test_with_the_year_or_the_venue_of_the_work_its_people_are_wrong(cited: object) -> None:
    assert codes(rule(case(cited, (RECORD,), venues=KNOWN))) == ["authors.other_people"]  # type: ignore[arg-type]


RIGHT = replace(CLAIM, title=TITLE, venue="ICS")
ONE = replace(RECORD, authors=("Bo Berg",))
TWO = replace(RECORD, authors=("Ann Alma", "Bo Berg"))


@pytest.mark.parametrize(
    ("authors", "record", "found"),
    [
        (("Ann Alma", "Bo Brg"), TWO, ["authors.spelling"]),
        (("Amn Alma", "Bo Berg"), TWO, ["authors.spelling"]),
        (("Bo Brg",), ONE, ["authors.spelling"]),
        (("Amn Alma", "et al."), TWO, ["authors.spelling"]),
        # more than a letter, another place, a name more
        (("Ann Alma", "Bo Gerb"), TWO, ["authors.not_on_record"]),
        (("Bo Brg", "Ann Alma"), TWO, ["authors.not_on_record"]),
        (("Ann Alma", "Bo Brg", "Cy Carr"), TWO, ["authors.not_on_record"]),
        (("Cy Carr",), ONE, ["authors.other_people"]),
    ],
)
def test_a_name_with_a_wrong_letter_is_nobody_else(authors: tuple[str, ...], record: Record, found: list[str]) -> None:
    assert codes(rule(case(replace(RIGHT, authors=authors), (record,), venues=KNOWN))) == found


@pytest.mark.parametrize("elsewhere", [replace(RIGHT, year=2019), replace(RIGHT, venue="COG")])
def test_one_author_a_letter_apart_is_the_same_only_where_the_rest_agrees(elsewhere: Reference) -> None:
    cited = replace(elsewhere, authors=("Bo Brg",))
    assert codes(rule(case(cited, (ONE,), venues=KNOWN))) == ["authors.other_people"]
