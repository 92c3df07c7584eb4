"""``citeproof verify`` from end to end, against the built-in sample."""

from __future__ import annotations

import csv
import io
import json
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.readers.formats import names, read_all
from citeproof.readers.opening import open_documents
from citeproof.readers.papers import papers_of

if TYPE_CHECKING:
    from tests.program import Program

EXAMPLES = Path(__file__).parents[3] / "examples" / "references.bib"


def test_every_entry_has_a_verdict_and_the_totals_add_up(
    citeproof: Program, bibliography: Path
) -> None:
    done = citeproof("verify", bibliography, "--format", "json")
    report = json.loads(done.stdout)
    assert [(result["key"], result["status"]) for result in report["results"]] == [
        ("right", "VALID"),
        ("wrong", "SUSPICIOUS"),
        ("unknown", "UNVERIFIED"),
        ("broken", "ERROR"),
    ]
    assert report["statistics"]["entries"] == sum(report["statistics"]["by_status"].values()) == 4
    assert report["results"][1]["issues"][0]["code"] == "year.off"
    assert report["results"][3]["line"] == 5
    assert done.returncode == 3


def test_the_sample_says_how_little_it_covers(citeproof: Program, bibliography: Path) -> None:
    assert "built-in sample" in citeproof("verify", bibliography).stdout
    assert "built-in sample" in citeproof("verify", bibliography, "--format", "csv").stderr


@pytest.mark.parametrize(
    ("entry", "options", "code"),
    [
        ("right", [], 0),
        ("wrong", [], 1),
        ("wrong", ["--fail-on", "invalid"], 0),
        ("wrong", ["--fail-on", "never"], 0),
        ("unknown", [], 0),
        ("unknown", ["--fail-on", "unverified"], 1),
        ("broken", ["--fail-on", "never"], 3),
    ],
)
def test_exit_code(
    citeproof: Program, bibliography: Path, entry: str, options: list[str], code: int
) -> None:
    text = next(part for part in bibliography.read_text().split("@")[1:] if f"{{{entry}," in part)
    assert (
        citeproof("verify", "-", "--from", "bibtex", *options, stdin=f"@{text}").returncode == code
    )


def test_a_valid_work_is_remembered_for_runs_without_the_database(
    citeproof: Program, bibliography: Path
) -> None:
    citeproof("verify", bibliography)
    report = json.loads(
        citeproof("verify", bibliography, "--disable-bib", "--format", "json").stdout
    )
    assert report["results"][0]["status"] == "VALID"
    assert report["results"][0]["decided_by"] == "cache"
    assert report["statistics"]["cache_hits"] == 1
    assert report["database"] == {}


def test_a_verdict_from_the_cache_says_so_in_every_report(
    citeproof: Program, bibliography: Path
) -> None:
    assert "remembered" not in citeproof("verify", bibliography).stdout
    said = f"remembered from dblp of 2025-01-01, checked on {datetime.now(UTC).date()}"
    with closing(sqlite3.connect(citeproof.environment["CITEPROOF_CACHE"])) as cache, cache:
        cache.execute("UPDATE scholar_results SET source_date = '2025-01-01'")
    reports = {
        name: citeproof("verify", bibliography, "--disable-bib", "--format", name).stdout
        for name in ("table", "json", "jsonl", "csv")
    }
    assert {name: report.count(said) for name, report in reports.items()} == dict.fromkeys(
        reports, 1
    )
    assert (
        "dblp journals/cacm/Codd70"
        in citeproof("verify", bibliography, "--disable-bib", "-v").stdout
    )
    assert next(csv.DictReader(io.StringIO(reports["csv"])))["matched_source"] == "dblp"


REPORTS = [("table",), ("table", "-q"), ("markdown",), ("markdown", "-q"), ("html",)]


@pytest.mark.parametrize("options", REPORTS, ids=" ".join)
def test_an_entry_that_only_an_earlier_run_confirms_is_named_with_its_origin(
    citeproof: Program, bibliography: Path, options: tuple[str, ...]
) -> None:
    citeproof("verify", bibliography)
    with closing(sqlite3.connect(citeproof.environment["CITEPROOF_CACHE"])) as cache, cache:
        cache.execute("UPDATE scholar_results SET source_date = '2025-01-01'")
    said = f"remembered from dblp of 2025-01-01, checked on {datetime.now(UTC).date()}"
    report = citeproof("verify", bibliography, "--disable-bib", "--format", *options).stdout
    assert f"1 verdict was {said}: right." in " ".join(report.split())
    if "html" in options:
        assert f"A record agrees; there is nothing to do. The record is {said}." in report
    assert "remembered" not in citeproof("verify", bibliography, "--format", *options).stdout


