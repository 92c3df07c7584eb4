"""The stored results of a screening."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import InputError
from citeproof.screen.results import Kind, dossier_of, run_of

if TYPE_CHECKING:
    from citeproof.screen.results import Results
    from citeproof.screen.store import ScreeningStore


def test_papers_count_entries_by_status(results: Results) -> None:
    first, second, third = results.papers
    assert [one.name.rpartition("/")[2] for one in results.papers] == [
        "first.bib",
        "second.bib",
        "third.pdf",
    ]
    assert first.by_status == {
        "VALID": 1,
        "SUSPICIOUS": 1,
        "INVALID": 0,
        "UNVERIFIED": 1,
        "ERROR": 1,
    }
    assert (first.entries, second.entries, third.entries) == (4, 1, 0)
    assert third.trouble
    assert results.unread == [third]
    assert first.invented.expected > second.invented.expected > 0
    assert min(results.papers, key=lambda one: one.rank) == first


def test_by_status_adds_the_papers_and_distinct_counts_a_shared_work_once(
    results: Results,
) -> None:
    assert results.by_status == {
        "VALID": 1,
        "SUSPICIOUS": 2,
        "INVALID": 0,
        "UNVERIFIED": 1,
        "ERROR": 1,
    }
    assert results.distinct == 3


def test_kinds_begin_with_the_worst_status(results: Results) -> None:
    assert [(kind.status, kind.entries) for kind in results.kinds] == [
        ("SUSPICIOUS", 2),
        ("UNVERIFIED", 1),
    ]
    assert isinstance(results.kinds[0], Kind)
    assert results.kinds[0].papers == {1, 2}


def test_open_findings_yields_what_is_not_valid_with_its_papers(results: Results) -> None:
    wrong, unknown = results.open_findings()
    assert (wrong.reference.title, wrong.papers) == ("A Theory of the Learnable", frozenset({1, 2}))
    assert wrong.faults == (("year.off", "1988"),)
    assert (unknown.papers, unknown.faults) == (frozenset({1}), ())
    assert results.titles([unknown.number, 99, wrong.number]) == [
        unknown.reference.title,
        wrong.reference.title,
    ]


def test_run_of_finds_a_paper_by_the_end_of_its_name(store: ScreeningStore) -> None:
    run = run_of(store, "first.bib")
    assert [one.status.value for one in run.verdicts] == [
        "VALID",
        "SUSPICIOUS",
        "UNVERIFIED",
        "ERROR",
    ]
    assert [one.reference.key for one in run.verdicts] == ["codd70", "valiant88", "none", "open"]
    assert run.verdicts[1].decided_by == "bibliographic_database"
    assert run.statistics.entries == 4
    assert "path" in run.database
    assert run.notes == ("a note",)
    assert "path" not in dossier_of(store, "first.bib").database


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fourth.bib", "no paper is called 'fourth.bib'"),
        ("bib", "no paper is called 'bib'"),
        ("third.pdf", "third.pdf: could not be read: "),
    ],
)
def test_run_of_refuses_a_paper_without_verdicts(
    store: ScreeningStore, name: str, message: str
) -> None:
    with pytest.raises(InputError) as raised:
        run_of(store, name)
    assert message in str(raised.value)
