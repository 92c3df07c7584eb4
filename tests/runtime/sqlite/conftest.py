"""The tests of this folder are of SQLite alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.runtime.conftest import SqliteEngine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def engine(tmp_path: Path) -> SqliteEngine:
    """Return SQLite with an empty store."""
    return SqliteEngine(tmp_path)