def test_without_the_cache_nothing_is_remembered_and_nothing_decides_silently(
    citeproof: Program, bibliography: Path
) -> None:
    citeproof("verify", bibliography, "--no-cache")
    assert not Path(citeproof.environment["CITEPROOF_CACHE"]).exists()
    citeproof("verify", bibliography)
    report = json.loads(
        citeproof("verify", bibliography, "--disable-bib", "--no-cache", "--format", "json").stdout
    )
    assert report["results"][0]["status"] == "UNVERIFIED"
    assert report["results"][0]["evidence"] == []


@pytest.mark.parametrize("report", ["jsonl", "csv"])
def test_reports_of_lines_say_their_statistics_on_standard_error(
    citeproof: Program, bibliography: Path, report: str
) -> None:
    done = citeproof("verify", bibliography, "--format", report)
    assert "citeproof: 4 entries: 1 valid, 1 suspicious, 1 unverified, 1 error; " in done.stderr


def test_lines_of_json_end_in_their_statistics_on_request(
    citeproof: Program, bibliography: Path
) -> None:
    lines = citeproof(
        "verify", bibliography, "--format", "jsonl", "--statistics"
    ).stdout.splitlines()
    assert len(lines) == 5
    assert json.loads(lines[-1])["statistics"]["by_status"]["VALID"] == 1
    assert all("key" in json.loads(line) for line in lines[:4])


def test_help_names_the_default_places_and_the_formats(citeproof: Program) -> None:
    for name in ("DATA", "CACHE"):
        citeproof.environment[f"XDG_{name}_HOME"] = f"/srv/{name.lower()}"
    cold = replace(citeproof, warm=None)  # the places are read when the command is imported
    text = " ".join(cold("verify", "--help").stdout.split())
    assert "/srv/data/citeproof/dblp.db" in text
    assert "/srv/cache/citeproof/verified.db" in text
    # a line may end in a hyphen
    assert [name for name in names() if name not in text.replace("- ", "-")] == []


def test_db_info_without_a_file_shows_the_default_database(
    citeproof: Program, tmp_path: Path
) -> None:
    done = citeproof("db", "info", "--format", "json")
    assert "built-in sample" in done.stderr
    assert json.loads(done.stdout)["records"] > 300
    citeproof.environment["CITEPROOF_BIB_DB"] = str(tmp_path / "mine.db")
    assert "mine.db: no such file" in citeproof("db", "info").stderr


def test_an_output_file_appears_complete(
    citeproof: Program, bibliography: Path, tmp_path: Path
) -> None:
    target = tmp_path / "report.csv"
    done = citeproof("verify", bibliography, "--format", "csv", "--output", target)
    assert done.stdout == ""
    assert len(list(csv.DictReader(io.StringIO(target.read_text())))) == 4


def test_a_failed_run_leaves_the_old_output(
    citeproof: Program, bibliography: Path, tmp_path: Path
) -> None:
    target = tmp_path / "report.json"
    target.write_text("old")
    done = citeproof(
        "verify", bibliography, "--output", target, "--bib-db", tmp_path / "missing.db"
    )
    assert done.returncode == 2
    assert "missing.db" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert target.read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} <= {"refs.bib", "report.json", "verified.db"}


def test_two_inputs_make_one_report(citeproof: Program, bibliography: Path, tmp_path: Path) -> None:
    titles = tmp_path / "titles.txt"
    titles.write_text("The Google File System\n")
    report = json.loads(citeproof("verify", bibliography, titles, "--format", "json").stdout)
    assert [Path(result["file"]).name for result in report["results"]] == ["refs.bib"] * 4 + [
        "titles.txt"
    ]


def test_variables_set_what_flags_do_not(
    citeproof: Program, bibliography: Path, tmp_path: Path
) -> None:
    citeproof.environment["CITEPROOF_BIB_DB"] = str(tmp_path / "nowhere.db")
    assert "nowhere.db" in citeproof("verify", bibliography).stderr
    citeproof.environment["CITEPROOF_BIB_DB"] = ""
    citeproof.environment["CITEPROOF_BIB_THRESHOLD"] = "7"
    done = citeproof("verify", bibliography)
    assert done.returncode == 2
    assert "bib_threshold" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_settings_file_stands_behind_the_variables(
    citeproof: Program, bibliography: Path, tmp_path: Path
) -> None:
    (tmp_path / "citeproof.toml").write_text('bib_db = "from-file.db"\n')
    assert "from-file.db" in citeproof("verify", bibliography).stderr
    citeproof.environment["CITEPROOF_BIB_DB"] = "from-variable.db"
    assert "from-variable.db" in citeproof("verify", bibliography).stderr
    assert "from-flag.db" in citeproof("verify", bibliography, "--bib-db", "from-flag.db").stderr


