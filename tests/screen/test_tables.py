"""The tables of a screening as CSV."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from citeproof.screen import tables
from citeproof.screen.tables import SCHEMAS, clean, write_tables

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.screen.results import Results


def _rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_write_tables_writes_the_columns_of_every_schema(results: Results, tmp_path: Path) -> None:
    write_tables(results, tmp_path)
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted(SCHEMAS)
    papers = _rows(tmp_path, "papers")
    assert [row["entries"] for row in papers] == ["4", "1", "0"]
    assert [row["suspicious"] for row in papers] == ["1", "1", "0"]
    assert [bool(row["trouble"]) for row in papers] == [False, False, True]
    references = _rows(tmp_path, "references")
    assert {row["title"]: row["papers"] for row in references} == {
        "A Relational Model of Data for Large Shared Data Banks": "1",
        "A Theory of the Learnable": "2",
        "Notes on a Workshop of No Trace": "1",
    }
    wrong = next(row for row in _rows(tmp_path, "verdicts") if row["status"] == "SUSPICIOUS")
    assert (wrong["match_year"], wrong["match_authors"]) == ("1984", "Leslie G. Valiant")
    assert '"code": "year.off"' in wrong["issues"]
    places = _rows(tmp_path, "places")
    assert [row["key"] for row in places] == ["codd70", "valiant88", "none", "open", "v"]
    assert [bool(row["trouble"]) for row in places] == [False, False, False, True, False]


def test_cell_joins_a_list_and_writes_dictionaries_as_json() -> None:
    assert tables._cell(("a", 2)) == "a; 2"
    assert tables._cell([{"code": "é"}]) == '[{"code": "é"}]'
    assert tables._cell([]) == ""
    assert tables._cell(None) is None


def test_clean_replaces_what_utf_8_cannot_encode_at_any_depth() -> None:
    assert clean({"a": ["x\udcff", 1, ("é",)]}) == {"a": ["x?", 1, ["é"]]}
