from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.verification.validation.rules.pages import rule
from tests.verification.validation.cases import case, codes
from tests.verification.validation.conferences import CLAIM, KNOWN, PAPER, PREPRINT

if TYPE_CHECKING:
    from citeproof.model.record import Record

CITED = replace(CLAIM, venue="ICS")
ARTICLE = replace(PAPER, pub_type="article", volume="12", number="3-4", pages="101-110")


@pytest.mark.parametrize(
    ("cited", "recorded", "differ"),
    [
        ("101-110", "101-110", False),
        ("101\u2013110", "101-110", False),
        ("pp. 101-10", "101-110", False),
        ("0101", "101-110", False),
        ("535:1-535:14", "535:1-535:14", False),
        ("535", "535:1-535:14", False),
        ("1-14", "535:1-535:14", False),
        ("e101", "e101", False),
        ("10 pages", "101-110", False),
        ("", "101-110", False),
        ("101-110", "", False),
        ("110-119", "101-110", True),
        ("e102", "e101", True),
    ],
)
def test_pages_differ_where_they_begin_elsewhere(
    cited: str, recorded: str, *, differ: bool
) -> None:
    found = rule(case(replace(CITED, pages=cited), [replace(PAPER, pages=recorded)], venues=KNOWN))
    assert codes(found) == ["pages.differ"] * differ


def test_volume_and_number_are_those_of_a_journal() -> None:
    wrong = replace(CITED, volume="13", number="5")
    found = list(rule(case(wrong, [ARTICLE], venues=KNOWN)))
    assert codes(found) == ["volume.differs", "number.differs"]
    assert found[0].explanation == "the volume does not agree: recorded 12, cited 13"
    assert not codes(rule(case(replace(CITED, volume="012", number="4"), [ARTICLE], venues=KNOWN)))
    assert not codes(rule(case(wrong, [replace(ARTICLE, pub_type="inproceedings")], venues=KNOWN)))


@pytest.mark.parametrize(
    "record", [replace(PREPRINT, pages="1-9"), replace(PAPER, pages="1-9", year=2018)]
)
def test_rule_another_version_has_pages_of_its_own(record: Record) -> None:
    assert not codes(rule(case(replace(CITED, pages="101-110"), [record], venues=KNOWN)))


def test_rule_the_pages_of_one_record_are_enough() -> None:
    twin = replace(PAPER, key="journals/wool/A21", pub_type="article", pages="7-19")
    assert not codes(
        rule(
            case(
                replace(CITED, pages="7-19"), [replace(PAPER, pages="101-110"), twin], venues=KNOWN
            )
        )
    )
