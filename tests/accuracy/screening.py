"""Screen a generated corpus: the cost, the planted groups that are found, and false alarms where
nothing was planted.

    python -m tests.accuracy.screening --database dblp.db --others acl_anthology.jsonl.gz

The corpus is that of `tests.accuracy.screening_corpus`, in a temporary folder. Each row is a
screening in a new folder of results. In the row `true`, nothing is planted or damaged, so every
signal is a false alarm. The row `again` is a second run with nothing to do. Memory is the sum of
the largest memory of each process; memory that processes share is counted for each of them. A
separate process makes the corpus.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter, process_time, sleep
from typing import TYPE_CHECKING

from citeproof.processes import ProcessPool
from citeproof.screen import signals
from citeproof.screen.gathering import gather
from citeproof.screen.results import Results
from citeproof.screen.run import Screening
from citeproof.screen.store import opened
from citeproof.settings import load
from citeproof.verification.startup import open_session
from tests.accuracy.screening_corpus import SEED, Planted, make

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
    memory: float
    """Most megabytes in all processes."""
    groups: dict[str, list[tuple[set[str], str]]]
    """Names of the papers of each signal, and what it says, by kind."""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--database", type=Path, required=True)
    parser.add_argument(
        "--others",
        type=Path,
        help="works that the database mostly lacks: the ACL Anthology as JSON lines",
    )
    parser.add_argument("--papers", type=int, nargs="+", default=[250, 1000])
    parser.add_argument("--processes", type=int, nargs="+", default=[2])
    parser.add_argument(
        "--true", choices=("too", "only", "not"), default="too", help="the corpus without damage"
    )
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    print(
        f"{'papers':>12} {'processes':>9} {'references':>10} {'distinct':>8}  read, check, gather,"
        " again"
    )
    for papers in arguments.papers:
        for true in {"too": (False, True), "only": (True,), "not": (False,)}[arguments.true]:
            with tempfile.TemporaryDirectory() as folder:
                corpus = Path(folder) / "papers"
                making = partial(make, true=true, seed=arguments.seed)
                with ProcessPoolExecutor(1, get_context("spawn")) as maker:
                    planted = maker.submit(
                        making, corpus, arguments.database, arguments.others, papers
                    ).result()
                for count in arguments.processes:
                    with ProcessPool(count) as pool:
                        measured = screen(
                            corpus,
                            Path(folder) / f"results{count}",
                            arguments.database,
                            pool,
                            count,
                        )
                    row(measured, count, true=true)
                found(measured, planted, true=true)


def screen(
    corpus: Path, folder: Path, database: Path, pool: ProcessPool, processes: int
) -> Measured:
    """Screen ``corpus`` once, and once more with nothing to do."""
    stages: dict[str, float] = {}
    settings = load(bib_db=database, no_cache=True)
    with open_session(settings) as session, opened(folder) as store:
        own = process_time() + sum(seconds for seconds, _ in every(pool, processes))
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
        results = Results(store, signals.KINDS)
        papers, entries, distinct = (
            len(results.papers),
            sum(results.by_status.values()),
            results.distinct,
        )
        groups = named(store)
        others = every(pool, processes)
    processor = process_time() - own + sum(seconds for seconds, _ in others)
    memory = getrusage(RUSAGE_SELF).ru_maxrss / 1024 + sum(megabytes for _, megabytes in others)
    return Measured(papers, entries, distinct, stages, processor, memory, groups)


def every(pool: ProcessPool, processes: int) -> list[tuple[float, float]]:
    """Return what each process of ``pool`` has used so far: seconds of processor time, megabytes at
    most.
    """
    used: dict[int, tuple[float, float]] = {}
    for _ in range(100):
        for future in [pool.submit(spent, [0]) for _ in range(4 * processes)]:
            used.update(future.result())
        if len(used) >= processes:
            break
    return list(used.values())


def spent(_: list[int]) -> list[tuple[int, tuple[float, float]]]:
    """Return this process, the processor time that it has taken, and the most megabytes that it has
    held.
    """
    sleep(0.02)  # so that another process takes the next call
    return [(os.getpid(), (process_time(), getrusage(RUSAGE_SELF).ru_maxrss / 1024))]


def named(store: ScreeningStore) -> dict[str, list[tuple[set[str], str]]]:
    """Return the papers of each signal by name, and what it says, by kind."""
    results = Results(store, signals.KINDS)
    return {
        kind: [
            ({results.paper_name(paper)[-14:] for paper in signal.papers}, signal.said)
            for signal in signals
        ]
        for kind, signals in results.signals.items()
    }


def row(measured: Measured, processes: int, *, true: bool) -> None:
    """Print what one screening took."""
    stages = ", ".join(f"{seconds:.1f}" for seconds in measured.stages.values())
    name = f"{measured.papers}{' true' * true}"
    each = 1000 * measured.processor / measured.distinct
    print(
        f"{name:>12} {processes:9} {measured.references:10,} {measured.distinct:8,}  {stages:28} s "
        f" {measured.processor:.0f} s of processor time, {each:.2f} ms a distinct reference,"
        f" {measured.memory:,.0f} MB",
        flush=True,
    )


def found(measured: Measured, planted: Planted, *, true: bool) -> None:
    """Print how many planted groups were found, half of their papers at least, and which others."""
    for kind in KINDS:
        groups = [set(group) for group in planted.groups.get(kind, [])]
        signals = measured.groups[kind]
        hits = sum(
            any(2 * len(group & signal) >= len(group) for signal, _ in signals) for group in groups
        )
        others = [said for signal, said in signals if not any(group & signal for group in groups)]
        print(
            f"{'true: ' * true}{kind}: {hits} of {len(groups)} planted groups found, {len(others)}"
            " others"
        )
        for said in others:
            print(f"    {said}")


if __name__ == "__main__":
    main()
