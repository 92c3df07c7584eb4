"""The header of a title index, and the fingerprint of its database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.database.title_index.format import (
    HEADER_ROOM,
    VERSION,
    Header,
    Section,
    UnusableIndexError,
    decode_header,
    fingerprint,
    index_path,
    letter_width,
    log_path,
)
from citeproof.model.errors import BuildError, DatabaseError
from citeproof.store.sqlite import ReadOnlyFile

if TYPE_CHECKING:
    from pathlib import Path

HEADER = Header(4, 2, {"size": 9}, 3, 5, 40_000, {"ids": Section(16_384, 4097, 4096, 30_000, 7)})


def test_decode_header_gives_back_what_was_encoded() -> None:
    data = HEADER.encode()
    assert decode_header(data + b"rows") == HEADER
    assert len(data) < HEADER_ROOM
    assert HEADER.sections["ids"].blocks == 2
    assert replace(HEADER.sections["ids"], size=4096).blocks == 1


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (0, b"x", "not a title index"),
        (16, (VERSION - 1).to_bytes(4, "little"), f"written in format {VERSION - 1}, this"),
        (40, b"\0", "damaged header"),
        (20, (9_999).to_bytes(4, "little"), "damaged header"),
    ],
)
def test_decode_header_refuses_what_it_cannot_trust(place: int, value: bytes, message: str) -> None:
    data = bytearray(HEADER.encode())
    data[place : place + len(value)] = value
    with pytest.raises(UnusableIndexError, match=message):
        decode_header(bytes(data))


def test_decode_header_refuses_a_file_that_ends_early() -> None:
    data = HEADER.encode()
    for length in (0, 20, len(data) - 1):
        with pytest.raises(UnusableIndexError):
            decode_header(data[:length])


def test_encode_refuses_a_header_that_would_run_into_the_titles() -> None:
    with pytest.raises(BuildError, match="header of the title index"):
        replace(HEADER, fingerprint={"digest": "x" * HEADER_ROOM}).encode()


def test_index_path_is_beside_the_database_unless_a_folder_is_named(tmp_path: Path) -> None:
    assert index_path(tmp_path / "dblp.db") == tmp_path / "dblp.db.titles"
    assert index_path(tmp_path / "dblp.db", tmp_path / "x") == tmp_path / "x" / "dblp.db.titles"
    assert log_path(tmp_path / "dblp.db") == tmp_path / "dblp.db-wal"


@pytest.mark.parametrize(
    ("text", "width"), [("", 1), ("ice", 1), ("ÿ", 1), ("Ā", 2), ("\uffff", 2), ("ice 𝕏", 4)]
)
def test_letter_width_is_of_the_highest_letter(text: str, width: int) -> None:
    assert letter_width(text) == width


def database(path: Path, *titles: str, mode: str = "delete") -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.execute("CREATE TABLE IF NOT EXISTS records (title TEXT)")
        connection.executemany("INSERT INTO records VALUES (?)", [(title,) for title in titles])
    return path


def test_fingerprint_is_of_the_content_and_not_of_the_file(tmp_path: Path) -> None:
    first = database(tmp_path / "a.db", *(f"On ice {number}" for number in range(9_000)))
    copy = tmp_path / "b.db"
    copy.write_bytes(first.read_bytes())
    found = fingerprint(ReadOnlyFile(first))
    assert fingerprint(ReadOnlyFile(copy)) == found
    assert found["size"] == first.stat().st_size
    assert "log" not in found
    database(copy, "On snow")
    assert fingerprint(ReadOnlyFile(copy))["change_counter"] == found["change_counter"] + 1
    last = bytearray(first.read_bytes())
    last[-1] ^= 1
    copy.write_bytes(last)
    assert fingerprint(ReadOnlyFile(copy))["digest"] != found["digest"]


def test_fingerprint_in_write_ahead_mode_has_the_time_of_the_last_change(tmp_path: Path) -> None:
    path = database(tmp_path / "a.db", "On ice", mode="wal")
    found = fingerprint(ReadOnlyFile(path))
    assert (found["changed_ns"], found["log"]) == (path.stat().st_mtime_ns, [])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO records VALUES ('On snow')")
        connection.commit()
        log = log_path(path).stat()
        assert fingerprint(ReadOnlyFile(path))["log"] == [log.st_size, log.st_mtime_ns]


def test_fingerprint_of_a_file_that_was_cut_is_refused(tmp_path: Path) -> None:
    path = database(tmp_path / "a.db", "On ice")
    file = ReadOnlyFile(path)
    with path.open("r+b") as opened:
        opened.truncate(99)
    with pytest.raises(DatabaseError, match="cut short"):
        fingerprint(file)
