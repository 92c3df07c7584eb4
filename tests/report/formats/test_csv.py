"""The report for spreadsheets."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest

from citeproof.model.reference import Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.report.formats.csv import begin, render

if TYPE_CHECKING:
    from citeproof.model.run import Run


def test_one_row_an_entry_and_no_formula(run: Run) -> None:
    out = io.StringIO()
    render(run, out)
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert [row["status"] for row in rows] == [
        "VALID",
        "SUSPICIOUS",
        "INVALID",
        "UNVERIFIED",
        "ERROR",
    ]
    assert rows[1]["issues"] == "year.off title.word_changed"
    assert rows[0]["issues"] == ""
    assert (rows[0]["matched_key"], rows[0]["matched_source"]) == (
        "conf/nips/VaswaniSPUJGKP17",
        "dblp",
    )
    assert rows[2]["key"] == "'=cmd()"
    assert rows[3]["matched_title"] == ""
    assert rows[0]["meant"] == ""
    assert rows[1]["meant"] == "meant: Attention is All you Need (dblp conf/nips/VaswaniSPUJGKP17)"
    assert rows[3]["meant"] == "nearest: Attention is not all you need (dblp conf/x/1)"
    assert (rows[0]["flags"], rows[0]["notices"]) == ("retracted", "https://doi.org/10.1/notice")
    assert [row["failed"] for row in rows] == ["", "", "", "", "crossref"]


def test_what_is_accepted_says_so(accepted_run: Run) -> None:
    out = io.StringIO()
    render(accepted_run, out)
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert [row["accepted"] for row in rows[:3]] == [
        "",
        "No longer accepted: seen (2026-01-02; the entry has changed since).",
        "Accepted: a [reprint] (2026-11-22, until 2027-11-22).",
    ]


@pytest.mark.parametrize(
    "sign", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\ufe62"]
)
def test_begin_a_cell_that_a_spreadsheet_takes_for_a_formula_is_quoted(sign: str) -> None:
    reference = Reference("k", title=f"{sign}1+1")
    out = io.StringIO()
    begin(out)(Verdict(reference, Status.UNVERIFIED, "title_not_found", 0.5))
    (row,) = csv.DictReader(io.StringIO(out.getvalue(), newline=""))
    assert row["cited_title"] == f"'{sign}1+1".replace("\r", "\n")
