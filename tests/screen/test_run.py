"""What becomes of papers and references whose process dies."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from citeproof.opening import open_session
from citeproof.screen.limits import Limits
from citeproof.screen.run import Progress, Screening
from citeproof.screen.store import opened
from citeproof.settings import load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PAPER = "@article{a, author={Ada Almgren}, year=2001, title={%s of Sheep and Goats}}"


class Dead(Exception):  # noqa: N818
    """A process died."""


class Mortal:
    """Workers that die of whatever says ``Deadly``."""

    count = 1
    deaths: tuple[type[BaseException], ...] = (Dead,)

    def submit(self, function: Callable[[list[Any]], list[Any]], items: list[Any]) -> Future[list[Any]]:
        """Call ``function`` here."""
        future: Future[list[Any]] = Future()
        if "Deadly" in str(items):
            future.set_exception(Dead())
        else:
            future.set_result(function(items))
        return future

    alone = submit


def test_each_costs_itself_and_is_listed(tmp_path: Path) -> None:
    for name, title in [("one", "Matters"), ("two", "Deadly Matters"), ("Deadly", "Affairs"), ("four", "Dealings")]:
        (tmp_path / f"{name}.bib").write_text(PAPER % title)
    steps: list[Any] = []
    progress = Progress(lambda stage, total: steps.append((stage, total)), steps.append)
    with open_session(load(no_cache=True)) as session, opened(tmp_path / "results") as store:
        screening = Screening(store, session, Mortal(), Limits(), progress)
        assert screening.read([str(tmp_path)]) == 4
        assert screening.check() == 3
        troubles = dict(store.rows("SELECT name, trouble FROM papers"))
        verdicts = store.rows("SELECT status, reason, details FROM verdicts")
    assert {name.rpartition("/")[2]: trouble for name, trouble in troubles.items() if trouble} == {
        "Deadly.bib": "the process that read it died"
    }
    assert [reason for status, reason, _ in verdicts if status == "ERROR"] == ["program_fault"]
    assert "died, twice" in str(verdicts)
    assert [steps[0], steps[5]] == [("reading", 4), ("checking", 3)]
