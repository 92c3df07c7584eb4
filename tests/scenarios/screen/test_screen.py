"""``citeproof screen`` from end to end, against the built-in sample."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.errors import CiteproofError, InputError
from citeproof.screen.limits import Limits
from citeproof.screen.tables import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.scenarios.screen.conftest import Screen

EXAMPLES = Path(__file__).parents[3] / "examples" / "references.bib"
HELD = "Attention is All you Need"
"""A title that the sample holds."""


def test_the_sums_of_papers_references_and_places_agree(screen: Screen) -> None:
    screen.paper("one.bib", HELD, "Nobody Has Written This Yet", "Nor This")
    screen.paper("below/two.bib", "Nobody  has written this yet.")
    (screen.papers / "three.bib").write_text("@article{broken, title={")
    summary = screen()
    papers = screen.table("papers")
    assert [(paper["name"].rpartition("papers/")[2], paper["entries"]) for paper in papers] == [
        ("one.bib", 3),
        ("three.bib", 1),
        ("below/two.bib", 1),
    ]
    assert (
        sum(paper[status] for paper in papers for status in ("valid", "suspicious", "invalid", "unverified", "error"))
        == 5
    )
    assert summary.distinct == len(screen.table("references")) == len(screen.table("verdicts")) == 3
    assert len(screen.table("places")) == sum(summary.by_status.values()) == 5
    shared = next(row for row in screen.table("references") if row["papers"] == 2)
    assert shared["title"] == "Nobody Has Written This Yet"


def test_the_tables_are_those_of_the_page(screen: Screen) -> None:
    screen(EXAMPLES)
    for name, columns in SCHEMAS.items():
        rows = screen.table(name)
        assert [list(row) for row in rows[:1]] == ([list(columns)] if rows or name != "signals" else [])
    verdicts = screen.table("verdicts")
    assert {verdict["status"] for verdict in verdicts} == {"VALID", "SUSPICIOUS", "INVALID", "UNVERIFIED"}
    codes = {issue["code"] for verdict in verdicts for issue in verdict["issues"]}
    assert codes >= {"authors.not_on_record", "year.off"}
    assert "Compilers: Principles, Techniques, and Tools" in {str(verdict["match_title"]) for verdict in verdicts}


def test_what_is_done_is_not_done_again(screen: Screen) -> None:
    screen.paper("one.bib", HELD, "Nobody Has Written This Yet")
    first = screen()
    seconds = [paper["seconds"] for paper in screen.table("papers")]
    assert screen() == first
    assert [paper["seconds"] for paper in screen.table("papers")] == seconds


def test_new_and_changed_papers_are_taken_in(screen: Screen) -> None:
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


def test_lines_belong_to_the_papers_that_they_name(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeproof.screen.papers.PIECE", 100)
    items = [{"paper": f"p{number // 3}", "title": f"A Matter of Numbers {number}"} for number in range(12)]
    screen.lines("refs.jsonl", *items, {"title": "Of No Paper"})
    screen()
    names = {paper["paper"]: paper["name"] for paper in screen.table("papers")}
    places = [(names[place["paper"]], place["position"], place["line"]) for place in screen.table("places")]
    assert sorted(places)[:-1] == [
        (str(screen.papers / "refs.jsonl"), 1, 13),
        *((f"p{number // 3}", number % 3 + 1, number + 1) for number in range(11)),
    ]


def test_a_paper_that_stalls_or_eats_memory_costs_itself(screen: Screen) -> None:
    screen.paper("one.bib", HELD)
    (screen.papers / "long.bib").write_text("@article{a, title={" + "{" * 200 + "x" * 3_000_000)
    found = screen(limits=Limits(seconds=0.001))
    assert found.unread >= 1
    assert "more than 0.001 seconds" in str([paper["trouble"] for paper in screen.table("papers")])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nowhere", "-o", "results"), "nowhere: No such file or directory"),
        (("paper.bib", "-o", "paper.bib"), "paper.bib: "),
        (("empty", "-o", "results"), "empty: holds no paper"),
        (("paper.bib", "-o", "."), "is not empty, and no results"),
        (("paper.bib", "-o", "results", "--bib-db", "none.db"), "none.db: no such file"),
        (("report", "results", "paper.bib"), "holds no results of a screening"),
    ],
)
def test_wrong_input_is_one_line(screen: Screen, run: Callable[..., Any], words: tuple[str, ...], says: str) -> None:
    screen.papers.parent.joinpath("empty").mkdir()
    screen.papers.parent.joinpath("paper.bib").write_text("@misc{a, title={A Matter of Sheep}}")
    done = run(*words)
    assert isinstance(done.exception, CiteproofError | SystemExit), done.exception
    assert says in str(done.exception) + done.output


def test_a_paper_is_reported_as_by_verify(screen: Screen, run: Callable[..., Any]) -> None:
    screen.paper("one.bib", HELD, "Nobody Has Written This Yet")
    screen()
    done = run("report", screen.folder, "one.bib")
    assert "2 entries" in done.output
    assert "one.bib:3" in done.output
    with pytest.raises(InputError, match=r"no paper is called 'two\.bib'"):
        raise run("report", screen.folder, "two.bib").exception


def test_two_runs_do_not_share_a_folder(screen: Screen, run: Callable[..., Any]) -> None:
    from citeproof.screen.store import opened

    paper = screen.paper("one.bib", HELD)
    with opened(screen.folder):
        assert "another run works on it" in str(run(paper, "-o", screen.folder).exception)
