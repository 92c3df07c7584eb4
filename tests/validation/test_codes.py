"""``docs/verdicts.md`` and the table of codes say the same; the code uses no code that is not in the table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from citeproof.models import Agreement, Severity, Status
from citeproof.validation.calibration import MEASURED, confidence
from citeproof.validation.codes import CODES, REASONS, Weight, heaviest, issue
from citeproof.validation.flags import FLAGS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "verdicts.md").read_text("utf-8")
ROW = re.compile(r"^\| `([a-z_.]+)` \| (.*) \|$", re.MULTILINE)
ABOVE, _, FLAGS_SECTION = PAGE.partition("\n## Flags\n")
ROWS = dict(ROW.findall(ABOVE))
SOURCE = "\n".join(path.read_text("utf-8") for path in (ROOT / "src" / "citeproof").rglob("*.py"))


@pytest.mark.parametrize("code", CODES)
def test_every_issue_code_is_documented_with_its_weight(code: str) -> None:
    assert ROWS[code] == f"{CODES[code].weight.name.lower()} | {CODES[code].meaning}"


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_is_documented_with_its_status(reason: str) -> None:
    assert ROWS[reason] == f"`{REASONS[reason].status.value}` | {REASONS[reason].meaning}"


@pytest.mark.parametrize("status", Status)
def test_every_status_is_documented(status: Status) -> None:
    assert f"| `{status.value}` |" in PAGE


def test_the_page_has_no_code_that_does_not_exist() -> None:
    assert set(ROWS) <= {*CODES, *REASONS, *Agreement}


@pytest.mark.parametrize("agreement", Agreement)
def test_every_agreement_of_a_field_is_documented(agreement: Agreement) -> None:
    assert agreement in ROWS


def test_the_flags_are_documented_in_their_order() -> None:
    assert ROW.findall(FLAGS_SECTION) == list(FLAGS.items())


@pytest.mark.parametrize("flag", FLAGS)
def test_every_flag_is_given_somewhere(flag: str) -> None:
    assert SOURCE.count(f'"{flag}"') > 1, "only the table names it"


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_given_somewhere(code: str) -> None:
    uses = SOURCE.count(f'"{code}"') + SOURCE.count(f'"{{kind}}.{code.partition(".")[2]}"')
    assert uses > 1, "only the table names it"


def test_what_weighs_little_is_a_note() -> None:
    assert issue("venue.not_confirmed", "", "", "").severity is Severity.NOTE
    assert issue("year.off", "", "", "").severity is Severity.ISSUE


def test_the_heaviest_issue_decides() -> None:
    note, wrong = issue("year.near", "", "", ""), issue("year.off", "", "", "")
    assert heaviest((note, wrong)) is Weight.ISSUE
    assert heaviest(()) is Weight.NOTE


def test_confidence_is_the_smoothed_rate_of_the_table() -> None:
    right, given = MEASURED["record_agrees"]
    assert confidence("record_agrees") == pytest.approx((right + 1) / (given + 2), abs=0.001)
    assert confidence("title_not_found") == 0.5
    assert all(0 <= right <= given for right, given in MEASURED.values())
