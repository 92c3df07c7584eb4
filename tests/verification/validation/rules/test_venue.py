from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.verification.validation.rules.venue import rule
from tests.verification.validation.cases import case, codes
from tests.verification.validation.conferences import CLAIM, HELD, KNOWN, PAPER, PREPRINT, Known

if TYPE_CHECKING:
    from citeproof.model.record import Record, Volume

WORKSHOP = "Workshop on Neural Wool"
WORTH = [
    ("COG", (PAPER,), (HELD,), ["venue.different"]),
    ("COG", (PAPER,), (), ["venue.twice"]),
    ("COG", (PAPER, PREPRINT), (), ["venue.twice"]),
    ("COG", (replace(PAPER, year=2020),), (), ["venue.twice"]),
    ("COG", (replace(PAPER, year=2019),), (), ["venue.not_confirmed"]),
    ("COG", (replace(PAPER, venue="ICS Workshop"),), (), ["venue.not_confirmed"]),
    ("COG", (replace(PAPER, title="On sheep (Abstract)"),), (), ["venue.not_confirmed"]),
    ("COG", (replace(PAPER, venue="Commun. ACM"),), (), ["venue.not_confirmed"]),
    ("COG", (replace(PAPER, pub_type="article"),), (), ["venue.not_confirmed"]),
    ("J. Wool", (PAPER,), (), ["venue.not_confirmed"]),
    ("J. Wool", (replace(PAPER, pub_type="article"),), (), ["venue.twice"]),
    ("COG", (PREPRINT,), (HELD,), ["preprint.as_published"]),
    ("COG", (PREPRINT,), (), ["preprint.not_confirmed"]),
    ("Symposium on Neural Wool", (PAPER,), (), ["venue.unknown"]),
    ("Symposium on Neural Wool", (replace(PAPER, year=2018),), (), ["venue.not_confirmed"]),
    ("Symposium on Neural Wool", (replace(PAPER, year=2019),), (), ["venue.not_confirmed"]),
    ("Symposium on Neural Wool", (replace(PAPER, year=2020),), (), ["venue.unknown"]),
    (WORKSHOP, (PAPER,), (), ["venue.not_confirmed"]),
    ("Intergalactic Congress of Shepherds", (PAPER,), (), ["venue.like"]),
    ("ICS", (PAPER,), (), []),
]


@pytest.mark.parametrize(("name", "records", "volumes", "expected"), WORTH)
def test_rule_what_a_venue_is_worth(
    name: str, records: tuple[Record, ...], volumes: tuple[Volume, ...], expected: list[str]
) -> None:
    assert (
        codes(rule(case(replace(CLAIM, venue=name), records, volumes=volumes, venues=KNOWN)))
        == expected
    )


FULL = "Intergalactic Congress of Shepherds"


@pytest.mark.parametrize("name", [FULL, "Symposium on Neural Wool"])
def test_rule_a_known_venue_is_neither_unknown_nor_another_name(name: str) -> None:
    class Uncertain(Known):
        def is_certain(self, _name: str) -> bool:
            return False

    reference = replace(CLAIM, venue=name, entry_type="inproceedings")
    venues = Uncertain(names_of={name: "conf/cog"})
    (found,) = rule(case(reference, (PAPER,), venues=venues))
    assert found.code == "venue.not_confirmed"
    assert found.explanation.endswith(
        f"{name} 2021 is not in the database, so the work may have appeared there too"
    )


def test_rule_a_name_a_letter_apart_may_be_a_typing_error() -> None:
    venues = Known(names_of={"ICS": "conf/ics", "ICIS": "conf/icis", "COG": "conf/cog"})
    for cited, expected in (("ICIS", "venue.not_confirmed"), ("COG", "venue.twice")):
        reference = replace(CLAIM, venue=cited)
        assert codes(rule(case(reference, (PAPER,), venues=venues))) == [expected]


def test_rule_a_doi_that_only_the_recorded_venue_gives_is_not_of_a_workshop() -> None:
    class WithDois(Known):
        def venue_of_doi(self, doi: str) -> str:
            return "conf/ics" if doi.startswith("10.1609/ics.") else ""

    found = [
        codes(
            rule(
                case(
                    replace(CLAIM, venue=WORKSHOP, doi=doi, linked=linked),
                    (PAPER,),
                    venues=WithDois(),
                )
            )
        )
        for doi, linked in (
            ("10.1609/ics.v7", False),
            ("10.1609/v7", False),
            ("10.1609/ics.v7", True),
        )
    ]
    assert found == [["venue.different"], ["venue.not_confirmed"], ["venue.not_confirmed"]]


