"""Annotations of a GitHub Actions run."""

import io
import re

from citeproof.model.reference import Place, Reference
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Status, Verdict
from citeproof.report.formats.github import render
from citeproof.report.overview import USUAL, Detail, View

COMMAND = re.compile(r"::(error|warning|notice) ((?:\w+=[^,:]*,?)*)::(.*)")


def lines(run: Run, view: View = USUAL) -> list[str]:
    out = io.StringIO()
    render(run, out, view)
    return out.getvalue().splitlines()


def commands(run: Run, view: View = USUAL) -> list[tuple[str, dict[str, str], str]]:
    matches = [COMMAND.fullmatch(line) for line in lines(run, view) if line.startswith("::")]
    assert all(matches)
    return [
        (m[1], dict(part.split("=", 1) for part in m[2].split(",")), m[3]) for m in matches if m
    ]


def test_problems_are_annotated_at_their_lines_the_worst_first(run: Run) -> None:
    assert [(level, where["line"], where["title"]) for level, where, _ in commands(run)] == [
        ("error", "17", "INVALID%3A =cmd()"),
        ("error", "9", "SUSPICIOUS%3A doubt"),
        ("warning", "1", "VALID%3A good"),
        ("error", "33", "ERROR%3A down"),
    ]
    assert commands(run)[0][2].startswith("The year is 2017, not 2011.")


def test_render_what_does_not_fail_the_build_is_a_warning(run: Run) -> None:
    levels = [level for level, _, _ in commands(run, View(failing=(Status.INVALID, Status.ERROR)))]
    assert levels == ["error", "warning", "warning", "error"]


def test_render_the_sum_closes_it_unless_only_problems_are_wanted(run: Run) -> None:
    assert lines(run)[-1] == "Exit code 3: some references could not be checked."
    assert [line for line in lines(run, View(Detail.PROBLEMS)) if not line.startswith("::")] == []


def test_render_a_bibliography_cannot_give_commands() -> None:
    reference = Reference("a,line=1::error::%0A\n::set-output x", place=Place("b,c:\n.bib", 3))
    verdict = Verdict(reference, Status.INVALID, "future_date", 0.9)
    (command,) = commands(
        Run({}, ("::stop\n::commands::x",), (verdict,), Statistics.of((verdict,), 1.0)),
        View(Detail.PROBLEMS),
    )
    assert command[1]["file"] == "b%2Cc%3A%0A.bib"
    assert command[1]["title"] == "INVALID%3A a%2Cline=1%3A%3Aerror%3A%3A%250A%0A%3A%3Aset-output x"


def test_render_a_note_cannot_give_commands(run: Run) -> None:
    noted = Run({}, ("a\n::warning::x",), (), Statistics.of((), 1.0))
    assert [line for line in lines(noted) if line.startswith("::")] == []


def test_render_what_is_accepted_is_a_notice_behind_the_others(accepted_run: Run) -> None:
    found = commands(accepted_run)
    assert [level for level, _, _ in found] == ["error", "warning", "error", "notice"]
    assert found[0][2].endswith(
        "No longer accepted: seen (2026-01-02; the entry has changed since)."
    )
    assert found[-1][2].endswith("Accepted: a [reprint] (2026-11-22, until 2027-11-22).")
