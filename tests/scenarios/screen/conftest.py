"""Papers to screen, and screenings in this process."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from citeproof.cli.screen import CACHE, command
from citeproof.processes import ProcessPool
from citeproof.readers.isolation import Limits
from citeproof.screen.gathering import gather
from citeproof.screen.run import Asker, Screening
from citeproof.screen.store import UNASKED, opened
from citeproof.settings import load
from citeproof.verification.startup import open_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from citeproof.screen.results import Results
    from citeproof.screen.run import Estimate


@pytest.fixture(scope="session")
def pool() -> Iterator[ProcessPool]:
    """Return worker processes that all tests share, because each takes nearly a second to start."""
    with ProcessPool(2) as shared:
        yield shared


@dataclass(frozen=True)
class Screen:
    """A folder of papers with its results, and a method that screens it."""

    papers: Path
    folder: Path
    pool: ProcessPool
    expected: list[Estimate] = field(default_factory=list)
    """Estimate of each run before it goes online."""

    def __call__(
        self,
        *inputs: Path,
        limits: Limits | None = None,
        database: Path | None = None,
        sources: str = "",
    ) -> Results:
        """Screen ``inputs``, or all papers, with ``sources`` online; return the results."""
        settings = load(no_cache=True, bib_db=database)
        with open_session(settings) as session, opened(self.folder) as store:
            screening = Screening(store, session, self.pool, limits or Limits())
            screening.read([str(each) for each in inputs or (self.papers,)])
            screening.check()
            if sources:
                self.ask(screening, sources)
            return gather(store, self.folder)[0]

    def ask(self, screening: Screening, sources: str) -> None:
        """Ask ``sources`` about what is open."""
        with open_session(
            load(enable_online=True, sources=sources, cache=self.folder / CACHE)
        ) as online:
            assert online.online
            asker = Asker(online, online.online)
            self.expected.append(asker.expect(screening.store.references(UNASKED, asker.asked)))
            screening.ask(asker)

    def table(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of one table."""
        import pyarrow.parquet as pq

        rows: list[dict[str, Any]] = pq.read_table(self.folder / f"{name}.parquet").to_pylist()
        return rows

    def paper(self, name: str, *titles: str) -> Path:
        """Write a paper that cites works with ``titles``, by one author, of one year."""
        path = self.papers / name
        path.parent.mkdir(parents=True, exist_ok=True)
        entries = (
            f"@article{{k{n}, author={{Ada Almgren}}, year=2001, title={{{t}}}}}"
            for n, t in enumerate(titles)
        )
        path.write_text("\n\n".join(entries))
        return path

    def titles(self, count: int) -> list[str]:
        """Return so many titles that nothing holds, hardly two of them alike."""
        dice = random.Random(count)
        words = (
            "sheep",
            "goats",
            "lanterns",
            "harbours",
            "ledgers",
            "meadows",
            "turnips",
            "bridges",
            "orchards",
        )
        return [" ".join(dice.choices(words, k=7)) for _ in range(count)]

    def lines(self, name: str, *items: dict[str, Any]) -> Path:
        """Write a file of JSON lines."""
        path = self.papers / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(item) + "\n" for item in items))
        return path


@pytest.fixture
def screen(tmp_path: Path, pool: ProcessPool, monkeypatch: pytest.MonkeyPatch) -> Screen:
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    return Screen(tmp_path / "papers", tmp_path / "results", pool)


@pytest.fixture
def run() -> Callable[..., Any]:
    """Return a function that runs ``citeproof screen`` in this process."""
    return lambda *words: CliRunner().invoke(command, list(map(str, words)))
