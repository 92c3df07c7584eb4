"""What is wrong with one record of a source costs that record, and is counted."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.model.errors import BuildError

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.database.building.builder import Summary


def dump(
    path: Path, *records: tuple[str, str], head: bytes = b'<!DOCTYPE dblp SYSTEM "dblp.dtd">'
) -> Path:
    """Write a dump of records with title and year to ``path``."""
    body = "".join(
        f"<article key='journals/l/{number}'><title>{title}</title><year>{year}</year></article>"
        for number, (title, year) in enumerate(records)
    )
    path.write_bytes(head + f"<dblp>{body}</dblp>".encode())
    return path


def built(path: Path, folder: Path) -> tuple[Summary, list[tuple[str, int | None]]]:
    summary = build([path], folder / "a.db")
    with sqlite3.connect(folder / "a.db") as connection:
        rows = connection.execute("SELECT title, year FROM publications ORDER BY id").fetchall()
    connection.close()
    return summary, rows


@pytest.mark.parametrize(
    ("title", "year"),
    [
        ("A year of 23 digits", "1" * 23),
        ("A year beyond 64 bits", str(1 << 63)),
        ("A year that Python refuses to read", "1" * 5_000),
        ("A year of none", "0"),
        ("x" * 4_097, "2001"),
        ("", "2001"),
    ],
)
def test_a_bad_record_costs_itself_and_is_counted(tmp_path: Path, title: str, year: str) -> None:
    path = dump(
        tmp_path / "d.xml", ("Lamps", "2001"), (title, year), ("Trees", "9999"), ("x" * 4_096, "1")
    )
    summary, rows = built(path, tmp_path)
    assert rows == [("Lamps", 2001), ("Trees", 9999), ("x" * 4_096, 1)]
    assert (summary.records, summary.skipped) == (3, {path: 1})


@pytest.mark.parametrize("declaration", [b"", b"<?xml version='1.0' encoding='UTF-8'?>"])
def test_a_mark_of_utf_8_may_stand_before_the_records(tmp_path: Path, declaration: bytes) -> None:
    path = dump(
        tmp_path / "d.xml",
        ("&Ouml;fen der Nacht \u00fc", "2001"),
        head=b"\xef\xbb\xbf" + declaration,
    )
    assert built(path, tmp_path)[1] == [("\u00d6fen der Nacht \u00fc", 2001)]


@pytest.mark.parametrize("encoding", ["foo-8", "gbk"])
def test_an_encoding_that_cannot_be_read_is_named(tmp_path: Path, encoding: str) -> None:
    path = dump(
        tmp_path / "d.xml",
        ("Lamps", "2001"),
        head=f"<?xml version='1.0' encoding='{encoding}'?>".encode(),
    )
    with pytest.raises(BuildError, match=r"d\.xml: cannot be decoded"):
        built(path, tmp_path)


def test_links_in_a_circle_are_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    path = dump(tmp_path / "d.xml", ("Lamps", "2001"))
    for source, target in ((path, tmp_path / "one"), (tmp_path / "one", tmp_path / "a.db")):
        with pytest.raises(BuildError, match=r"one: is a link that leads back to itself$"):
            build([source], target)
