"""arXiv's snapshot and feeds as sources."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, Any

from tests.database.building.sources.given import json_lines, read

if TYPE_CHECKING:
    from pathlib import Path

FEED = """<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom"><entry>
<id>http://arxiv.org/abs/0804.0970v1</id><title>Lamps</title><updated>2008-04-07T06:35:44Z</updated>
<published>2008-04-07T06:35:44Z</published><author><name>Zoë Ríos</name></author></entry><entry>
<id>no</id></entry></feed>
"""


def paper(number: str = "0704.0001", **fields: Any) -> dict[str, Any]:
    return {
        "id": number,
        "title": "Lamps\n  of Trees",
        "categories": "hep-ph",
        "doi": "10.5555/L.1",
        "versions": [
            {"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"},
            {"created": "2009"},
        ],
        "update_date": "2026-08-26",
        "authors_parsed": [["Ríos", "Zoë", "Jr"], ["Abe", "K.", ""]],
        **fields,
    }


def test_a_line_of_the_snapshot_becomes_a_row(tmp_path: Path) -> None:
    found = read(
        json_lines(tmp_path / "a.json", paper(), paper("hep-th/9901001", versions=[]), {"id": "x"})
    )
    first, second = found.rows
    assert (first["arxiv_id"], first["title"], first["year"]) == (
        "0704.0001",
        "Lamps of Trees",
        2007,
    )
    assert (first["authors"], first["doi"], first["publtype"]) == (
        "Zoë Ríos Jr; K. Abe",
        "10.5555/l.1",
        "informal",
    )
    assert (second["arxiv_id"], second["year"]) == ("hep-th/9901001", 2026)
    assert (found.label, found.date, len(found.faults)) == ("arxiv", "2026-08-26", 1)


def test_the_snapshot_may_be_in_its_zip(tmp_path: Path) -> None:
    path = json_lines(tmp_path / "arxiv-metadata-oai-snapshot.json", paper(), paper("0704.0002"))
    with zipfile.ZipFile(tmp_path / "archive.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(path, path.name)
    assert [row["key"] for row in read(tmp_path / "archive.zip").rows] == ["0704.0001", "0704.0002"]


def test_a_feed_is_read(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_text(FEED)
    found = read(path)
    assert [(row["arxiv_id"], row["year"], row["authors"]) for row in found.rows] == [
        ("0804.0970", 2008, "Zoë Ríos")
    ]
    assert [fault.endswith("entry 2: is not a paper") for fault in found.faults] == [True]
