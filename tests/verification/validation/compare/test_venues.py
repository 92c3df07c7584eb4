from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.verification.validation.compare.venues import (
    NO_VENUES,
    VenueAgreement,
    compare_venue,
)
from tests.verification.validation.conferences import KNOWN, PAPER, PREPRINT

if TYPE_CHECKING:
    from citeproof.model.record import Record

VENUES = [
    ("", (PAPER,), VenueAgreement.NOT_COMPARABLE),
    ("Springer", (PAPER,), VenueAgreement.NOT_COMPARABLE),
    ("ICS", (PAPER,), VenueAgreement.SAME),
    ("Proceedings of the 9th International Conference on Sheep", (PAPER,), VenueAgreement.SAME),
    ("COG", (PAPER,), VenueAgreement.DIFFERENT),
    ("arXiv preprint", (PAPER, PREPRINT), VenueAgreement.SAME),
    ("arXiv preprint", (PAPER,), VenueAgreement.NOT_COMPARABLE),
    ("COG", (PREPRINT,), VenueAgreement.PREPRINT_ONLY),
    ("Symposium on Neural Wool", (PAPER,), VenueAgreement.UNKNOWN),
    ("ISC", (PAPER,), VenueAgreement.LIKE),
    ("IXY", (PAPER,), VenueAgreement.UNKNOWN),
    ("Workshop on Neural Wool", (PAPER,), VenueAgreement.BESIDE),
    ("Intergalactic Congress of Shepherds", (PAPER,), VenueAgreement.LIKE),
]


@pytest.mark.parametrize(("name", "records", "expected"), VENUES)
def test_compare_venue_three_values_and_their_shades(
    name: str, records: tuple[Record, ...], expected: VenueAgreement
) -> None:
    assert compare_venue(name, records, KNOWN) is expected


def test_compare_venue_without_data_only_like_names_are_comparable() -> None:
    assert compare_venue("COG", (PAPER,), NO_VENUES) is VenueAgreement.NOT_COMPARABLE
    assert compare_venue("ICS", (PAPER,), NO_VENUES) is VenueAgreement.SAME
