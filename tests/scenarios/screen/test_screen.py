"""``citeproof screen`` from end to end, against the built-in sample."""

from __future__ import annotations

import csv
import html
import json
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from citeproof.model.errors import CiteproofError, InputError
from citeproof.readers.isolation import Limits
from citeproof.report.overview import WORST_FIRST
from citeproof.screen import pages
from citeproof.screen.tables import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.scenarios.screen.conftest import Screen

EXAMPLES = Path(__file__).parents[3] / "examples" / "references.bib"
HELD = "Attention is All you Need"
"""A title in the sample."""


def test_screen_sums_of_papers_references_and_places_agree(screen: Screen) -> None:
    screen.paper("one.bib", HELD, "Nobody Has Written This Yet", "Nor This")
    screen.paper("below/two.bib", "Nobody  has written this yet.")
    (screen.papers / "three.bib").write_text("@article{broken, title={")
    results = screen()
    papers = screen.table("papers")
    assert [(paper["name"].rpartition("papers/")[2], paper["entries"]) for paper in papers] == [
        ("one.bib", 3),
        ("three.bib", 1),
        ("below/two.bib", 1),
    ]
    assert (
        sum(
            paper[status]
            for paper in papers
            for status in ("valid", "suspicious", "invalid", "unverified", "error")
        )
        == 5
    )
    assert results.distinct == len(screen.table("references")) == len(screen.table("verdicts")) == 3
    assert len(screen.table("places")) == sum(results.by_status.values()) == 5
    shared = next(row for row in screen.table("references") if row["papers"] == 2)
    assert shared["title"] == "Nobody Has Written This Yet"


def test_screen_tables_are_those_of_the_documentation(screen: Screen) -> None:
    screen(EXAMPLES)
    for name, columns in SCHEMAS.items():
        rows = screen.table(name)
        assert [list(row) for row in rows[:1]] == (
            [list(columns)] if rows or name != "signals" else []
        )
    verdicts = screen.table("verdicts")
    assert {verdict["status"] for verdict in verdicts} == {
        "VALID",
        "SUSPICIOUS",
        "INVALID",
        "UNVERIFIED",
    }
    codes = {issue["code"] for verdict in verdicts for issue in verdict["issues"]}
    assert codes >= {"authors.not_on_record", "year.off"}
    assert "Compilers: Principles, Techniques, and Tools" in {
        str(verdict["match_title"]) for verdict in verdicts
    }


