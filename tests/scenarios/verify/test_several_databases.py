"""Several databases: a reference is held against the records of all of them, and absent only where
all prove it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import TitleIndexer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.program import Program

REFERENCES = """@article{one, title = {A Lamp for every Tree that Stands}, author = {Zoe Rios},
year = 2001}
@article{two, title = {The Moth and the Candle in Winter}, author = {Kenji Abe}, year = 2002}
@article{three, title = {A Fly that is in none of them}, author = {Nobody Here}, year = 2003}
"""


@pytest.fixture
def databases(tmp_path: Path) -> list[Path]:
    works = {
        "first": "A Lamp for every Tree that Stands,Zoe Rios,2001",
        "lab": "The Moth and the Candle in Winter,Kenji Abe,2002",
    }
    found = []
    for name, row in works.items():
        (tmp_path / f"{name}.csv").write_text(f"title,author,year\n{row}\n")
        target = tmp_path / f"{name}.db"
        build([tmp_path / f"{name}.csv"], target, titles=TitleIndexer(target))
        found.append(target)
    (tmp_path / "refs.bib").write_text(REFERENCES)
    return found


def test_both_are_asked_and_named(citeproof: Program, databases: list[Path]) -> None:
    named = [part for path in databases for part in ("--bib-db", path)]
    run = json.loads(
        citeproof("verify", "refs.bib", *named, "--no-cache", "--format", "json").stdout
    )
    assert [result["status"] for result in run["results"]] == ["VALID", "VALID", "UNVERIFIED"]
    assert run["database"]["path"] == str(databases[0])
    assert [database["path"] for database in run["database"]["further"]] == [str(databases[1])]
    looked_up = [
        len([own for own in result["evidence"] if own["method"]]) for result in run["results"]
    ]
    assert looked_up[0] == 1
    assert looked_up[2] == 2


def test_one_that_is_missing_is_named(
    citeproof: Program, databases: list[Path], tmp_path: Path
) -> None:
    done = citeproof(
        "verify", "refs.bib", "--bib-db", databases[0], "--bib-db", tmp_path / "missing.db"
    )
    assert done.returncode == 2
    assert "missing.db" in done.stderr
    assert done.stdout == ""


def test_a_report_does_not_overwrite_one_of_them(citeproof: Program, databases: list[Path]) -> None:
    named = [part for path in databases for part in ("--bib-db", path)]
    done = citeproof("verify", "refs.bib", *named, "-o", databases[1])
    assert (done.returncode, "a bibliographic database of this run" in done.stderr) == (2, True)
