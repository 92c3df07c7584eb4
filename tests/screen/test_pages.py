"""The overview page of a screening, and reports and letters on papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.screen.pages import letter, write_overview, write_reports
from citeproof.screen.results import run_of

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.screen.results import Results
    from citeproof.screen.store import ScreeningStore


def test_write_reports_writes_the_kinds_that_are_asked_for(
    results: Results, tmp_path: Path
) -> None:
    (tmp_path / "reports").mkdir()
    assert write_reports(results, tmp_path, ()) == {}
    assert write_reports(results, tmp_path, ["letters"]) == {}
    names = sorted(path.name for path in (tmp_path / "reports").iterdir())
    assert [name[:6] for name in names] == ["00001-", "00002-"]
    assert all(name.endswith("bib.md") for name in names)
    links = write_reports(results, tmp_path, ["html"])
    assert list(links) == [1, 2]
    assert "A Theory of the Learnable" in (tmp_path / links[2]).read_text()


def test_write_overview_links_the_papers_and_says_which_could_not_be_read(
    results: Results, tmp_path: Path
) -> None:
    write_overview(results, tmp_path, ("a note",), {1: "reports/one.html"})
    page = (tmp_path / "overview.html").read_text()
    assert page.count('href="reports/one.html"') >= 1
    assert "third.pdf" in page
    assert "a note" in page


def test_letter_lists_problems_alone_and_is_empty_without_any(store: ScreeningStore) -> None:
    run = run_of(store, "first.bib")
    text = letter("first_paper.bib", run)
    assert text.startswith("# The references of first\\_paper.bib\n")
    assert "the 4 references of this paper" in text
    assert "One of them does not agree with the records." in text
    assert "A Theory of the Learnable" in text
    assert "Notes on a Workshop" not in text
    assert text.count("\n* ") >= 3
    valid = [one for one in run.verdicts if one.is_valid]
    assert letter("x", type(run)({}, (), tuple(valid), run.statistics)) == ""
