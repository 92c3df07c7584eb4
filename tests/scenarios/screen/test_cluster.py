"""A screening on a Dask cluster with a real scheduler and worker processes says what one on this machine says."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.opening import open_session
from citeproof.screen.checking import basis_of
from citeproof.screen.gathering import gather
from citeproof.screen.run import Progress, Screening
from citeproof.screen.store import opened
from citeproof.settings import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.scenarios.screen.conftest import Screen

distributed = pytest.importorskip("distributed", reason="the extra bulk is not installed")
TABLES = ("papers", "references", "verdicts", "places", "signals")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[Any]:
    import dask

    with (
        dask.config.set({"distributed.comm.timeouts.connect": "3s"}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as local,
    ):
        yield local


def screened(address: str, papers: Path, folder: Path, advance: Callable[[int], None] = lambda _: None) -> None:
    from citeproof.screen.cluster import Cluster

    with open_session(load(no_cache=True)) as session, opened(folder) as store, Cluster(address) as cluster:
        cluster.require_fit(session.elsewhere, basis_of(session), (str(papers),))
        screening = Screening(store, session, cluster, progress=Progress(advance=advance))
        screening.read([str(papers)])
        screening.check()
        gather(store, folder)
        cluster.close()


@pytest.mark.slow
def test_a_cluster_says_what_this_machine_says_though_a_worker_is_killed(
    screen: Screen, tmp_path: Path, scheduler: Any
) -> None:
    titles = screen.titles(240)
    for paper in range(6):
        screen.paper(f"{paper}.bib", *titles[40 * paper : 40 * (paper + 1)])
    screen()
    workers = list(scheduler.workers.values())
    killed: list[int] = []

    def kill(_: int) -> None:
        if not killed:
            killed.append(workers[0].pid)
            os.kill(workers[0].pid, signal.SIGKILL)

    far = tmp_path / "far"
    screened(scheduler.scheduler_address, screen.papers, far, kill)
    assert killed
    there = type(screen)(screen.papers, far, screen.pool)
    for name in TABLES:
        assert [row | {"seconds": 0} for row in there.table(name)] == [
            row | {"seconds": 0} for row in screen.table(name)
        ]
    assert len(there.table("verdicts")) == 240
