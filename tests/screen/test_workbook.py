"""The rows of the workbook of a screening."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from openpyxl import Workbook, load_workbook

from citeproof.screen import workbook
from citeproof.screen.results import Results, Signal

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.screen.store import ScreeningStore


def test_ranked_papers_begin_with_the_most_probable_inventions(results: Results) -> None:
    first, second, third = workbook._ranked_papers(results)
    assert [str(row[0]).rpartition("/")[2] for row in (first, second, third)] == [
        "first.bib",
        "second.bib",
        "third.pdf",
    ]
    # references, then INVALID, SUSPICIOUS, ERROR, UNVERIFIED, VALID
    assert first[1:7] == (4, 0, 1, 1, 1, 1)
    assert first[7] >= first[8]
    assert third[11]


def test_open_entries_say_the_finding_and_link_the_record(results: Results) -> None:
    rows = list(workbook._open_entries(results))
    assert [(row[1], row[4]) for row in rows] == [
        ("valiant88", "SUSPICIOUS"),
        ("none", "UNVERIFIED"),
        ("open", "ERROR"),
        ("v", "SUSPICIOUS"),
    ]
    wrong, unknown, broken, _ = rows
    assert wrong[5] == wrong[7] == "A Theory of the Learnable"
    assert wrong[8:] == (1984, "https://doi.org/10.1145/1968.1972")
    assert "1984" in str(wrong[6])
    assert unknown[6]
    assert unknown[7:] == (None, None, None)
    assert (broken[5], bool(broken[6])) == (None, True)


def test_named_signals_list_the_names_of_papers_and_works(store: ScreeningStore) -> None:
    signal = Signal((1, 2), (2,), 1.0, "Both cite it.")
    results = Results(store, {"wrong_dois": lambda _: [signal]})
    ((label, said, papers, works),) = workbook._named_signals(results)
    assert (label, said, works) == ("wrong DOIs", "Both cite it.", "A Theory of the Learnable")
    assert [name.rpartition("/")[2] for name in str(papers).split("; ")] == [
        "first.bib",
        "second.bib",
    ]


def test_write_workbook_has_filters_widths_and_a_frozen_header(
    results: Results, tmp_path: Path
) -> None:
    workbook.write_workbook(results, tmp_path)
    book = load_workbook(tmp_path / "screening.xlsx")
    assert [
        (sheet.title, sheet.freeze_panes, sheet.auto_filter.ref) for sheet in book.worksheets
    ] == [
        ("papers", "B2", "A1:L1048576"),
        ("findings", "B2", "A1:J1048576"),
        ("signals", "B2", "A1:D1048576"),
    ]
    for sheet in book.worksheets:
        assert all(cell.font.bold for cell in sheet[1])
    assert [book["findings"].column_dimensions[letter].width for letter in "ABF"] == [40, 16, 60]
    assert book["papers"]["B2"].value == 4
    assert book["findings"]["I3"].value is None


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("=cmd|' /C calc'!A0", "=cmd|' /C calc'!A0"),
        ("#N/A", "#N/A"),
        ("+1", "+1"),
        ("a\x07\ud800", "a??"),
        ("x" * 40_000, "x" * 32_767),
        (0, 0),
        ("", None),
        (None, None),
    ],
)
def test_cell_writes_text_as_text(tmp_path: Path, value: object, kept: object) -> None:
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append([workbook._cell(sheet, value)])
    book.save(tmp_path / "a.xlsx")
    cell = load_workbook(tmp_path / "a.xlsx").worksheets[0]["A1"]
    assert (cell.value, cell.data_type) == (kept, "n" if kept in (0, None) else "s")
