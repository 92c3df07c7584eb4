"""The report on a terminal: problems, what is open in a few lines, the sum."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.model.reference import Place, Reference, Severity
from citeproof.model.run import Ending, Run, Statistics
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.report.formats.table import render
from citeproof.report.overview import Detail, View

if TYPE_CHECKING:
    from collections.abc import Iterable


def shown(run: Run, view: View = View()) -> str:  # noqa: B008 - frozen
    out = io.StringIO()
    render(run, out, view)
    return out.getvalue()


def run_of(verdicts: Iterable[Verdict], **parts: object) -> Run:
    every = tuple(verdicts)
    return replace(Run({}, (), every, Statistics.of(every, 1.0)), **parts)  # type: ignore[arg-type]


def unknown(count: int) -> list[Verdict]:
    return [
        Verdict(
            Reference(f"key{n}", f"Title {n}", place=Place("t/refs.bib", n + 1)),
            Status.UNVERIFIED,
            "no_title",
            0.5,
        )
        for n in range(count)
    ]


def test_render_the_whole_report_reads_so(run: Run) -> None:
    assert (
        shown(run)
        == """\
✗ INVALID     refs.bib:17 =cmd()
    Attention is all you need
    The year is 2017, not 2011.
    the work: Ashish Vaswani, Noam Shazeer, Niki Parmar and 2 more, NIPS 2017
      https://papers.nips.cc/paper/7181
    In bibliographies without invented references, 89 of 100 such findings
      were real errors.

! SUSPICIOUS  refs.bib:9 doubt
    Attention is all you need
    Correct the title: the record has “is”, not “was”; the year is 2017, not
      2011; the rest agrees.
      cited     Attention [was] all you need
      recorded  Attention [is] All you Need
    meant: Ashish Vaswani, Noam Shazeer, Niki Parmar and 2 more, NIPS 2017
      https://papers.nips.cc/paper/7181
    In bibliographies without invented references, 89 of 100 such findings
      were real errors.

✓ VALID       refs.bib:1 good
    Attention is all you need
    the work: Ashish Vaswani, Noam Shazeer, Niki Parmar and 2 more, NIPS 2017
      https://papers.nips.cc/paper/7181
    The work was retracted; say so, or cite another work.
      https://doi.org/10.1/notice

⚠ 1 ERROR  A source could not be queried, and the other sources are not enough
           for a verdict; check again later.
    refs.bib:33 down  Attention is all you need

? 1 UNVERIFIED  Could not find the title; the queried sources are incomplete, so
                look elsewhere.
    refs.bib:25

5 entries: ✗ 1 invalid, ! 1 suspicious, ⚠ 1 error, ? 1 unverified, ✓ 1 valid
Checked against dblp.db (3 records).
Not found: 1 other work (not queried: openalex).
Failures: crossref 1: timed out after 10 s.
Nothing left this machine.
Note: A note.
Exit code 3: some references could not be checked.
Next: citeproof fix refs.bib shows corrections; citeproof explain refs.bib
      '=cmd()' says why.
