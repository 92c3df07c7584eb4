"""``citeproof db build``, ``info`` and ``check`` as a user meets them."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.program import Program

DATA = Path(__file__).resolve().parents[2] / "data" / "bibdb"


@pytest.fixture
def built(citeproof: Program) -> Path:
    """Return a database of a dump and a library."""
    done = citeproof("db", "build", DATA / "small.xml", DATA / "library.bib", "-o", "a.db")
    assert done.returncode == 0
    assert done.stdout.startswith("a.db: 6 records, ")
    assert (
        done.stderr
        == f"citeproof: {DATA / 'library.bib'}: entries left out: 1 (not readable, not a work,"
        " no title, a title of more than 4,096 letters, or an impossible year);"
        f" `citeproof verify {DATA / 'library.bib'}` shows them\n"
    )
    return citeproof.folder / "a.db"


def test_info_tells_where_the_records_come_from(citeproof: Program, built: Path) -> None:
    shown = citeproof("db", "info", built)
    assert shown.returncode == 0
    for line in (
        "dblp: 4 from small.xml; newest of 2024-02-29, ",
        " days ago; CC0 1.0 or ODC-BY 1.0, DBLP, https://dblp.org",
        "library.bib: 2 from library.bib",
        "3 article, 2 inproceedings, 1 proceedings",
        "2001: 2 2012: 4",
        "title_index, word_index",
    ):
        assert line in " ".join(shown.stdout.split())
    assert max(map(len, shown.stdout.splitlines()[1:])) <= 80


def test_info_shows_what_the_name_of_a_venue_is_taken_for(citeproof: Program, built: Path) -> None:
    assert (
        "no venue of this database"
        in citeproof("db", "info", "--venue", "The Lancet", built).stdout
    )
    described = json.loads(
        citeproof("db", "info", "--venue", "arXiv", "--format", "json", built).stdout
    )
    assert (described["name"], described["why"]) == ("arXiv", "a preprint server")


def test_info_as_json_says_the_same(citeproof: Program, built: Path) -> None:
    described = json.loads(citeproof("db", "info", "--format", "json", built).stdout)
    assert described["records"] == 6
    assert described["bytes"] == built.stat().st_size
    assert described["types"] == {"article": 3, "inproceedings": 2, "proceedings": 1}
    assert described["years"] == {"2001": 2, "2012": 4}
    assert [source["name"] for source in described["sources"]] == ["dblp", "library.bib"]


def test_check_passes_a_sound_database_and_writes_nothing(citeproof: Program, built: Path) -> None:
    before = {path.name: path.read_bytes() for path in citeproof.folder.iterdir()}
    done = citeproof("db", "check", built)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, f"{built}: sound")
    assert {path.name: path.read_bytes() for path in citeproof.folder.iterdir()} == before


def test_check_fails_one_that_was_edited(citeproof: Program, built: Path) -> None:
    edited = citeproof.folder / "edited.db"
    shutil.copy(built, edited)
    with sqlite3.connect(edited) as connection:
        connection.execute("UPDATE records SET title = 'Another' WHERE id = 1")
    connection.close()
    done = citeproof("db", "check", "--format", "json", edited)
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert not answer["sound"]
    assert "titles" in [check["subject"] for check in answer["checks"] if not check["sound"]]


def test_a_dump_from_standard_input_is_built(citeproof: Program) -> None:
    done = citeproof("db", "build", "-", "-o", "b.db", stdin=(DATA / "small.xml").read_bytes())
    assert done.returncode == 0
    found = citeproof("lookup", "--bib-db", "b.db", "Is every multi agent lamp C++ & C# safe")
    assert found.returncode == 0
    assert "Kenji Abe" in found.stdout


def test_building_again_replaces_the_file(citeproof: Program, built: Path) -> None:
    before = built.stat().st_ino
    assert citeproof("db", "build", DATA / "small.xml", "-o", built).returncode == 0
    assert built.stat().st_ino != before
    assert sorted(path.name for path in citeproof.folder.iterdir()) == ["a.db", "a.db.titles"]
