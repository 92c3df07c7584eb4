"""A dump that several processes read gives the database that one process gives, with the same
faults.
"""

import gzip
import json
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest

from citeproof.database.building import prepared, source_file
from citeproof.database.building.builder import build
from citeproof.database.building.prepared import Prepared
from citeproof.database.building.source import open_source
from citeproof.database.building.sources import dblp
from citeproof.model.errors import BuildError

WORKS = 1500
"""A part, of some 3 KB each: four chunks of lines."""
EVERYTHING = ("SELECT * FROM publications", "SELECT * FROM notices", "SELECT * FROM sources")


def line_of(number: int) -> bytes:
    """Return a work; one in a thousand has no title, one is retracted, and all carry what nobody
    reads.
    """
    work = {
        "id": f"https://openalex.org/W{number}",
        "title": f"On the {number}th Thing" if number % 1000 else "",
        "publication_year": 2000 + number % 20,
        "doi": f"https://doi.org/10.1234/{number}",
        "is_retracted": number % 700 == 7,
        "updated_date": f"2026-01-{1 + number % 28:02}",
        "abstract": f"{number} " * 500,
    }
    return json.dumps(work).encode() + b"\n"


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three parts: one with a line that is not JSON, one that ends in the middle, one that is
    whole.
    """
    folder = tmp_path_factory.mktemp("dump") / "works"
    for part in range(3):
        lines = [line_of(1 + part * WORKS + number) for number in range(WORKS)]
        if part == 0:
            lines[1234] = b'{"id": \n'
        packed = gzip.compress(b"".join(lines), 1)
        path = folder / f"updated_date=2026-01-0{1 + part}" / "part_000.gz"
        path.parent.mkdir(parents=True)
        path.write_bytes(packed[: len(packed) // 2] if part == 1 else packed)
    return folder


def tables(path: Path) -> list[list[Any]]:
    connection = sqlite3.connect(path)
    try:
        return [connection.execute(query).fetchall() for query in EVERYTHING]
    finally:
        connection.close()


def test_helpers_bring_the_same_records_and_faults(
    dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(prepared, "_WORTH_A_PROCESS", 1 << 40)
    alone = build([dump], tmp_path / "alone.db", keep_going=True)
    request.getfixturevalue("two_cores")
    positions: list[int] = []
    dealt = build(
        [dump],
        tmp_path / "dealt.db",
        keep_going=True,
        progress=lambda state: positions.append(state.read),
    )
    assert tables(tmp_path / "dealt.db") == tables(tmp_path / "alone.db")
    assert (dealt.faults, dealt.skipped) == (alone.faults, alone.skipped)
    assert alone.records > 2 * WORKS
    assert sum(alone.skipped.values()) > 1
    ((count, named),) = alone.faults.values()
    assert count == 2
    assert "part_000.gz: line 1235: is not a JSON object" in named[0]
    assert "ends in the middle" in named[1]
    assert positions == sorted(positions)
    assert len(set(positions)) > 3


PROLOG = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n'
COMMENTED = "<!-- <article key='x'><title>Old</title></article> -->"
MARKED = "<article key='m'><title><![CDATA[Ends </article>]]> so</title></article>"


def dblp_of(count: int, prolog: str = PROLOG, end: str = "</dblp>") -> str:
    """Return a dump in which people and records share lines, and comments hide records."""
    records = (
        f"<article mdate='2020-01-{1 + number % 28:02}' key='j/{number}'><author>Zo&euml; R"
        f"</author><title>On the {number}th Thing.</title><year>2001</year></article>"
        f"<www key='w/{number}'><title>Home Page</title></www>"
        + ("\n" if number % 3 else COMMENTED * (number % 2) + MARKED)
        for number in range(count)
    )
    return prolog + "<dblp>\n" + "".join(records) + end


def titles_by_chunk(path: Path) -> list[list[str]]:
    """Return the titles of each chunk of the dump at ``path``."""
    source = open_source(path)
    chunks = map(tuple, source.chunks or ())
    found = [*prepared.parse_beside(chunks, path, "dblp", False, ())]
    source.close()
    return [[title for batch in some for title in Prepared._make(batch).titles] for some in found]


@pytest.mark.parametrize("prolog", [PROLOG, "", f"{PROLOG}<!-- {'<dblp> ' * 9000}-->"])
def test_chunks_of_a_dump_of_dblp_have_all_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prolog: str
) -> None:
    monkeypatch.setattr(dblp, "_LEAST_BYTES", 1)
    dump = tmp_path / "dump.xml"
    dump.write_text(dblp_of(3_000, prolog))
    found = titles_by_chunk(dump)
    assert len(found) > 20
    things = [title for titles in found for title in titles]
    assert [thing for thing in things if "th Thing" in thing] == [
        f"On the {number}th Thing" for number in range(3_000)
    ]
    assert things.count("Ends </article> so") == 1_000
    assert len(things) == 4_000


@pytest.mark.parametrize(
    ("end", "message"),
    [
        ("<article key='z'>\n<title>&nosuch;</title></article></dblp>", "line 2005: undefined"),
        ("<article key='z'>\n\n<title>T</article></dblp>", "line 2006: is not the XML"),
        ("\n", "ends in the middle, at line 2005; fetch it again"),
    ],
)
def test_chunks_of_a_broken_dump_of_dblp_name_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, message: str
) -> None:
    monkeypatch.setattr(dblp, "_LEAST_BYTES", 1 << 16)
    dump = tmp_path / "dump.xml"
    dump.write_text(dblp_of(3_000, end=end))
    with pytest.raises(BuildError, match=f"^{dump}: {message}"):
        titles_by_chunk(dump)


def test_chunks_of_a_dump_of_dblp_without_records_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dblp, "_LEAST_BYTES", 1)
    monkeypatch.setattr(dblp, "LONGEST_LINE", 1 << 16)
    dump = tmp_path / "dump.xml"
    dump.write_text("<dblp>" + "<thing>x</thing>" * 9_000 + "</dblp>")
    with pytest.raises(BuildError, match=r"has a record of over 65,536 bytes; it is not a DBLP"):
        titles_by_chunk(dump)


@pytest.mark.usefixtures("two_cores")
def test_helpers_read_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dump = tmp_path / "dump.xml"
    dump.write_text(dblp_of(9_000))
    with dump.open("rb") as file:
        monkeypatch.setattr(source_file, "open", lambda *_, **__: file, raising=False)
        source = open_source(Path("-"))
        found = [len(batch.rows) for batches in prepared.read(source) for batch in batches]
        source.close()
    assert sum(found) == 12_000


@pytest.mark.usefixtures("two_cores")
def test_a_fault_that_a_helper_finds_ends_the_build(dump: Path, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"line 1235: is not a JSON object; --keep-going leaves"):
        build([dump], tmp_path / "a.db")
    assert not list(tmp_path.iterdir())


def test_open_source_a_helper_that_ends_without_a_word_is_noticed(
    dump: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/bin/true")
    source = open_source(dump)
    with pytest.raises(BuildError, match=f"^{dump}: the process that read it was stopped$"):
        list(prepared._read_with_helpers(source, source.chunks or (), 2, False, ()))
    source.close()


def test_open_source_helpers_end_with_their_reader(
    dump: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Remembered(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Remembered)
    source = open_source(dump)
    dealt = prepared._read_with_helpers(source, source.chunks or (), 2, True, ())
    assert [next(dealt) for _ in range(2)]
    dealt.close()
    source.close()
    assert len(started) == 2
    assert None not in [helper.returncode for helper in started]
