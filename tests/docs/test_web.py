"""What the web service offers is documented: options, addresses, counters, tables, fields."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeproof.cli.serve import command
from citeproof.runtime.statistics import COUNTERS, TABLES
from citeproof.web.answers import ERRORS, BatchItem, BatchSummary, LookupAnswer

DOCS = Path(__file__).parents[2] / "docs"
API = (DOCS / "api.md").read_text("utf-8")
OPERATIONS = (DOCS / "operations.md").read_text("utf-8")


@pytest.mark.parametrize("option", [option.opts[0] for option in command.params])
def test_every_option(option: str) -> None:
    assert f"`{option}" in OPERATIONS


@pytest.mark.parametrize("name", COUNTERS)
def test_every_counter(name: str) -> None:
    assert f"`{name}`" in API


@pytest.mark.parametrize("name", TABLES)
def test_every_table(name: str) -> None:
    assert f"`{name}`" in OPERATIONS


@pytest.mark.parametrize(
    "name", sorted({*LookupAnswer.model_fields, *BatchItem.model_fields, *BatchSummary.model_fields})
)
def test_every_field(name: str) -> None:
    assert f"`{name}`" in API


@pytest.mark.parametrize("status", sorted(ERRORS))
def test_every_error(status: int) -> None:
    assert f"| {status} |" in API
