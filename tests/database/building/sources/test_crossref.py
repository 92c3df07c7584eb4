"""Crossref's works as a source."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.model.errors import BuildError
from tests.database.building.sources.given import json_lines, read

if TYPE_CHECKING:
    from pathlib import Path


def work(doi: str = "10.5555/A.1", **fields: Any) -> dict[str, Any]:
    return {
        "indexed": {"date-time": "2026-03-25T17:31:38Z"},
        "DOI": doi,
        "type": "journal-article",
        "title": ["Lamps"],
        "author": [{"given": "Zoë", "family": "Ríos"}],
        "issued": {"date-parts": [[2011]]},
        "container-title": ["Trees &amp; Light"],
        "page": "1-9",
        "volume": "4",
        "issue": "2",
        **fields,
    }


def test_a_work_becomes_a_row(tmp_path: Path) -> None:
    found = read(json_lines(tmp_path / "w.jsonl", work()))
    (row,) = found.rows
    assert (row["key"], row["doi"], row["source"], found.label) == (
        "10.5555/a.1",
        "10.5555/a.1",
        "crossref",
        "crossref",
    )
    assert (row["title"], row["authors"], row["year"]) == ("Lamps", "Zoë Ríos", 2011)
    assert (row["venue"], row["pub_type"], row["number"]) == ("Trees & Light", "article", "2")
    assert found.date == "2026-03-25"


@pytest.mark.parametrize(
    ("fields", "column", "value"),
    [
        ({"title": ["Pt<sub>3</sub>Ni &amp; <i>C.\n elegans</i>"]}, "title", "Pt3Ni & C. elegans"),
        ({"title": ["On <mml:math><mml:mi>x</mml:mi></mml:math>"]}, "title", "On x"),
        ({"author": [{"name": "The Lamp Group"}]}, "authors", "The Lamp Group"),
        ({"author": None}, "authors", None),
        ({"issued": {"date-parts": [[None]]}}, "year", None),
        ({"title": ["灯"], "author": [{"family": "王", "given": "伟"}]}, "authors", "伟 王"),
        ({"type": "book-chapter"}, "pub_type", "incollection"),
    ],
)
def test_odd_fields(tmp_path: Path, fields: dict[str, Any], column: str, value: object) -> None:
    (row,) = read(json_lines(tmp_path / "w.jsonl", work(**fields))).rows
    assert row[column] == value


def test_a_notice_tells_of_another_work_and_a_component_is_none(tmp_path: Path) -> None:
    notice = work("10.5555/n", **{"update-to": [{"type": "retraction", "DOI": "10.5555/A.1"}]})
    found = read(json_lines(tmp_path / "w.jsonl", notice, work("10.5555/fig", type="component")))
    assert [row["doi"] for row in found.rows] == ["10.5555/n"]
    assert [notice[:5] for notice in found.notices] == [
        ("10.5555/a.1", None, None, "retraction", "https://doi.org/10.5555/n")
    ]


def test_broken_lines_are_named_and_the_others_read(tmp_path: Path) -> None:
    found = read(
        json_lines(tmp_path / "w.jsonl", work(), "{broken\n", {"no": "DOI"}, work("10.5555/b"))
    )
    assert len(found.rows) == 2
    assert [fault.rpartition(": ")[0].rpartition("/")[2] for fault in found.faults] == [
        "w.jsonl: line 2",
        "w.jsonl: line 3",
    ]


def test_a_folder_and_an_archive_of_lists_are_one_source(tmp_path: Path) -> None:
    folder = tmp_path / "crossref"
    folder.mkdir()
    (folder / "README.md").write_text("write to me@example.org")
    for number in range(3):
        content = json.dumps({"items": [work(f"10.5555/{number}.{place}") for place in range(2)]})
        (folder / f"{number}.json.gz").write_bytes(gzip.compress(content.encode()))
    with tarfile.open(tmp_path / "all.tar.gz", "w:gz") as archive:
        archive.add(folder, "data")
        cut = tarfile.TarInfo("data/9.json.gz")
        content_bytes = (folder / "0.json.gz").read_bytes()[:-20]
        cut.size = len(content_bytes)
        archive.addfile(cut, io.BytesIO(content_bytes))
    expected = [f"10.5555/{number}.{place}" for number in range(3) for place in range(2)]
    assert [row["doi"] for row in read(folder).rows] == expected
    whole = read(tmp_path / "all.tar.gz")
    assert sorted(row["doi"] for row in whole.rows) == expected
    assert ["9.json.gz: the gzip file ends in the middle" in fault for fault in whole.faults] == [
        True
    ]


def test_a_list_that_ends_in_the_middle_is_said(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text(json.dumps({"items": [work()]})[:-9])
    with pytest.raises(BuildError, match="ends in the middle"):
        read(path)
