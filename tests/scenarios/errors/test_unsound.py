"""Databases, variables and limits that are not as they should be."""

from __future__ import annotations

import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.scenarios.errors.inputs import start

if TYPE_CHECKING:
    from tests.program import Program

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_a_mutilated_database_is_not_sound(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mutilated = tmp_path / "mutilated.db"
    mutilated.write_bytes((folder / "good.db").read_bytes())
    with sqlite3.connect(mutilated) as connection:
        connection.execute("DELETE FROM meta WHERE name IN ('records', 'titles_checksum')")
    connection.close()
    assert start("db", "check", str(mutilated), monkeypatch=monkeypatch) == 1
    out = capsys.readouterr().out
    assert "its table meta lacks records; build the database again" in out
    assert "its table meta lacks titles_checksum" in out
    assert (
        start(
            "verify",
            "right.bib",
            "--bib-db",
            str(mutilated),
            "--format",
            "json",
            monkeypatch=monkeypatch,
        )
        == 0
    )


def test_a_title_index_of_another_database_is_not_sound(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine, other = tmp_path / "mine.db", tmp_path / "other.db"
    assert (
        start("db", "build", str(folder / "one.xml"), "-o", str(mine), monkeypatch=monkeypatch) == 0
    )
    assert start("db", "check", str(mine), monkeypatch=monkeypatch) == 0
    assert "1 of 1 records are found by their titles" in capsys.readouterr().out
    assert (
        start("db", "build", str(folder / "right.bib"), "-o", str(other), monkeypatch=monkeypatch)
        == 0
    )
    other.with_name("other.db.titles").replace(mine.with_name("mine.db.titles"))
    assert start("db", "check", str(mine), monkeypatch=monkeypatch) == 1
    assert (
        "belongs to another state of the database; `citeproof db index" in capsys.readouterr().out
    )
    mine.with_name("mine.db.titles").unlink()
    assert start("db", "check", str(mine), monkeypatch=monkeypatch) == 0
    assert "none; `citeproof db index" in capsys.readouterr().out


def test_an_unknown_variable_is_named_once(citeproof: Program, folder: Path) -> None:
    citeproof.environment["CITEPROOF_BIBDB"] = "dblp.db"
    done = subprocess.run(
        [sys.executable, "-m", "citeproof", "verify", "right.bib"],
        cwd=folder,
        env=citeproof.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert (
        done.stderr
        == "citeproof: variable CITEPROOF_BIBDB is not a setting; perhaps 'bib_db' was meant\n"
    )


@pytest.mark.slow
def test_any_number_at_work_is_bounded_by_what_the_process_may_open(
    citeproof: Program, tmp_path: Path
) -> None:
    (tmp_path / "many.txt").write_text(
        "".join(f"A Title Numbered {n} that Nobody Wrote\n" for n in range(500))
    )
    command = (
        f"ulimit -n 64; exec {shlex.quote(sys.executable)} -m citeproof verify many.txt"
        " --concurrent 3000"
    )
    done = subprocess.run(
        ["/bin/sh", "-c", f"{command} --format jsonl"],
        cwd=tmp_path,
        env=citeproof.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.count('"status": "UNVERIFIED"') == 500
    assert done.returncode == 0
