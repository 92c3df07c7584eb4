"""OpenAlex's snapshot as a source."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

from tests.database.building.sources.given import json_lines, read

if TYPE_CHECKING:
    from pathlib import Path


def work(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/10.5555/{number}",
        "title": f"Lamp {number}",
        "publication_year": 2001,
        "type": "book-chapter",
        "updated_date": "2026-08-17T01:02:03",
        "authorships": [{"author": {"display_name": "Zoë Ríos"}}],
        **fields,
    }


def test_partitions_are_read_without_what_was_merged_and_without_front_matter(
    tmp_path: Path,
) -> None:
    works = tmp_path / "data" / "works"
    json_lines(works / "updated_date=2026-08-16" / "part_000", work(1), work(2, is_paratext=True))
    json_lines(
        works / "updated_date=2026-08-17" / "part_000",
        work(3),
        work(4, is_retracted=True, authorships=None),
    )
    (works / "manifest").write_text('{"entries": []}')
    merged = tmp_path / "data" / "merged_ids" / "works"
    merged.mkdir(parents=True)
    (merged / "2026-01-01.csv.gz").write_bytes(
        gzip.compress(b"merge_date,id,merge_into_id\n2026-01-01,W3,W1\n")
    )
    found = read(works)
    assert [(row["key"], row["doi"], row["authors"]) for row in found.rows] == [
        ("W1", "10.5555/1", "Zoë Ríos"),
        ("W4", "10.5555/4", None),
    ]
    assert found.rows[0]["pub_type"] == "incollection"
    assert [(notice[0], notice[3]) for notice in found.notices] == [("10.5555/4", "retraction")]
    assert (found.label, found.date, found.faults) == ("openalex", "2026-08-17", [])


def test_what_is_no_work_is_named(tmp_path: Path) -> None:
    found = read(
        json_lines(tmp_path / "part", work(1), {"id": "https://openalex.org/W2", "authorships": 7})
    )
    assert len(found.rows) == 1
    assert [
        fault.endswith("line 2: is no work as OpenAlex describes them") for fault in found.faults
    ] == [True]
