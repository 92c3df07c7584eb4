"""What the web service offers is documented: options, addresses, counters, tables, fields."""

import re
from pathlib import Path

import pytest

from citeproof.cli.servers import serve as command
from citeproof.store.runtime.store import COUNTERS, TABLES
from citeproof.web.api.shapes import BatchItem, BatchSummary, LookupAnswer
from citeproof.web.options import GRACE_SECONDS
from citeproof.web.problems import ERRORS

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
    "name",
    sorted({*LookupAnswer.__annotations__, *BatchItem.__annotations__, *BatchSummary.model_fields}),
)
def test_every_field(name: str) -> None:
    assert f"`{name}`" in API


@pytest.mark.parametrize("status", sorted(ERRORS))
def test_every_error(status: int) -> None:
    assert f"| {status} |" in API


def test_the_service_is_installed_from_this_project_with_pinned_versions() -> None:
    text = (DOCS.parent / "deploy" / "citeproof.service").read_text("utf-8")
    assert re.findall(r"pip install (.*)", text) == ["-c constraints.txt ."]


def test_the_service_manager_waits_longer_than_a_stop_takes() -> None:
    unit = (DOCS.parent / "deploy" / "citeproof.service").read_text("utf-8")
    (seconds,) = re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.M)
    assert int(seconds) > GRACE_SECONDS
