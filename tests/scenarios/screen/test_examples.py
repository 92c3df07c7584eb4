"""The examples of ``docs/screening.md`` run on the tables of a screening."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.scenarios.screen.conftest import Screen

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "screening.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """Return the page's examples in ``language``."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_screen_tables_can_be_read_by_pandas_and_duckdb(screen: Screen) -> None:
    pytest.importorskip("pandas")
    duckdb = pytest.importorskip("duckdb")
    screen(ROOT / "examples" / "references.bib")
    (python,), (sql,) = blocks("python"), blocks("sql")
    made: dict[str, Any] = {}
    exec(python, made)
    assert list(made["papers"]["invalid"]) == [1]
    found = duckdb.sql(sql).fetchall()
    assert len(found) == 1
    assert all(
        name.endswith("references.bib") and title and reason for name, title, reason in found
    )
