"""What the settings of somebody else's project can change, and that every report says so."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.report.formats import REPORTS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.program import Program

RECORD = (
    '<?xml version="1.0"?><dblp><article key="journals/x/{0}" mdate="2026-01-01">'
    "<author>Mallory Quux</author><title>{1}</title><journal>Commun. ACM</journal>"
    "<year>{2}</year></article></dblp>"
)
ENTRY = (
    "@article{{{0}, author = {{Mallory Quux}}, year = {2}, journal = {{Commun. ACM}},"
    " title = {{{1}}}}}"
)
UNKNOWN = ("a", "Marzipan Submarines in Relational Harbours", 1999)
OTHERS = ("b", "A Relational Model of Data for Large Shared Data Banks", 1970)


@pytest.fixture
def project(tmp_path: Path, citeproof: Program) -> Program:
    """Return the program in a cloned project that brings its own database."""
    folder = tmp_path / "clone"
    folder.mkdir()
    for name, *rest in (UNKNOWN, OTHERS):
        (folder / f"{name}.xml").write_text(RECORD.format(name, *rest))
    text = "\n".join(ENTRY.format(*work) for work in (UNKNOWN, OTHERS))
    (folder / "refs.bib").write_text(text)
    there = replace(citeproof, folder=folder)
    assert there("db", "build", "a.xml", "b.xml", "-o", "own.db").returncode == 0
    (folder / "citeproof.toml").write_text('bib_db = "own.db"\n')
    return there


def statuses(program: Program, *arguments: str | Path) -> list[str]:
    report = json.loads(program("verify", *arguments, "--format", "json").stdout)
    return [result["status"] for result in report["results"]]


def test_what_the_database_of_a_project_confirms_enters_no_cache(
    project: Program, citeproof: Program
) -> None:
    refs = project.folder / "refs.bib"
    before = statuses(citeproof, refs)
    assert statuses(project, "refs.bib") == ["VALID", "VALID"]
    assert statuses(citeproof, refs) == before == ["UNVERIFIED", "SUSPICIOUS"]
    named = statuses(citeproof, refs, "--bib-db", project.folder / "own.db")
    assert named == ["VALID", "VALID"], "a database that the user names is the user's choice"
    assert statuses(citeproof, refs) == ["VALID", "SUSPICIOUS"]


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("detail", ["-q", "-v", "--all"])
def test_every_report_says_that_the_settings_of_a_project_decided(
    project: Program, report: str, detail: str
) -> None:
    toml = project.folder / "citeproof.toml"
    toml.write_text('bib_db = "own.db"\npolicy = "lenient"\nformat = "csv"\n')
    done = project("verify", "refs.bib", "--format", report, detail)
    said = " ".join((done.stdout + done.stderr).replace("&#39;", "'").split())
    assert "Settings of this project affect the results: " in said
    assert " sets bib_db, policy. --no-project-settings ignores them" in said
    clean = project("verify", "refs.bib", "--format", report, detail, "--no-project-settings")
    assert "affect the results" not in clean.stdout + clean.stderr


def test_json_and_sarif_map_the_settings_of_a_project_to_its_file(project: Program) -> None:
    expected = {"disable_bib": str(project.folder / "citeproof.toml")}
    (project.folder / "citeproof.toml").write_text("disable_bib = true\nconcurrent = 2\n")
    report = json.loads(project("verify", "refs.bib", "--format", "json").stdout)
    assert report["settings"] == expected
    sarif = json.loads(project("verify", "refs.bib", "--format", "sarif").stdout)
    assert sarif["runs"][0]["properties"]["settings"] == expected


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("explain", ("refs.bib", "b")),
        ("fix", ("refs.bib",)),
        ("lookup", ("Marzipan Submarines in Relational Harbours",)),
        ("search", ("marzipan",)),
        ("screen", ("refs.bib", "-o", "results")),
    ],
)
def test_every_command_says_that_a_project_chose_the_database(
    project: Program, command: str, arguments: tuple[str, ...]
) -> None:
    done = project(command, *arguments)
    assert "affect the results" in done.stdout + done.stderr
    project.environment["CITEPROOF_NO_PROJECT_SETTINGS"] = "1"
    done = project(command, *arguments)
    assert "affect the results" not in done.stdout + done.stderr
