from __future__ import annotations

from dataclasses import replace

import pytest

from citeproof.validation.rules.authors import rule
from tests.validation.cases import case, codes
from tests.validation.conferences import CLAIM, KNOWN, PAPER

TITLE = "Counting sheep by night with one lamp only"
RECORD = replace(PAPER, title=TITLE)
BY_OTHERS = replace(CLAIM, title=TITLE, authors=("Zoe Zander", "Yan Yule"), year=2030, venue="COG")


def test_two_works_may_have_one_title() -> None:
    assert codes(rule(case(BY_OTHERS, (RECORD,), venues=KNOWN))) == ["authors.another_work"]


@pytest.mark.parametrize("cited", [replace(BY_OTHERS, year=2021), replace(BY_OTHERS, venue="ICS")])
def test_with_the_year_or_the_venue_of_the_work_its_people_are_wrong(cited: object) -> None:
    assert codes(rule(case(cited, (RECORD,), venues=KNOWN))) == ["authors.other_people"]  # type: ignore[arg-type]
