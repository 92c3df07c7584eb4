"""Screen a made corpus on Dask workers and on processes of this machine, as many of each, beside a
control.

    python -m benchmarks.screening_cluster --database dblp.db --others acl_anthology.jsonl.gz

Reading and checking are timed by the clock, from nothing, with workers that have the database open.
The control counts in plain Python in as many processes, which share nothing: what as many cores of
this machine are worth at the moment. A gain is beside one worker of the same kind. The corpus is
that of `benchmarks.corpus`; 250 papers take some three minutes in all on two cores.
"""

from __future__ import annotations

import argparse
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from distributed import LocalCluster

from benchmarks.corpus import make
from benchmarks.processes import counted
from citeproof.processes import ProcessPool, call_in_order
from citeproof.screen.checking import basis_of, check_references
from citeproof.screen.cluster import Cluster
from citeproof.screen.run import Screening
from citeproof.screen.store import opened
from citeproof.settings import load
from citeproof.verification.opening import open_session
from citeproof.verification.session import ENTRIES_A_CALL

if TYPE_CHECKING:
    from collections.abc import Callable

COUNTED = 1_500
"""Items of the control: some six seconds of one core."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--database", type=Path, required=True)
    parser.add_argument("--others", type=Path, help="as for benchmarks.screening")
    parser.add_argument("--papers", type=int, default=250)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "papers"
        make(corpus, arguments.database, arguments.others, arguments.papers)
        kinds: dict[str, Callable[[int], float]] = {
            "Dask": lambda count: on_dask(
                count, corpus, Path(folder) / f"dask{count}", arguments.database
            ),
            "processes": lambda count: on_processes(
                count, corpus, Path(folder) / f"local{count}", arguments.database
            ),
            "control": control,
        }
        print(f"{'work':9} {'workers':>7} {'seconds':>8}  gain")
        first: dict[str, float] = {}
        for count in arguments.workers:
            for name, work in kinds.items():
                seconds = work(count)
                gain = first.setdefault(name, seconds) / seconds
                print(f"{name:9} {count:7} {seconds:8.1f}  {gain:4.2f}", flush=True)


def on_dask(count: int, corpus: Path, folder: Path, database: Path) -> float:
    """Return how many seconds ``count`` workers of a cluster take, whose scheduler is in this
    process.
    """
    machines = LocalCluster(
        n_workers=count, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with machines, closing(Cluster(machines.scheduler_address)) as cluster:
        return screened(cluster, corpus, folder, database)


def on_processes(count: int, corpus: Path, folder: Path, database: Path) -> float:
    """Return how many seconds ``count`` processes of this machine take."""
    with ProcessPool(count) as pool:
        return screened(pool, corpus, folder, database)


def screened(workers: Cluster | ProcessPool, corpus: Path, folder: Path, database: Path) -> float:
    """Screen ``corpus`` into ``folder``; return how many seconds reading and checking took."""
    with open_session(load(bib_db=database, no_cache=True)) as session, opened(folder) as store:
        basis = basis_of(session)
        if isinstance(workers, Cluster):
            workers.require_fit(session.elsewhere, basis, (str(corpus),))
        else:
            check = partial(check_references, session.elsewhere, basis)
            for future in [workers.submit(check, []) for _ in range(4 * workers.count)]:
                future.result()
        screening = Screening(store, session, workers)
        start = perf_counter()
        screening.read([str(corpus)])
        screening.check()
        return perf_counter() - start


def control(count: int) -> float:
    """Return how many seconds ``count`` processes take to count for each of :data:`COUNTED`
    items.
    """
    with ProcessPool(count) as pool:
        for future in [pool.submit(counted, [0]) for _ in range(4 * count)]:
            future.result()
        start = perf_counter()
        for _ in call_in_order(pool, counted, range(COUNTED), ENTRIES_A_CALL):
            pass
        return perf_counter() - start


if __name__ == "__main__":
    main()
