"""The files that a screening leaves in its folder."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from citeproof.screen.gathering import gather

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from citeproof.screen.store import ScreeningStore


def test_gather_says_which_files_need_a_library_that_is_missing(
    store: ScreeningStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("openpyxl", "pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    results, notes = gather(store, tmp_path, ("first",))
    assert len(results.papers) == 3
    first, workbook, tables = notes
    assert first == "first"
    assert workbook == "There is no workbook, since openpyxl is not installed."
    assert tables.startswith("The tables are only written as CSV. For Parquet, run ")
    assert "overview.html" in {path.name for path in tmp_path.iterdir()}
    assert not list(tmp_path.glob("*.xlsx")) + list(tmp_path.glob("*.parquet"))
