"""The museum: honest references that some version accused, with their evidence.

None is accused again.
"""

from pathlib import Path

import pytest

from citeproof.model.verdict import FLAGGED
from citeproof.verification.evidence.line import Evidence
from citeproof.verification.evidence.replay import replay

MUSEUM = Path(__file__).parents[2] / "data" / "evidence" / "honest"
LINES = [line for path in sorted(MUSEUM.glob("*.jsonl")) for line in path.read_bytes().splitlines()]
CASES = [Evidence.unpacked(line) for line in LINES]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.reference.key)
def test_replay_accuses_no_honest_reference(case: Evidence) -> None:
    now = replay(case).now
    assert now.status not in FLAGGED, now.issues


def test_the_museum_has_every_kind_of_false_accusation() -> None:
    kinds = {path.stem for path in MUSEUM.glob("*.jsonl")}
    assert kinds >= {
        "edition",
        "other_kind",
        "record_wrong",
        "renamed",
        "series",
        "venue_mapping",
        "version",
        "workshop",
    }
    assert len({case.reference.key for case in CASES}) == len(CASES) >= 90
