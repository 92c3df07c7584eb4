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


def test_rule_two_works_may_have_one_title() -> None:
    assert codes(rule(case(BY_OTHERS, (RECORD,), venues=KNOWN))) == ["authors.another_work"]


@pytest.mark.parametrize("cited", [replace(BY_OTHERS, year=2021), replace(BY_OTHERS, venue="ICS")])
def test_rule_with_the_year_or_the_venue_of_the_work_its_people_are_wrong(cited: object) -> None:
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
def test_rule_a_name_with_a_wrong_letter_is_nobody_else(
    authors: tuple[str, ...], record: Record, found: list[str]
) -> None:
    assert codes(rule(case(replace(RIGHT, authors=authors), (record,), venues=KNOWN))) == found


@pytest.mark.parametrize("elsewhere", [replace(RIGHT, year=2019), replace(RIGHT, venue="COG")])
def test_rule_one_author_a_letter_apart_is_the_same_only_where_the_rest_agrees(
    elsewhere: Reference,
) -> None:
    cited = replace(elsewhere, authors=("Bo Brg",))
    assert codes(rule(case(cited, (ONE,), venues=KNOWN))) == ["authors.other_people"]


@pytest.mark.parametrize(
    ("authors", "recorded", "found"),
    [
        (("OpenAI", "Ann Alma", "Bo Berg"), ("Ann Alma", "Bo Berg"), []),
        (("Ann Alma", "Bo Berg"), ("Lamp Team", "Ann Alma", "Bo Berg"), []),
        (("Ann Alma", "The Lamp Collaboration"), ("Ann Alma", "Bo Berg", "Cy Carr"), []),
        (("Lamp Consortium",), ("The Lamp Consortium",), []),
        (("OpenAI",), ("Ann Alma", "Bo Berg"), ["authors.more"]),
        (("Ann Alma", "Lamp Consortium"), ("Lamp Consortium",), ["authors.more"]),
        (("OpenAI", "Ann Alma"), ("Ann Alma", "Bo Berg"), []),
        (("OpenAI", "Zoe Zander"), ("Ann Alma", "Bo Berg"), ["authors.other_people"]),
    ],
)
def test_rule_an_organisation_beside_the_authors_contradicts_nobody(
    authors: tuple[str, ...], recorded: tuple[str, ...], found: list[str]
) -> None:
    assert (
        codes(
            rule(
                case(
                    replace(RIGHT, authors=authors),
                    (replace(RECORD, authors=recorded),),
                    venues=KNOWN,
                )
            )
        )
        == found
    )


def test_rule_one_of_two_family_names_may_be_wrong_where_the_given_name_and_all_else_agree() -> (
    None
):
    cited = replace(RIGHT, authors=("Ann Alma", "Claire Cardie"))
    record = replace(RECORD, authors=("Ann Alma", "Claire Gardent"))
    assert codes(rule(case(cited, (record,), venues=KNOWN))) == ["authors.form"]
    assert codes(rule(case(replace(cited, year=2022), (record,), venues=KNOWN))) == [
        "authors.not_on_record"
    ]


def test_rule_the_record_of_proceedings_may_lack_editors() -> None:
    record = replace(RECORD, pub_type="proceedings", authors=("Bo Berg",))
    cited = replace(RIGHT, entry_type="proceedings", authors=("Ann Alma", "Bo Berg"))
    assert codes(rule(case(cited, (record,), venues=KNOWN))) == ["authors.more"]


def test_rule_a_cited_preprint_is_not_held_to_the_authors_of_the_paper() -> None:
    cited = replace(RIGHT, authors=("Ann Alma", "Cy Carr"), arxiv_id="2103.12345")
    assert codes(rule(case(cited, (TWO,), venues=KNOWN))) == ["version.differs"]
    assert codes(rule(case(replace(cited, arxiv_id=""), (TWO,), venues=KNOWN))) == [
        "authors.not_on_record"
    ]


@pytest.mark.parametrize(
    ("authors", "recorded", "expected"),
    [
        (("Cy Carr", "Ann Alma"), ("Ann Alma", "Bo Berg"), ["authors.not_on_record"]),
        (("Ann Alma",), ("Ann Alma", "Bo Berg"), ["version.differs"]),
        (("Ann Alma",), ("Ann Alma", "Bo Berg", "Di Dove"), ["authors.dropped"]),
    ],
)
def test_rule_a_preprint_has_the_first_author_and_half_of_the_authors_of_the_paper(
    authors: tuple[str, ...], recorded: tuple[str, ...], expected: list[str]
) -> None:
    cited = replace(RIGHT, authors=authors, arxiv_id="2103.12345")
    record = replace(TWO, authors=recorded)
    assert codes(rule(case(cited, (record,), venues=KNOWN))) == expected


A, B, C, D, E, F = "Ann Alma", "Bo Berg", "Cy Chen", "Di Dorn", "Ed Eich", "Flo Frost"
LISTS = [
    ((A, B, C, D), (A, B, C, D), []),
    ((A, B, C, D), (D, C, B, A), ["authors.order"]),
    ((A, B), (A, B, C), ["authors.dropped"]),
    ((A,), (A, B), ["authors.dropped"]),
    # the record may lack the last authors, but the first author of a work is on every record
    ((A, B, C), (A, B), ["authors.more"]),
    ((A, B, C), (A,), ["authors.more"]),
    ((A, B, C, D), (A, B), ["authors.more"]),
    ((A, B, C, D, E, F), (A, B, C, D, E), ["authors.more"]),
    ((F, A, B), (A, B), ["authors.not_on_record"]),
    ((A, B), (A,), ["authors.not_on_record"]),
    ((A, B, C, D), (A, E), ["authors.not_on_record"]),
    ((A, F), (A, B), ["authors.not_on_record"]),
    ((F, B), (A, B), ["authors.not_on_record"]),
    ((E, F, C), (A, B, C), ["authors.not_on_record"]),
    ((E,), (A,), ["authors.other_people"]),
    ((A, "Bo Bert"), (A, B), ["authors.spelling"]),
    ((A, "Zoe Berg"), (A, B), ["authors.given_name"]),
    ((A, "X. Berg"), (A, B), ["authors.given_name"]),
    ((A, "B. Berg"), (A, B), []),
    ((A, "Berg"), (A, B), []),
    ((A, "Bob Berg"), (A, "Robert Berg"), []),
]


@pytest.mark.parametrize(("cited", "recorded", "expected"), LISTS)
def test_rule_what_a_list_of_authors_is_worth(
    cited: tuple[str, ...], recorded: tuple[str, ...], expected: list[str]
) -> None:
    reference, record = replace(RIGHT, authors=cited), replace(RECORD, authors=recorded)
    assert codes(rule(case(reference, (record,), venues=KNOWN))) == expected


def test_rule_an_open_list_drops_nobody_and_still_cites_only_authors() -> None:
    def told(cited: tuple[str, ...], recorded: tuple[str, ...]) -> list[str]:
        reference = replace(RIGHT, authors=cited, and_others=True)
        return codes(rule(case(reference, (replace(RECORD, authors=recorded),), venues=KNOWN)))

    assert told((A, B), (A, B, C)) == []
    assert told((A, B, C, D), (A, B)) == ["authors.not_on_record"]
    assert told((A, F), (A, B, C)) == ["authors.more"]
