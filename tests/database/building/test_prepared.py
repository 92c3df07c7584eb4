from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database import schema
from citeproof.database.building import prepared as module
from citeproof.database.building.prepared import is_worth_a_process, prepared, read
from citeproof.database.building.selection import Selection
from citeproof.database.building.source import open_source
from citeproof.database.building.sources import Batch
from citeproof.model.errors import BuildError
from tests.database.conftest import DUMP, many_records

if TYPE_CHECKING:
    from pathlib import Path


def row(title: str = "On Sheep!", year: int | None = 2019) -> tuple[Any, ...]:
    values = dict.fromkeys(schema.COLUMNS, "")
    values |= {"key": "a", "source": "dblp", "title": title, "authors": "Ann Alma"}
    return tuple(year if name == "year" else values[name] for name in schema.COLUMNS)


def test_prepared_normalises_titles_and_counts_what_cannot_be_stored() -> None:
    batch = Batch([row(), row("")], "2024-01-01", 3, position=7)
    (found,) = prepared([batch], keep_going=False)
    assert (found.titles, found.normalized) == (["On Sheep!"], ["on sheep"])
    assert (len(found.rows), found.skipped, found.unselected) == (1, 4, 0)
    assert (found.date, found.position) == ("2024-01-01", 7)


def test_prepared_leaves_out_and_counts_what_is_not_selected() -> None:
    batch = Batch([row(year=2019), row(year=1999)])
    (found,) = prepared([batch], keep_going=False, only=Selection(["2010-2026"]))
    assert (found.titles, found.skipped, found.unselected) == (["On Sheep!"], 0, 1)


def test_prepared_ends_at_a_fault_unless_it_goes_on() -> None:
    batches = [Batch([row()], faults=("a.xml: is cut",)), Batch([row("On goats")])]
    with pytest.raises(BuildError, match=r"^a\.xml: is cut; --keep-going leaves such parts out"):
        list(prepared(batches, keep_going=False))
    first, second = prepared(batches, keep_going=True)
    assert (first.faults, first.titles, second.titles) == (
        ("a.xml: is cut",),
        ["On Sheep!"],
        ["On goats"],
    )


def test_is_worth_a_process_only_for_large_input_on_several_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "cores", lambda: 2)
    assert is_worth_a_process(4 << 20)
    assert not is_worth_a_process((4 << 20) - 1)
    monkeypatch.setattr(module, "cores", lambda: 1)
    assert not is_worth_a_process(1 << 40)


@pytest.mark.parametrize("beside", [False, True])
def test_read_skips_the_first_lists(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    *,
    beside: bool,
) -> None:
    if beside:
        request.getfixturevalue("two_cores")
    monkeypatch.setattr("citeproof.database.building.sources.dblp._LEAST_BYTES", 1 << 17)
    dump = many_records(tmp_path / "many.xml", 3000)
    with closing(open_source(dump)) as source:
        every = [[batch.titles for batch in batches] for batches in read(source)]
    with closing(open_source(dump)) as source:
        left = [[batch.titles for batch in batches] for batches in read(source, skip=2)]
    assert len(every) > 2
    assert left == every[2:]


def test_read_applies_the_selection_in_child_processes_too(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    only = Selection(["2010-2026"])
    with closing(open_source(DUMP)) as source:
        here = [batch for lists in read(source, only=only) for batch in lists]
    request.getfixturevalue("two_cores")
    with closing(open_source(DUMP)) as source:
        beside = [batch for lists in read(source, only=only) for batch in lists]
    assert [batch.titles for batch in here] == [batch.titles for batch in beside]
    assert sum(batch.unselected for batch in here) > 0
    assert sum(batch.unselected for batch in here) == sum(batch.unselected for batch in beside)
