"""The rows of the workbook of a screening."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.screen import workbook
from citeproof.screen.results import Results, Signal

if TYPE_CHECKING:
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
