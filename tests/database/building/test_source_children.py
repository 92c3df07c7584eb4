"""A dump that several processes read gives the database that one process gives, with the same
faults.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database.building import prepared
from citeproof.database.building.builder import build
from citeproof.database.building.source import open_source
from citeproof.model.errors import BuildError

if TYPE_CHECKING:
    from pathlib import Path

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


@pytest.fixture
def with_helpers(two_cores: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "_WORTH_HELPERS", 0)


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
    request.getfixturevalue("with_helpers")
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


@pytest.mark.usefixtures("with_helpers")
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
    dealt.close()  # type: ignore[attr-defined]
    source.close()
    assert len(started) == 2
    assert None not in [helper.returncode for helper in started]
