"""The report for issues and mails."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.model.reference import Place, Reference
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Status, Verdict
from citeproof.report.formats.markdown import render
from citeproof.report.overview import USUAL, Detail, View

if TYPE_CHECKING:
    from collections.abc import Iterable


def rendered(run: Run, view: View = USUAL) -> str:
    out = io.StringIO()
    render(run, out, view)
    return out.getvalue()


def run_of(verdicts: Iterable[Verdict]) -> Run:
    every = tuple(verdicts)
    return Run({}, (), every, Statistics.of(every, 1.0))


def test_render_a_problem_says_what_to_do_what_differs_and_what_was_meant(run: Run) -> None:
    assert """\
### ! SUSPICIOUS `refs.bib:9 doubt`

*Attention is all you need*

**Correct the title: the record has “is”, not “was”; the year is 2017, not 2011; the rest agrees.**

* title, cited: Attention **was** all you need
* title, recorded: Attention **is** All you Need
* meant: [Attention is All you Need](https://papers.nips.cc/paper/7181), Ashish Vaswani, \
Noam Shazeer, Niki Parmar and 2 more, NIPS 2017
""" in rendered(run)


def test_render_begins_with_the_sum_and_ends_with_the_exit_code(run: Run) -> None:
    text = rendered(run)
    assert "| refs.bib | 5 | 1 | 1 | 1 | 1 | 1 |\n" in text
    assert text.endswith("* Exit code 3: some references could not be checked.\n")
    assert "https://doi.org/10.1/notice" in text


def test_render_several_papers_have_a_row_each_and_one_for_all(run: Run) -> None:
    moved = replace(
        run.verdicts[0], reference=replace(run.verdicts[0].reference, place=Place("b.bib", 1))
    )
    text = rendered(run_of([*run.verdicts, moved]))
    assert "| b.bib | 1 | 0 | 0 | 0 | 0 | 1 |\n" in text
    assert "| all | 6 | 1 | 1 | 1 | 1 | 2 |\n" in text


def test_render_a_title_cannot_be_markup() -> None:
    title = "[x](http://e.example) <img src=y> `z` *w*\n# |"
    verdict = Verdict(Reference("`k", title), Status.UNVERIFIED, "title_not_found", 0.5)
    line = next(line for line in rendered(run_of([verdict])).splitlines() if line.startswith("* `"))
    assert line == r"* `'k` \[x\](http://e.example) \<img src=y\> \`z\` \*w\* \# \|"


def test_render_long_groups_are_cut_and_shown_whole_on_request() -> None:
    verdicts = [
        Verdict(Reference(f"k{n}"), Status.UNVERIFIED, "title_not_found", 0.5) for n in range(30)
    ]
    assert "* and 10 more\n" in rendered(run_of(verdicts))
    assert "* `k29`\n" in rendered(run_of(verdicts), View(everything=True))


def test_problems_alone(run: Run) -> None:
    text = rendered(run, View(Detail.PROBLEMS))
    assert text.startswith("## Problems\n")
    assert "UNVERIFIED" not in text
    assert "About this run" not in text


def test_render_what_is_accepted_stands_at_the_end_with_the_reason(accepted_run: Run) -> None:
    text = rendered(accepted_run)
    assert "## Problems\n\n### ! SUSPICIOUS `refs.bib:9 doubt`" in text
    assert (
        "## 1 accepted: checked by a person, so not counted as a problem\n\n* ✗ `refs.bib:17"
        " =cmd()` a \\[reprint\\] (" in text
    )
    assert (
        "## 1 no longer accepted: check again, and renew the acceptance\n\n* ! `refs.bib:9 doubt`"
        " seen (2026-01-02; the" in text
    )
    assert "accepted" not in rendered(accepted_run, View(Detail.PROBLEMS))
