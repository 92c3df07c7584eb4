"""Lists of works with usual columns, or with columns that a mapping names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import BuildError
from tests.database.building.sources.given import json_lines, read

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_a_table_with_usual_columns(tmp_path: Path, sign: str) -> None:
    path = tmp_path / "works.csv"
    rows = [
        ["ID", "Title", "Author", "Year", "DOI"],
        ["a1", "Lamps", "Ríos, Zoë and Abe, K.", "2001", "doi:10.5555/A"],
    ]
    path.write_text(
        "\n".join(sign.join(f'"{cell}"' if sign in cell else cell for cell in row) for row in rows),
        "utf-8-sig",
    )
    found = read(path)
    (row,) = found.rows
    assert (row["key"], row["title"], row["authors"], row["year"]) == (
        "a1",
        "Lamps",
        "Zoë Ríos; K. Abe",
        2001,
    )
    assert (row["doi"], row["source"]) == ("10.5555/a", "works.csv")


def test_json_lines_with_pairs_and_objects_for_names(tmp_path: Path) -> None:
    path = json_lines(
        tmp_path / "w.jsonl",
        {
            "acl_id": "P19-1",
            "title": "Lamps",
            "authors": [["Zoë", "Ríos"], ["K.", "Abe"]],
            "venue": "L",
            "year": 2001,
        },
        {
            "title": "Trees",
            "authors": [{"given": "A", "family": "B"}, {"name": "The Group"}, "C, D"],
        },
        "[1, 2]\n",
    )
    found = read(path)
    assert [row["authors"] for row in found.rows] == ["Zoë Ríos; K. Abe", "A B; The Group; D C"]
    assert [row["key"] for row in found.rows] == ["P19-1", "2"]
    assert [fault.endswith("line 3: is not a JSON object") for fault in found.faults] == [True]


def test_a_mapping_names_other_columns(tmp_path: Path) -> None:
    path = tmp_path / "w.csv"
    path.write_text("Title,people,when\nLamps,A B / C D,in 2001\n")
    mapping = tmp_path / "w.csv.mapping.toml"
    mapping.write_text('authors = "people"\nyear = "when"\nauthor_separator = " / "\n')
    (row,) = read(path).rows
    assert (row["authors"], row["year"]) == ("A B; C D", 2001)
    mapping.write_text('people = "authors"\n')
    with pytest.raises(BuildError, match="'people' is not a field; use key, title, authors"):
        read(path)
