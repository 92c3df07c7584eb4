from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.validation.compare.places import Place, compare_venue
from citeproof.validation.venues import NO_VENUES
from tests.validation.conferences import KNOWN, PAPER, PREPRINT

if TYPE_CHECKING:
    from citeproof.models import Record

PLACES = [
    ("", (PAPER,), Place.NOT_COMPARABLE),
    ("Springer", (PAPER,), Place.NOT_COMPARABLE),
    ("ICS", (PAPER,), Place.SAME),
    ("Proceedings of the 9th International Conference on Sheep", (PAPER,), Place.SAME),
    ("COG", (PAPER,), Place.DIFFERENT),
    ("arXiv preprint", (PAPER, PREPRINT), Place.SAME),
    ("arXiv preprint", (PAPER,), Place.NOT_COMPARABLE),
    ("COG", (PREPRINT,), Place.PREPRINT_ONLY),
    ("Symposium on Neural Wool", (PAPER,), Place.UNKNOWN),
    ("Workshop on Neural Wool", (PAPER,), Place.BESIDE),
    ("Intergalactic Congress of Shepherds", (PAPER,), Place.LIKE),
]


@pytest.mark.parametrize(("name", "records", "place"), PLACES)
def test_three_values_and_their_shades(name: str, records: tuple[Record, ...], place: Place) -> None:
    assert compare_venue(name, records, KNOWN) is place


def test_without_data_only_like_names_are_comparable() -> None:
    assert compare_venue("COG", (PAPER,), NO_VENUES) is Place.NOT_COMPARABLE
    assert compare_venue("ICS", (PAPER,), NO_VENUES) is Place.SAME