def test_screen_writes_equal_csv_and_parquet_tables(screen: Screen) -> None:
    (screen.papers / "x").mkdir(parents=True)
    (screen.papers / "x" / "=1+1.bib").write_text("@misc{k, title={=HYPERLINK(1) of the meadows}}")
    screen(EXAMPLES, screen.papers)
    for name, columns in SCHEMAS.items():
        with (screen.folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        assert header == list(columns)
        assert len(rows) == len(screen.table(name))
    titles = [
        row["title"]
        for row in csv.DictReader((screen.folder / "references.csv").open(encoding="utf-8"))
    ]
    assert "'=HYPERLINK(1) of the meadows" in titles


def test_screen_workbook_lists_papers_findings_and_signals(screen: Screen) -> None:
    screen.paper("one.bib", HELD, "=1+1 Turnips in the Orchards of the North")
    screen(EXAMPLES, screen.papers)
    sheets = workbook(screen.folder / "screening.xlsx")
    assert [name for name, _ in sheets] == ["papers", "findings", "signals"]
    papers, findings, signals = (rows for _, rows in sheets)
    assert papers[0][7:10] == [
        "Chance of an invented reference",
        "Chance of three",
        "Invented, expected",
    ]
    chances = [float(row[7]) for row in papers[1:]]
    assert chances == sorted(chances, reverse=True)
    assert all(0 < chance < 1 for chance in chances)
    assert [row[0].rpartition("/")[2] for row in papers] == ["Paper", "references.bib", "one.bib"]
    assert papers[1][1:4] == ["26", "1", "9"]
    assert len(findings) - 1 == sum(int(cell) for row in papers[1:] for cell in row[2:6])
    assert "=1+1 Turnips in the Orchards of the North" in {row[5] for row in findings}
    assert all(row[6] for row in findings)
    assert signals[0][:4] == ["Signal", "Seen", "Papers", "Works"]


def test_screen_overview_begins_with_the_worst_papers_and_links_reports(
    screen: Screen, run: Callable[..., Any]
) -> None:
    screen.paper("<b>one.bib", HELD)
    screen.paper("two.bib", "Nobody Has Written This Yet")
    shutil.copy(EXAMPLES, screen.papers / "worst.bib")
    (screen.papers / "figure.png").write_bytes(b"x")
    done = run("run", screen.papers, "-o", screen.folder, "--reports", "html,letters")
    assert done.exit_code == 0, done.output
    page = (screen.folder / "overview.html").read_text("utf-8")
    usual = run("report", screen.folder, "worst.bib").output
    every = run("report", screen.folder, "worst.bib", "--all").output
    assert every.count("\n✓ ") - usual.count("\n✓ ") > 5
    assert '<a href="#about">1 file was not checked</a>' in page
    kinds = re.findall(r'<label class="(\w+)"><input type="radio"', page)
    assert kinds == sorted(kinds, key=list(WORST_FIRST).index)
    assert {"SUSPICIOUS", "UNVERIFIED"} < set(kinds)
    headings = [
        page.index(f"<h3>{label}: ")
        for label in ("Failing together", "Wrong DOIs", "Database gaps")
    ]
    assert headings == sorted(headings)
    assert page.index("Papers to look at") < page.index("Signals across papers")
    assert page.index("</main>") < page.index("sample.db")
    links = re.findall(r'<a href="(reports/[^"]+\.html)">([^<]+)</a><(?:td|br)', page)
    assert [html.unescape(name).rpartition("/")[2] for _, name in links] == [
        "worst.bib",
        "two.bib",
        "<b>one.bib",
    ]
    assert all("<title>" in (screen.folder / link).read_text("utf-8") for link, _ in links)
    (letter,) = (screen.folder / "reports").glob("*.md")
    assert letter.with_suffix(".html").name == links[0][0].removeprefix("reports/")
    assert "10 of them do not agree with the records." in letter.read_text("utf-8")
    assert run("run", screen.papers, "-o", screen.folder, "--reports", "pdf").exit_code == 2


def test_screen_overview_has_all_papers_and_the_works_of_signals(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "_SHOWN_PAPERS", 1)
    titles = screen.titles(4)
    for number in range(3):
        screen.paper(f"{number}.bib", *titles, *([HELD] * number))
    (screen.papers / "all.jsonl").write_text("")
    screen()
    page = (screen.folder / "overview.html").read_text("utf-8")
    assert page.count('<tr class="later ') == 2
    assert all(f"{number}.bib" in page for number in range(3))


def workbook(path: Path) -> list[tuple[str, list[list[str]]]]:
    """Return each sheet of a workbook with its cells as text."""
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    with zipfile.ZipFile(path) as archive:
        names = [
            sheet.get("name", "")
            for sheet in ET.fromstring(archive.read("xl/workbook.xml")).iter(f"{space}sheet")
        ]
        sheets = []
        for number, name in enumerate(names, 1):
            root = ET.fromstring(archive.read(f"xl/worksheets/sheet{number}.xml"))
            rows = []
            for row in root.iter(f"{space}row"):
                cells = {cell.get("r", "A")[0]: "".join(cell.itertext()) for cell in row}
                rows.append([cells.get(letter, "") for letter in "ABCDEFGHIJ"])
            assert not list(root.iter(f"{space}f"))
            sheets.append((name, rows))
    return sheets


def test_screen_repeats_no_finished_work(screen: Screen) -> None:
    screen.paper("one.bib", HELD, "Nobody Has Written This Yet")
    first = screen()
    seconds = [paper["seconds"] for paper in screen.table("papers")]
    again = screen()
    assert (again.papers, again.distinct, again.signals) == (
        first.papers,
        first.distinct,
        first.signals,
    )
    assert [paper["seconds"] for paper in screen.table("papers")] == seconds


def test_screen_reads_new_and_changed_papers(screen: Screen) -> None:
    screen.paper("one.bib", HELD, "Nobody Has Written This Yet")
    screen.paper("two.bib", HELD)
    screen()
    screen.paper("one.bib", "An Entirely New Matter of Sheep")
    new = screen.paper("three.bib", "Another One of Goats")
    os.utime(screen.papers / "one.bib", (1, 1))
    screen()
    assert {row["title"] for row in screen.table("references")} == {
        HELD,
        "An Entirely New Matter of Sheep",
        "Another One of Goats",
    }
    assert {paper["name"] for paper in screen.table("papers")} >= {str(new)}


@pytest.mark.parametrize("together", [True, False], ids=["in one run", "in later runs"])
def test_screen_counts_a_paper_once_however_its_folder_is_spelled(
    screen: Screen, tmp_path: Path, run: Callable[..., Any], together: bool
) -> None:
    shared = screen.titles(3)
    for name in ("one.bib", "two.bib"):
        screen.paper(name, *shared)
    with zipfile.ZipFile(screen.papers / "more.zip", "w") as archive:
        archive.writestr("three.bib", "@misc{a, author={Bo Ek}, title={On Lambs and Ropes}}")
        archive.writestr("four.bib", "@misc{b, author={Bo Ek}, title={On Goats and Ropes}}")
    (tmp_path / "link").symlink_to(screen.papers)
    once = screen()
    places = screen.table("places")
    assert len(places) == 8
    spellings = ["papers", screen.papers, "link", screen.papers / ".." / "papers"]
    for inputs in [spellings] if together else [[one] for one in spellings]:
        assert run(*inputs, "-o", screen.folder).exit_code == 0
        assert screen.table("places") == places
    again = screen()
    assert (again.papers, again.signals) == (once.papers, once.signals)
    screen.paper("one.bib", *shared[:1])
    assert len(screen(tmp_path / "link").papers) == len(once.papers)
    assert len(screen.table("places")) == len(places) - 2


def test_screen_assigns_lines_to_the_papers_that_they_name(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.screen.papers._PIECE", 100)
    items = [
        {"paper": f"p{number // 3}", "title": f"A Matter of Numbers {number}"}
        for number in range(12)
    ]
    screen.lines("refs.jsonl", *items, {"title": "Of No Paper"})
    screen()
    names = {paper["paper"]: paper["name"] for paper in screen.table("papers")}
    places = [
        (names[place["paper"]], place["position"], place["line"])
        for place in screen.table("places")
    ]
    assert sorted(places)[:-1] == [
        (str(screen.papers / "refs.jsonl"), 1, 13),
        *((f"p{number // 3}", number % 3 + 1, number + 1) for number in range(11)),
    ]


def test_screen_lists_a_paper_that_exceeds_its_limits(screen: Screen) -> None:
    screen.paper("one.bib", HELD)
    (screen.papers / "long.bib").write_text("@article{a, title={" + "{" * 200 + "x" * 3_000_000)
    found = screen(limits=Limits(seconds=0.001))
    assert found.unread
    assert "more than 0.001 seconds" in str([paper["trouble"] for paper in screen.table("papers")])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nowhere", "-o", "results"), "nowhere: No such file or directory"),
        (("paper.bib", "-o", "paper.bib"), "paper.bib: "),
        (("empty", "-o", "results"), "empty: has no paper"),
        (("paper.bib", "-o", "."), "is not empty, and does not have the results"),
        (("paper.bib", "-o", "paper.bib"), "paper.bib: is a file; name a folder for the results"),
        (("paper.bib", "-o", "results", "--bib-db", "none.db"), "none.db: no such file"),
        (("report", "results", "paper.bib"), "has no results of a screening"),
        (("report", "results", "paper.bib", "-o", "out.docx"), "no report has the suffix .docx"),
    ],
)
def test_wrong_input_is_one_line(
    screen: Screen, run: Callable[..., Any], words: tuple[str, ...], says: str
) -> None:
    screen.papers.parent.joinpath("empty").mkdir()
    screen.papers.parent.joinpath("paper.bib").write_text("@misc{a, title={A Matter of Sheep}}")
    done = run(*words)
    assert isinstance(done.exception, CiteproofError | SystemExit), done.exception
    assert says in str(done.exception) + done.output


