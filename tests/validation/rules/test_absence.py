from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.validation.rules.absence import rule
from tests.validation.cases import case
from tests.validation.conferences import CLAIM, HELD, KNOWN

if TYPE_CHECKING:
    from citeproof.models import Reference, Volume

MISSING = replace(CLAIM, title="On the counting of goats")


@pytest.mark.parametrize(
    ("reference", "volume", "complete", "proved"),
    [
        (MISSING, HELD, True, True),
        (MISSING, HELD, False, False),
        (MISSING, replace(HELD, completeness=0.94), True, False),
        (replace(MISSING, venue="COG Workshops"), HELD, True, False),
        (replace(MISSING, note="Workshop on wool"), HELD, True, False),
        (replace(MISSING, title="On goats"), HELD, True, False),
        (replace(MISSING, year=2020), HELD, True, False),
        (replace(MISSING, venue="Goats Quarterly"), HELD, True, False),
    ],
)
def test_absence_needs_a_whole_volume_and_a_whole_look_up(
    reference: Reference, volume: Volume, *, complete: bool, proved: bool
) -> None:
    assert bool(rule(case(reference, volumes=(volume,), venues=KNOWN, complete=complete))) is proved
