"""The confidence of verdicts, from counts of right findings."""

import pytest

from citeproof.verification.certainty import INVENTED, WILD, confidence, faults_among
from citeproof.verification.validation.codes import CODES


def test_confidence_is_that_of_an_ordinary_bibliography() -> None:
    right, given = WILD["authors.dropped"]
    assert faults_among("authors.dropped") == pytest.approx((right + 1) / (given + 2), abs=0.001)
    assert faults_among("authors.dropped") < confidence("metadata_mismatch", "authors.dropped") < 1
    assert set(WILD) | set(INVENTED) <= set(CODES)
    assert confidence("record_agrees") > 0.99
    assert confidence("title_not_found") == 0.5