def test_screen_report_equals_that_of_verify(screen: Screen, run: Callable[..., Any]) -> None:
    screen.paper("one.bib", HELD, "Nobody Has Written This Yet")
    screen()
    done = run("report", screen.folder, "one.bib")
    assert "2 entries" in done.output
    assert "one.bib:3" in done.output
    page = screen.papers.parent / "one.html"
    assert run("report", screen.folder, "one.bib", "-o", page).exit_code == 0
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert "Exit code" not in done.output + page.read_text("utf-8")
    assert "title_not_found" in run("report", screen.folder, "one.bib", "-v").output
    with pytest.raises(InputError, match=r"no paper is called 'two\.bib'"):
        raise run("report", screen.folder, "two.bib").exception


def test_screen_refuses_a_folder_of_another_run(screen: Screen, run: Callable[..., Any]) -> None:
    from citeproof.screen.store import opened

    paper = screen.paper("one.bib", HELD)
    with opened(screen.folder):
        assert "another run uses this folder" in str(run(paper, "-o", screen.folder).exception)


def test_screen_sorts_papers_by_the_inventions_to_expect(
    screen: Screen, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A paper with a reference that its volume lacks comes before one with a wrong year."""
    entries = dict(
        re.findall(r"^(@\w+\{(\w+),.*?^\})", EXAMPLES.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    )
    by_key = {key: entry for entry, key in entries.items()}
    screen.papers.mkdir()
    for name, key in (("wrong_year", "valiant88"), ("absent", "marrowby2008lantern")):
        (screen.papers / f"{name}.bib").write_text(by_key[key], "utf-8")
    title = "Lantern Walks: Seasonal Drift in the Anchor Texts of Municipal Portals"
    (screen.papers / "keyless.csv").write_text(
        f"title,authors,year,venue,pages\n{title},Quillon Marrowby; Isolde Fennwright,2008,"
        '"Proceedings of the International Conference on Web Search and Web Data Mining, WSDM 2008"'
        ",271--280\n"
    )
    monkeypatch.setenv("CITEPROOF_BASE_RATE", "0.1")
    assert run(screen.papers, "-o", screen.folder, "--processes", "1").exception is None
    papers = {Path(row["name"]).stem: row for row in screen.table("papers")}
    assert papers["absent"]["expected"] > 0.3
    assert papers["wrong_year"]["expected"] < 0.1
    assert papers["absent"]["expected"] >= papers["absent"]["one"] > papers["absent"]["three"] == 0
    page = (screen.folder / "overview.html").read_text("utf-8")
    assert page.index("absent.bib") < page.index("wrong_year.bib")
    shown = json.loads(run("report", screen.folder, "absent.bib", "--format", "json").output)
    assert shown["results"][0]["chance"]["base_rate"] == 0.1
    assert shown["papers"][0]["invented"]["expected"] == pytest.approx(
        papers["absent"]["expected"], abs=1e-5
    )
    assert (
        shown["papers"][0]["invented"]["carried_by"]
        == ["marrowby2008lantern"]
        == papers["absent"]["carried_by"]
    )
    assert papers["wrong_year"]["carried_by"] == []
    assert "Look at: marrowby2008lantern</span>" in page
    assert papers["keyless"]["carried_by"] == [title]
    assert f"Look at: {title}</span>" in page
    shown = json.loads(run("report", screen.folder, "keyless.csv", "--format", "json").output)
    assert shown["papers"][0]["invented"]["carried_by"] == [title]


def test_screen_without_a_library_says_so_in_one_line(
    screen: Screen, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen.paper("one.bib", HELD)
    for library in ("openpyxl", "pyarrow"):
        monkeypatch.setitem(sys.modules, library, None)
    done = run(screen.papers, "-o", screen.folder, "--processes", "1")
    assert done.exit_code == 0, done.exception
    lines = [line for line in done.output.splitlines() if line.startswith("Note: ")]
    assert "Note: There is no workbook, since openpyxl is not installed." in lines
    assert (
        sum(
            line.startswith("Note: The tables are only written as CSV. For Parquet, run ")
            for line in lines
        )
        == 1
    )