def test_the_example_bibliography_is_answered_in_full(citeproof: Program) -> None:
    report = json.loads(citeproof("verify", EXAMPLES, "--format", "json").stdout)
    (bibliography,) = read_all(papers_of(open_documents([str(EXAMPLES)])))
    assert len(report["results"]) == len(bibliography.entries) >= 25


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name
)
def test_being_stopped_shows_what_is_done_and_leaves_no_other_file(
    citeproof: Program, tmp_path: Path, number: signal.Signals
) -> None:
    many = tmp_path / "many.txt"
    nobodys = [f"A Title Numbered {number} that Nobody Wrote\n" for number in range(20_000)]
    nobodys[0] = "A Relational Model of Data for Large Shared Data Banks\n"
    nobodys[200] = "Time, Clocks, and the Ordering of Events in a Distributed System\n"
    many.write_text("".join(nobodys))
    report = tmp_path / "report.jsonl"
    command = [
        sys.executable,
        "-m",
        "citeproof",
        "verify",
        str(many),
        "--format",
        "jsonl",
        "-o",
        str(report),
    ]
    with subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=citeproof.environment,
        # in the background it is ignored
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # noqa: PLW1509
    ) as running:
        while running.poll() is None and remembered(tmp_path / "verified.db") < 2:
            time.sleep(0.05)
        running.send_signal(number)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"Traceback" not in err
    assert b"Interrupted: " in err
    verdicts = [json.loads(line)["status"] for line in report.read_text().splitlines()]
    assert verdicts[0] == "VALID"
    assert set(verdicts) <= {"VALID", "UNVERIFIED"}
    assert {path.name.partition("-")[0] for path in tmp_path.iterdir()} == {
        "many.txt",
        "report.jsonl",
        "verified.db",
    }


def remembered(cache: Path) -> int:
    """Return how many works a cache holds, 0 while there is none."""
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"file:{cache}?mode=ro", uri=True)) as connection,
    ):
        return len(connection.execute("SELECT * FROM scholar_results").fetchall())
    return 0


def test_a_document_that_cannot_be_read_costs_only_itself(
    citeproof: Program, bibliography: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty.bib").write_text("")
    done = citeproof(
        "verify", tmp_path / "none.bib", bibliography, tmp_path / "empty.bib", "--format", "json"
    )
    assert done.returncode == 3
    results = json.loads(done.stdout)["results"]
    alone = json.loads(citeproof("verify", bibliography, "--format", "json").stdout)["results"]
    assert [result["status"] for result in results] == [
        "ERROR",
        *(one["status"] for one in alone),
        "ERROR",
    ]
    assert [results[place]["issues"][0]["code"] for place in (0, -1)] == [
        "document.missing",
        "document.empty",
    ]
    assert [Path(results[place]["file"]).name for place in (0, -1)] == ["none.bib", "empty.bib"]


def test_a_paper_in_latex_is_checked_as_far_as_it_cites(citeproof: Program, tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(
        "@article{right, title = {A Theory of the Learnable}, author = {Leslie G. Valiant}, year ="
        " 1984}\n@article{uncited, title = {The Google File System}}\n"
    )
    paper = tmp_path / "main.tex"
    paper.write_text("\\documentclass{article}\n\\cite{right,\ngone}\n\\bibliography{refs}\n")
    done = citeproof("verify", paper, "--format", "json")
    results = json.loads(done.stdout)["results"]
    places = [(one["key"], Path(one["file"]).name, one["line"], one["status"]) for one in results]
    assert places == [("right", "refs.bib", 1, "VALID"), ("gone", "main.tex", 2, "ERROR")]
    assert done.returncode == 3
    everything = json.loads(citeproof("verify", paper, "--all", "--format", "json").stdout)[
        "results"
    ]
    assert [one["key"] for one in everything] == ["right", "uncited", "gone"]


def test_a_reference_on_the_command_line_is_checked(citeproof: Program) -> None:
    written = (
        "L. G. Valiant. A Theory of the Learnable. Communications of the ACM, 27(11):1134-1142,"
        " 1984."
    )
    done = citeproof("verify", "--text", written, "--format", "json")
    (result,) = json.loads(done.stdout)["results"]
    assert (result["file"], result["status"], result["reference"]["raw"]) == (
        "<text>",
        "VALID",
        written,
    )
    assert done.returncode == 0