"""
    )


def test_problems_alone() -> None:
    wrong = Issue("year.off", Severity.ISSUE, "1988", "1984", "")
    verdicts = [
        *unknown(3),
        Verdict(Reference("bad"), Status.SUSPICIOUS, "metadata_mismatch", 0.9, (wrong,)),
    ]
    assert shown(run_of(verdicts), View(Detail.PROBLEMS)) == (
        "! SUSPICIOUS  bad\n    The year is 1984, not 1988.\n"
        "    In bibliographies without invented references, 89 of 100 such findings\n"
        "      were real errors.\n\n"
    )
    assert shown(run_of(unknown(3)), View(Detail.PROBLEMS)) == ""


def test_problems_alone_are_also_what_could_not_be_checked_and_what_fails_the_build() -> None:
    failed = Verdict(Reference("down"), Status.ERROR, "source_failed", 0.5)
    assert "1 ERROR" in shown(run_of([failed]), View(Detail.PROBLEMS))
    strict = View(Detail.PROBLEMS, failing=(Status.UNVERIFIED,))
    assert "3 UNVERIFIED" in shown(run_of(unknown(3)), strict)


def test_render_many_of_one_reason_are_folded_and_all_are_listed_on_request() -> None:
    folded = shown(run_of(unknown(506))).splitlines()
    assert len(folded) <= 40
    assert "    and 502 more; --all lists them" in folded
    assert (
        sum(
            "key" in line
            for line in shown(run_of(unknown(506)), View(everything=True)).splitlines()
        )
        == 506
    )


def test_render_no_line_of_a_folded_entry_is_longer_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    long = [
        replace(v, reference=replace(v.reference, title="A long title " * 20)) for v in unknown(3)
    ]
    lines = [line for line in shown(run_of(long)).splitlines() if "key" in line]
    assert len(lines) == 3
    assert max(map(len, lines)) <= 60


def test_render_what_is_valid_is_counted_and_listed_on_request() -> None:
    valid = [replace(v, status=Status.VALID, reason="record_agrees") for v in unknown(3)]
    assert "key" not in shown(run_of(valid))
    assert "✓ 3 valid" in shown(run_of(valid))
    assert "✓ refs.bib:2 key1  Title 1\n" in shown(run_of(valid), View(everything=True))


def test_render_the_full_name_of_a_file_stands_once() -> None:
    text = shown(run_of(unknown(3)))
    assert text.startswith("t/refs.bib\n")
    assert text.count("t/refs.bib") == 1
    assert "    refs.bib:3 key2  Title 2\n" in text


@pytest.mark.parametrize(
    ("ending", "status", "view", "meaning"),
    [
        (
            Ending.COMPLETE,
            Status.VALID,
            View(),
            "Exit code 0: no reference is invalid or suspicious.",
        ),
        (Ending.COMPLETE, Status.INVALID, View(), "Exit code 1: some references are invalid."),
        (
            Ending.COMPLETE,
            Status.ERROR,
            View(),
            "Exit code 3: some references could not be checked.",
        ),
        (Ending.INTERRUPTED, Status.VALID, View(), "Exit code 130: the run was interrupted."),
        (
            Ending.COMPLETE,
            Status.INVALID,
            View(failing=()),
            "Exit code 0: with --fail-on never, no status affects the exit code.",
        ),
    ],
)
def test_render_the_last_line_says_what_the_exit_code_means(
    ending: Ending, status: Status, view: View, meaning: str
) -> None:
    run = run_of([Verdict(Reference("k"), status, "", 0.5)], ending=ending)
    assert shown(run, view).splitlines()[-1] == meaning


def test_render_no_title_turns_round_what_is_said_of_it(run: Run) -> None:
    turned = [
        replace(
            verdict,
            reference=replace(verdict.reference, title=f"A \u202e{verdict.reference.title}\u2069"),
        )
        for verdict in run.verdicts
    ]
    everything = View(everything=True)
    assert shown(run_of(turned), everything).count("    A Attention") == 3
    assert not {"\u202e", "\u2069"} & set(
        shown(run_of(turned), everything) + shown(run_of(turned), View(Detail.FULL))
    )


def test_of_many_notes_the_last_ones_are_kept() -> None:
    text = shown(run_of([], notes=tuple(f"Number {n}." for n in range(20))))
    assert "Note: ... and 15 more notes; -v shows them\n" in text
    assert "Note: Number 19.\n" in text
    assert text.count("Note: ") == 6


def test_render_what_is_accepted_stands_at_the_end_with_the_reason(accepted_run: Run) -> None:
    text = shown(accepted_run)
    assert text.startswith("! SUSPICIOUS  refs.bib:9 doubt")
    assert (
        """
1 accepted: checked by a person, so not counted as a problem.
    ✗ refs.bib:17 =cmd()  a [reprint] (2026-11-22, until 2027-11-22)

1 no longer accepted: check again, and renew the acceptance.
    ! refs.bib:9 doubt  seen (2026-01-02; the entry has changed since)

5 entries: ✗ 1 invalid, ! 1 suspicious, ⚠ 1 error, ? 1 unverified, ✓ 1 valid; 1
of them accepted
"""
        in text
    )
    assert "accepted" not in shown(accepted_run, View(Detail.PROBLEMS))


def test_render_a_retraction_is_not_hidden_by_an_acceptance(accepted_run: Run) -> None:
    retracted = [
        replace(verdict, flags=("retracted",))
        for verdict in accepted_run.verdicts
        if verdict.is_accepted
    ]
    assert "The work was retracted;" in " ".join(shown(run_of(retracted)).split())
