"""A build holds no more for many records than for few.

The buffers that it may fill are made small first, so that small dumps fill them; then whatever
still grows, grows with the records. Counted are the bytes that Python and numpy hold, and those of
SQLite. The title index works on the titles of one length at a time.
"""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import apsw
import pytest

from citeproof.database import schema
from citeproof.database.building import key_pairs, prepared
from citeproof.database.building.builder import build
from citeproof.store import sqlite

if TYPE_CHECKING:
    from pathlib import Path

FEW, MANY = 4_000, 16_000
BYTES_A_RECORD = 12
"""What may grow: what is kept of a volume, shared by its papers.

A number in a list takes 36 or more.
"""
SQLITE_BYTES = 3 << 20
"""SQLite sorts at least 250 pages, 2 MB, in memory, whatever its cache
(``SQLITE_CONFIG_PMASZ``).
"""
PAPERS_A_VOLUME = 50
VOLUMES_A_STREAM = 5


def dump(path: Path, count: int) -> Path:
    """Write a dump of ``count`` papers of many streams, with titles of all lengths."""
    with path.open("w") as file:
        file.write("<!DOCTYPE dblp SYSTEM 'dblp.dtd'>\n<dblp>\n")
        file.writelines(paper(number) for number in range(count))
        file.write("</dblp>\n")
    return path


def paper(number: int) -> str:
    """Return a paper, every second volume without pages."""
    volume = number // PAPERS_A_VOLUME
    stream, year = f"conf/s{volume // VOLUMES_A_STREAM}", 1990 + volume % VOLUMES_A_STREAM
    pages = f"<pages>{1 + number % 50}-{2 + number % 50}</pages>" if volume % 2 else ""
    return (
        f"<inproceedings mdate='2020-01-01' key='{stream}/A{number}'><author>Ada"
        f" {'ABCDEFG'[number % 7]}. Lamp</author>"
        f"<title>Lamp {number} of"
        f" {'x' * (number % 97)}.</title><year>{year}</year><booktitle>S</booktitle>{pages}"
        f"<crossref>{stream}/{year}</crossref><ee>https://doi.org/10.5555/{year}.{number}</ee></inproceedings>\n"
    )


@pytest.fixture
def _small_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    pragmas = tuple(
        "cache_size = -256" if pragma.startswith("cache_size") else pragma
        for pragma in sqlite._PRAGMAS
    )
    monkeypatch.setattr(sqlite, "_PRAGMAS", pragmas)
    monkeypatch.setattr(
        schema, "WORD_INDEX_WRITING", schema.WORD_INDEX_WRITING.replace(str(16 << 20), str(1 << 16))
    )
    monkeypatch.setattr(key_pairs, "_PIECE", 1 << 10)
    monkeypatch.setattr(prepared, "_WORTH_A_PROCESS", 1 << 30)


def peaks(folder: Path, count: int) -> tuple[int, int]:
    """Return the most bytes that Python and SQLite held while ``count`` records became a
    database.
    """
    source, target = dump(folder / f"{count}.xml", count), folder / f"{count}.db"
    apsw.memory_high_water(True)
    before = apsw.memory_used()
    tracemalloc.start()
    try:
        assert build([source], target).records == count
        return tracemalloc.get_traced_memory()[1], apsw.memory_high_water() - before
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.usefixtures("_small_buffers")
def test_memory_does_not_grow_with_the_records(tmp_path: Path) -> None:
    peaks(tmp_path, 100)  # fills what is kept for good
    few, many = peaks(tmp_path, FEW), peaks(tmp_path, MANY)
    assert many[0] - few[0] < (MANY - FEW) * BYTES_A_RECORD
    assert many[1] < SQLITE_BYTES
