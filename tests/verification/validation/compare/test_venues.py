from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.verification.validation.compare.venues import (
    NO_VENUES,
    VenueAgreement,
    compare_venue,
)
from tests.verification.validation.conferences import KNOWN, PAPER, PREPRINT, Known

if TYPE_CHECKING:
    from citeproof.model.record import Record

VENUES = [
    ("", PAPER, VenueAgreement.NOT_COMPARABLE),
    ("Springer", PAPER, VenueAgreement.NOT_COMPARABLE),
    ("ICS", PAPER, VenueAgreement.SAME),
    ("Proceedings of the 9th International Conference on Sheep", PAPER, VenueAgreement.SAME),
    ("COG", PAPER, VenueAgreement.DIFFERENT),
    ("arXiv preprint", PREPRINT, VenueAgreement.SAME),
    ("arXiv preprint", PAPER, VenueAgreement.NOT_COMPARABLE),
    ("COG", PREPRINT, VenueAgreement.PREPRINT_ONLY),
    ("Symposium on Neural Wool", PAPER, VenueAgreement.UNKNOWN),
    ("ISC", PAPER, VenueAgreement.LIKE),
    ("IXY", PAPER, VenueAgreement.UNKNOWN),
    ("Workshop on Neural Wool", PAPER, VenueAgreement.BESIDE),
    ("Intergalactic Congress of Shepherds", PAPER, VenueAgreement.LIKE),
]


@pytest.mark.parametrize(("name", "record", "expected"), VENUES)
def test_compare_venue_three_values_and_their_shades(
    name: str, record: Record, expected: VenueAgreement
) -> None:
    assert compare_venue(name, record, KNOWN) is expected


def test_compare_venue_without_data_only_like_names_are_comparable() -> None:
    assert compare_venue("COG", PAPER, NO_VENUES) is VenueAgreement.NOT_COMPARABLE
    assert compare_venue("ICS", PAPER, NO_VENUES) is VenueAgreement.SAME


@pytest.mark.parametrize(("year", "agreement"), [(2020, "different"), (2021, "not comparable")])
def test_compare_venue_a_joint_volume_is_none_of_a_year_with_two(year: int, agreement: str) -> None:
    """The counters of sheep and their European flock met together in 2021, and apart in 2020."""
    flock = "Conference of the European Flock of Sheep Counters"

    class Joint(Known):
        def names(self, record: Record) -> frozenset[str]:
            return frozenset({"ICS", "sheep counters european flock sheep counters"})

    venues = Joint(names_of={flock: "conf/cog"}, years=frozenset({2019, 2020}))
    assert compare_venue(flock, replace(PAPER, year=year), venues).value == agreement


@pytest.mark.parametrize(
    ("cited", "recorded", "agreement"),
    [
        ("conf/vldb", "journals/pvldb", "same"),
        ("conf/siggraph", "journals/tog", "same"),
        ("journals/sigplan", "conf/popl", "same"),
        ("conf/popl", "journals/sigplan", "different"),
        ("journals/sigplan", "conf/sosp", "different"),
        ("conf/dd", "conf/pdd", "different"),
    ],
)
def test_compare_venue_a_journal_that_prints_a_conference_is_the_conference(
    cited: str, recorded: str, agreement: str
) -> None:
    """``PKDD`` is no journal of ``KDD``, whatever its first letter."""

    class Named(Known):
        def of_record(self, record: Record) -> frozenset[str]:
            return frozenset({recorded})

    venues = Named(names_of={"Shepherds Yearly": cited}, years=frozenset({2021}))
    assert compare_venue("Shepherds Yearly", PAPER, venues).value == agreement
