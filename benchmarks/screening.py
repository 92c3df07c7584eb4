"""Screen a made corpus: what it takes, what of the planted groups is found, and what where nothing was planted.

    python -m benchmarks.screening --database dblp.db --others acl_anthology.jsonl.gz --papers 1000

The corpus is that of `benchmarks.corpus`, in a folder that is removed again. Each row is one screening from nothing.
`true` plants and damages nothing, so whatever is found in it is a false alarm.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from benchmarks.corpus import Planted, make
from citeproof.opening import open_session
from citeproof.process_pool import ProcessPool
from citeproof.screen.gathering import gather, summed
from citeproof.screen.results import Results
from citeproof.screen.run import Screening
from citeproof.screen.store import opened
from citeproof.settings import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.screen.store import ScreeningStore

KINDS = ("alike_not_found", "same_wrong_details", "failing_together", "wrong_dois")


@dataclass(frozen=True)
class Measured:
    """One screening."""

    papers: int
    references: int
    distinct: int
    stages: dict[str, float]
    """Seconds of each stage, by the clock."""
    processor: float
    """Seconds in all processes."""
    groups: dict[str, list[tuple[set[str], str]]]
    """Names of the papers of each signal, and what it says, by kind."""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", type=Path, required=True)
    parser.add_argument(
        "--others", type=Path, help="works that the database mostly lacks: the ACL Anthology as JSON lines"
    )
    parser.add_argument("--papers", type=int, nargs="+", default=[250, 1000])
    parser.add_argument("--processes", type=int, nargs="+", default=[2])
    arguments = parser.parse_args()
    print(f"{'papers':>12} {'processes':>9} {'references':>10} {'distinct':>8}  read, check, gather, again")
    for papers in arguments.papers:
        for true in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                corpus = Path(folder) / "papers"
                planted = make(corpus, arguments.database, arguments.others, papers, true=true)
                for processes in arguments.processes:
                    measured = screen(corpus, Path(folder) / f"results{processes}", arguments.database, processes)
                    row(measured, processes, true=true)
                found(measured, planted, true=true)
    print(f"memory of the process that deals out, at most: {getrusage(RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


def screen(corpus: Path, folder: Path, database: Path, processes: int) -> Measured:
    """Screen ``corpus`` once, and once more with nothing to do."""
    stages: dict[str, float] = {}
    own = process_time()
    settings = load(bib_db=database, no_cache=True)
    with ProcessPool(processes) as pool, open_session(settings) as session, opened(folder) as store:
        screening = Screening(store, session, pool)
        works: dict[str, Callable[[], object]] = {
            "read": lambda: screening.read([str(corpus)]),
            "check": screening.check,
            "gather": lambda: gather(store, folder),
            "again": lambda: (screening.read([str(corpus)]), screening.check()),
        }
        for stage, work in works.items():
            start = perf_counter()
            work()
            stages[stage] = perf_counter() - start
        summary = summed(Results(store))
        groups = named(store)
        times = dict(pool.submit(used, [0]).result()[0] for _ in range(20 * processes))
    processor = process_time() - own + sum(times.values())
    return Measured(summary.papers, sum(summary.by_status.values()), summary.distinct, stages, processor, groups)


def used(_: list[int]) -> list[tuple[int, float]]:
    """Return this process and the processor time that it has taken."""
    return [(os.getpid(), process_time())]


def named(store: ScreeningStore) -> dict[str, list[tuple[set[str], str]]]:
    """Return the papers of each signal by name, and what it says, by kind."""
    results = Results(store)
    return {
        kind.NAME: [
            ({results.corpus.paper_name(paper)[-14:] for paper in signal.papers}, signal.said) for signal in signals
        ]
        for kind, signals in results.signals
    }


def row(measured: Measured, processes: int, *, true: bool) -> None:
    """Print what one screening took."""
    stages = ", ".join(f"{seconds:.1f}" for seconds in measured.stages.values())
    name = f"{measured.papers}{' true' * true}"
    each = 1000 * measured.processor / measured.distinct
    print(
        f"{name:>12} {processes:9} {measured.references:10,} {measured.distinct:8,}  {stages:28} s  "
        f"{measured.processor:.0f} s, {each:.2f} ms a distinct reference"
    )


def found(measured: Measured, planted: Planted, *, true: bool) -> None:
    """Print how many planted groups were found, half of their papers at least, and which others."""
    for kind in KINDS:
        groups = [set(group) for group in planted.groups.get(kind, [])]
        signals = measured.groups[kind]
        hits = sum(any(2 * len(group & signal) >= len(group) for signal, _ in signals) for group in groups)
        others = [said for signal, said in signals if not any(group & signal for group in groups)]
        print(f"{'true: ' * true}{kind}: {hits} of {len(groups)} planted groups found, {len(others)} others")
        for said in others:
            print(f"    {said}")


if __name__ == "__main__":
    main()
