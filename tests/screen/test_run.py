"""Items whose process dies, and references that are checked again."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database.building.sample import sample_database
from citeproof.model.version import code_version
from citeproof.readers.isolation import Limits
from citeproof.screen import checking
from citeproof.screen.checking import _CODE, _kept_basis
from citeproof.screen.run import Screening
from citeproof.screen.store import opened
from citeproof.settings import load
from citeproof.verification.startup import kept_session, open_session
from tests.screen.workers import InThisProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PAPER = "@article{a, author={Ada Almgren}, year=2001, title={%s of Sheep and Goats}}"


def test_run_lists_each_item_that_kills_its_process(tmp_path: Path) -> None:
    for name, title in [
        ("one", "Matters"),
        ("two", "Deadly Matters"),
        ("Deadly", "Affairs"),
        ("four", "Dealings"),
    ]:
        (tmp_path / f"{name}.bib").write_text(PAPER % title)
    steps: list[Any] = []
    with open_session(load(no_cache=True)) as session, opened(tmp_path / "results") as store:
        screening = Screening(
            store,
            session,
            InThisProcess(),
            Limits(),
            lambda *stage: steps.append(stage),
            steps.append,
        )
        assert screening.read([str(tmp_path)]) == 4
        assert screening.check() == 3
        troubles = dict(store.execute("SELECT name, trouble FROM papers"))
        verdicts = store.execute("SELECT status, reason, details FROM verdicts")
    assert {name.rpartition("/")[2]: trouble for name, trouble in troubles.items() if trouble} == {
        "Deadly.bib": "the process that read it died"
    }
    assert [reason for status, reason, _ in verdicts if status == "ERROR"] == ["program_fault"]
    assert "died twice" in str(verdicts)
    assert [steps[0], steps[5]] == [("reading", 4), ("checking", 3)]


@pytest.fixture
def rechecked(tmp_path: Path) -> Iterator[Callable[[], int]]:
    """Return a function that screens a paper of two references in this process and returns how many
    it checked.
    """
    (tmp_path / "one.bib").write_text(f"{PAPER % 'Matters'}\n{PAPER % 'Affairs'}")
    database = sample_database()

    def screened() -> int:
        kept_session.cache_clear()
        _kept_basis.cache_clear()
        copied = tmp_path / f"{len(list(tmp_path.iterdir()))}.db"
        shutil.copy(database, copied)
        with (
            open_session(load(no_cache=True, bib_db=copied)) as session,
            opened(tmp_path / "results") as store,
        ):
            screening = Screening(store, session, InThisProcess())
            screening.read([str(tmp_path / "one.bib")])
            return screening.check()

    yield screened
    kept_session.cache_clear()
    _kept_basis.cache_clear()


def test_check_reuses_verdicts_of_the_same_database_at_another_path(
    rechecked: Callable[[], int],
) -> None:
    assert [rechecked(), rechecked()] == [2, 0]


def test_check_reuses_verdicts_if_other_packages_changed(
    rechecked: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rechecked()
    monkeypatch.setattr("citeproof.model.version.__version__", "99.0")
    assert rechecked() == 0


def test_check_repeats_everything_after_a_change_of_rules(
    rechecked: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rechecked()
    monkeypatch.setattr(checking, "code_version", lambda *packages: "other")
    assert [rechecked(), rechecked()] == [2, 0]


def test_check_repeats_everything_with_another_database(
    rechecked: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rechecked()
    monkeypatch.setattr(checking, "fingerprint", lambda file: {"digest": "other"})
    assert [rechecked(), rechecked()] == [2, 0]


def test_code_names_existing_packages() -> None:
    for each in _CODE:
        assert code_version(each) != code_version()


@pytest.mark.parametrize(
    ("seconds", "batches"),
    [(0.0, [[1], [2], [3], []]), (1e9, [[1, 2], [3]])],
)
def test_save_keeps_results_when_they_are_many_or_half_a_second_old(
    seconds: float, batches: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.screen.run._SAVED_SECONDS", seconds)
    monkeypatch.setattr("citeproof.screen.run._SAVED_ITEMS", 2)
    advanced: list[int] = []
    nothing: Any = None
    screening = Screening(nothing, nothing, nothing, advance=advanced.append)
    kept: list[list[int]] = []
    assert screening._save([1, 2, 3], kept.append) == 3
    assert kept == batches
    assert advanced == [1, 1, 1]


def test_save_keeps_results_of_a_run_that_fails() -> None:
    def results() -> Iterator[int]:
        yield 1
        raise KeyboardInterrupt

    nothing: Any = None
    kept: list[list[int]] = []
    with pytest.raises(KeyboardInterrupt):
        Screening(nothing, nothing, nothing)._save(results(), kept.append)
    assert kept == [[1]]
