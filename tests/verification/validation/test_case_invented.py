"""Every rule says of the invented cases what it said when they were judged; see ``invented.py``."""

from __future__ import annotations

from typing import Any

import pytest

from tests.verification.validation.invented import cases, says

CASES = cases()


def test_cases_show_every_status_and_most_rules() -> None:
    assert len(CASES) > 80
    assert {case["says"]["verdict"].split()[0] for case in CASES} == {
        "VALID",
        "SUSPICIOUS",
        "INVALID",
        "UNVERIFIED",
        "ERROR",
    }
    assert len({name for case in CASES for name in case["says"]["rules"]}) >= 7


@pytest.mark.parametrize("case", CASES, ids=[case["reference"]["key"] for case in CASES])
def test_rules_say_of_an_invented_case_what_was_judged(case: dict[str, Any]) -> None:
    assert says(case) == case["says"]
