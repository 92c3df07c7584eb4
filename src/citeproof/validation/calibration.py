"""What a verdict's confidence says: the probability that its status is right, by reason.

The table is measured, not chosen: ``python -m tests.accuracy.calibrate`` counts, on HALLMARK's
development split, how often each reason was right, and prints these lines; the accuracy gate fails
when they differ. Right means: a flag (SUSPICIOUS, INVALID) on a reference that is labelled as wrong,
VALID on one that is not. The rate is smoothed by one right and one wrong verdict more
(Laplace's rule of succession), which keeps few observations from certainty.

The base rate of that split is 54 % wrong references; in a bibliography where nearly all are
right, a flag is right less often than stated here.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from citeproof.models import Status

if TYPE_CHECKING:
    from citeproof.models import Verdict

MEASURED: dict[str, tuple[int, int]] = {
    "absent_from_complete_volume": (28, 28),
    "future_date": (30, 30),
    "identity_conflict": (100, 100),
    "malformed_identifier": (22, 22),
    "metadata_mismatch": (216, 221),
    "not_in_cited_volume": (70, 74),
    "placeholder_authors": (5, 5),
    "record_agrees": (421, 423),
}
"""Reason, to how many verdicts were right and how many were given."""

UNMEASURED = 0.5
"""For UNVERIFIED and ERROR, which claim nothing that could be right, and for reasons that the split does not have."""


@cache
def confidence(reason: str) -> float:
    """Return the probability, 0 to 1, that a verdict for this reason is right."""
    if reason not in MEASURED:
        return UNMEASURED
    right, given = MEASURED[reason]
    return round((right + 1) / (given + 2), 3)


def says_something(verdict: Verdict) -> bool:
    """Whether the confidence of ``verdict`` tells a person something: it claims something, and was measured."""
    return verdict.status not in {Status.UNVERIFIED, Status.ERROR} and verdict.confidence != UNMEASURED