def test_rule_an_unknown_venue_is_none_for_papers_of_conferences_only() -> None:
    cited = replace(CLAIM, venue="Journal of Neural Wool", entry_type="inproceedings")
    assert codes(rule(case(cited, (PAPER,), venues=KNOWN))) == ["venue.no_such"]
    article = replace(PAPER, pub_type="article")
    cited = replace(cited, entry_type="article")
    assert codes(rule(case(cited, (article,), venues=KNOWN))) == ["venue.unknown"]


def test_rule_a_venue_of_even_years_has_no_odd_edition() -> None:
    even = Known(years=frozenset({2014, 2016, 2018, 2020}))
    assert codes(rule(case(CLAIM, (PAPER,), venues=even))) == ["venue.no_such_edition"]
    in_2022 = replace(CLAIM, year=2022)
    assert codes(rule(case(in_2022, (PAPER,), venues=even))) == ["venue.twice"]
    for years in ({2016, 2018, 2020}, {2014, 2016, 2018, 2019, 2020}, set[int]()):
        others = Known(years=frozenset(years))
        assert codes(rule(case(CLAIM, (PAPER,), venues=others))) == ["venue.twice"]


def test_rule_leaves_open_whether_an_event_of_several_conferences_includes_the_recorded_one() -> (
    None
):
    class Event(Known):
        def resolve(self, name: str) -> frozenset[str]:
            return super().resolve(name) | {"conf/lambs"}

    venues = Event(names_of={"COG": "conf/cog", "Farming Days": "conf/cog", "ICS": "conf/ics"})
    assert codes(rule(case(replace(CLAIM, venue="Farming Days"), (PAPER,), venues=venues))) == [
        "venue.not_confirmed"
    ]
    assert codes(rule(case(CLAIM, (PAPER,), venues=venues))) == ["venue.twice"]


KNOWN_OR_NOT = [
    ("article", "COG", PAPER, "venue.twice"),
    ("inproceedings", "Wool Letters - COG", PAPER, "venue.twice"),
    ("article", "Wool Letters - COG", PAPER, "venue.not_confirmed"),
    ("inproceedings", "COG", replace(PAPER, venue="Sheep Days"), "venue.not_confirmed"),
]


@pytest.mark.parametrize(("entry_type", "name", "record", "expected"), KNOWN_OR_NOT)
def test_rule_accuses_of_a_second_venue_only_where_both_are_known(
    entry_type: str, name: str, record: Record, expected: str
) -> None:
    venues = Known(names_of={**KNOWN.names_of, "Wool Letters - COG": "conf/cog"})
    claim = replace(CLAIM, entry_type=entry_type, venue=name)
    assert codes(rule(case(claim, (record,), venues=venues))) == [expected]


def test_rule_an_abstract_may_be_of_a_paper_that_appeared_elsewhere() -> None:
    def told(title: str) -> list[str]:
        paper = replace(PAPER, title=title)
        return codes(rule(case(replace(CLAIM, title=title), (paper,), venues=KNOWN)))

    assert told("On sheep and their keepers") == ["venue.twice"]
    assert told("On sheep and their keepers (Extended Abstract)") == ["venue.not_confirmed"]


def test_rule_a_work_may_be_at_a_cited_workshop_and_at_a_conference() -> None:
    class OfWorkshops(Known):
        def known_as(self, venue: str) -> tuple[str, ...]:
            names = ("cog", "workshop goats", "workshop goat farming", "goats lambs")
            return names if venue == "conf/cog" else ()

    assert codes(rule(case(CLAIM, (PAPER,), venues=OfWorkshops()))) == ["venue.not_confirmed"]


class WithDois(Known):
    """The two conferences, of which ICS alone gives DOIs that begin with 10.1609/ics."""

    def gives_doi(self, _record: Record, doi: str) -> bool:
        return doi.startswith("10.1609/ics.")


@pytest.mark.parametrize(
    ("cited", "recorded", "expected"),
    [
        ("", "", "venue.like"),
        ("10.1145/x", "", "venue.like"),
        ("10.1145/x", "10.1145/x", "venue.other_name"),
        ("10.1609/ics.2", "", "venue.other_name"),
        ("10.1609/ics.2", "10.1609/ics.1", "venue.other_name"),
    ],
)
def test_rule_a_like_name_is_another_name_if_the_doi_is_that_of_the_work_or_its_venue(
    cited: str, recorded: str, expected: str
) -> None:
    claim = replace(CLAIM, venue="Intergalactic Congress of Shepherds", doi=cited)
    paper = replace(PAPER, doi=recorded)
    assert codes(rule(case(claim, (paper,), venues=WithDois()))) == [expected]
