"""Open Library's dump of editions as a source."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from citeproof.database.building.builder import build
from citeproof.database.lookup import Database
from tests.database.building.sources.given import read
from tests.database.building.sources.test_rfc import INDEX
from tests.database.conftest import DUMP

if TYPE_CHECKING:
    from pathlib import Path

LAMPS = {
    "key": "/books/OL1M",
    "title": "Lamps",
    "subtitle": "a history",
    "publish_date": "June 1992",
    "publishers": ["Wick Press", "Other"],
    "isbn_13": ["9780000000002"],
    "edition_name": "2nd ed.",
    "authors": [{"key": "/authors/OL20A"}, {"key": "/authors/OL3A"}],
    "works": [{"key": "/works/OL9W"}],
}
AUTHORS = [("/authors/OL20A", "Zoë Ríos"), ("/authors/OL3A", "Plato")]


def line(kind: str, content: dict[str, Any]) -> str:
    return f"/type/{kind}\t{content['key']}\t4\t2010-04-24T17:54:01.503315\t{json.dumps(content)}\n"


def dump(folder: Path, *editions: dict[str, Any], more: str = "") -> Path:
    path = folder / "ol_dump_editions_2026-10-31.txt"
    path.write_text("".join(line("edition", edition) for edition in editions) + more)
    return path


def authors(folder: Path) -> None:
    text = "".join(line("author", {"key": key, "name": name}) for key, name in AUTHORS)
    (folder / "ol_dump_authors_2026-10-31.txt").write_text(text)


def test_an_edition_becomes_a_row(tmp_path: Path) -> None:
    authors(tmp_path)
    found = read(dump(tmp_path, LAMPS))
    assert {name: value for name, value in found.rows[0].items() if value is not None} == {
        "key": "OL1M",
        "source": "open-library",
        "title": "Lamps: a history",
        "year": 1992,
        "venue": "Wick Press",
        "pub_type": "book",
        "authors": "Zoë Ríos; Plato",
        "url": "https://openlibrary.org/isbn/9780000000002",
        "crossref": "/works/OL9W",
        "publtype": "2nd ed.",
    }
    assert (found.date, found.label) == ("2010-04-24", "open-library")


def test_an_edition_with_an_unknown_author_has_no_authors(tmp_path: Path) -> None:
    assert read(dump(tmp_path, LAMPS)).rows[0]["authors"] is None
    (tmp_path / "more").mkdir()
    authors(tmp_path / "more")
    unknown = {**LAMPS, "authors": [*LAMPS["authors"], {"key": "/authors/OL4A"}]}
    assert read(dump(tmp_path / "more", unknown)).rows[0]["authors"] is None


def test_deleted_lines_are_left_out_and_broken_ones_are_faults(tmp_path: Path) -> None:
    more = (
        line("delete", {"key": "/books/OL2M"})
        + "/type/edition\t/books/OL3M\n"
        + line("edition", {"key": "/books/OL4M"})
    )
    found = read(
        dump(
            tmp_path,
            LAMPS,
            {"key": "/books/OL5M", "title": "No Date"},
            more=more + "/type/edition\ta\tb\tc\t{\n",
        )
    )
    assert [(row["key"], row["year"]) for row in found.rows] == [
        ("OL1M", 1992),
        ("OL5M", None),
        ("OL4M", None),
    ]
    assert found.faults == [
        f"{tmp_path / 'ol_dump_editions_2026-10-31.txt'}: line 4: has no 5 columns",
        (
            f"{tmp_path / 'ol_dump_editions_2026-10-31.txt'}: line 6: is not an edition in Open"
            " Library's format"
        ),
    ]


def test_books_and_rfcs_are_built_into_one_database_with_dblp(tmp_path: Path) -> None:
    authors(tmp_path)
    (tmp_path / "rfc-index.xml").write_text(
        INDEX.format(namespace="https://www.rfc-editor.org/rfc-index")
    )
    build([DUMP, dump(tmp_path, LAMPS), tmp_path / "rfc-index.xml"], tmp_path / "all.db")
    with Database.open(tmp_path / "all.db") as database:
        sources = {source["name"]: source["records"] for source in database.describe()["sources"]}
        assert (sources["open-library"], sources["rfc"]) == (1, 2)
        assert sum(sources.values()) == database.describe()["records"]
        assert database.look_up("Lamps: a history").candidates[0].record.venue == "Wick Press"
        assert [record.key for record in database.records_with("doi", "10.17487/rfc0042")] == [
            "rfc42"
        ]
