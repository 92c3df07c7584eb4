"""``docs/verdicts.md`` and the table of codes say the same; the code uses no code that is not in
the table.
"""

import re
from pathlib import Path

import pytest

from citeproof.model.findings import Agreement
from citeproof.model.verdict import Status
from citeproof.verification.decision import FLAGS
from citeproof.verification.validation.codes import CODES, REASONS, SENTENCES
from citeproof.verification.validation.policy import WEIGHTS
from citeproof.verification.validation.rules import RULES

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "verdicts.md").read_text("utf-8")
ROW = re.compile(r"^\| `([a-z_.]+)` \| (.*) \|$", re.MULTILINE)
ABOVE, _, BELOW = PAGE.partition("\n## Flags\n")
FLAGS_SECTION = BELOW.partition("\n## ")[0]
ROWS = dict(ROW.findall(ABOVE))
BESIDE_THE_RULES = {
    "version.differs",
    "sources.narrow",
    "sources.failed",
    "program.fault",
    "details.many",
    "reading.unclear",
    "reading.doubtful",
}
SOURCE = "\n".join(path.read_text("utf-8") for path in (ROOT / "src" / "citeproof").rglob("*.py"))


@pytest.mark.parametrize("code", CODES)
def test_every_issue_code_is_documented_with_its_weight(code: str) -> None:
    assert ROWS[code] == f"{WEIGHTS[code].name.lower()} | {CODES[code].meaning}"


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
    assert f'"{code}"' in SOURCE, "only the tables name it"


def test_every_rule_is_a_module_and_has_codes() -> None:
    folder = ROOT / "src" / "citeproof" / "verification" / "validation" / "rules"
    assert [*RULES] == sorted(path.stem for path in folder.glob("[a-z]*.py"))
    assert {row.rule for row in CODES.values()} == {"", *RULES}
    assert {code for code, row in CODES.items() if not row.rule} == BESIDE_THE_RULES


@pytest.mark.parametrize("key", SENTENCES)
def test_sentences_has_only_keys_that_are_used(key: str) -> None:
    code, _, variant = key.partition("/")
    assert code in CODES
    assert f'"{key}"' in SOURCE or (variant == "held" and f'"{code}"' in SOURCE)
