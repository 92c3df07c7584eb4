"""A screening on a Dask cluster with a real scheduler and four worker processes says what one on
this machine says.

The workers see the database below their own working folder, so that one of them, started elsewhere,
does not.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database.building.sample import sample_database
from citeproof.screen.checking import basis_of
from citeproof.screen.gathering import gather
from citeproof.screen.run import Screening
from citeproof.screen.store import opened
from citeproof.settings import load
from citeproof.verification.startup import open_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.scenarios.screen.conftest import Screen

distributed = pytest.importorskip("distributed", reason="the extra bulk is not installed")
TABLES = ("papers", "references", "verdicts", "places", "signals")
DATABASE = Path("/proc/self/cwd/sample.db")
OTHER_VERSION = "import citeproof.model.version\nciteproof.model.version.__version__ = '0.0.1'\n"
SECONDS = 90

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not Path("/proc/self/cwd").exists(), reason="needs the working folder as a path"
    ),
]


class Machines:
    """A scheduler and workers in separate processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"

    def start(self, *, odd: bool = False) -> None:
        """Start the scheduler and four workers; ``odd``: also one without the database and one of
        another version.
        """
        port = self.address.rpartition(":")[2]
        self._begin(
            self.folder, "scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard"
        )
        worker = (
            "worker",
            self.address,
            "--nthreads",
            "1",
            "--no-dashboard",
            "--local-directory",
            str(self.folder),
        )
        self._begin(self.folder, *worker, "--nworkers", "4")
        if odd:
            (self.folder / "elsewhere").mkdir()
            (self.folder / "other.py").write_text(OTHER_VERSION)
            self._begin(self.folder / "elsewhere", *worker)
            self._begin(self.folder, *worker, "--preload", str(self.folder / "other.py"))
        with distributed.Client(self.address, timeout=SECONDS, set_as_default=False) as client:
            client.wait_for_workers(6 if odd else 4, timeout=SECONDS)

    def pid_of_one(self, fit: list[str]) -> int:
        """Return the process of one of the workers at the addresses ``fit``."""
        with distributed.Client(self.address, timeout=SECONDS, set_as_default=False) as client:
            return int(client.run(os.getpid, workers=fit[:1])[fit[0]])

    def _begin(self, folder: Path, *words: str) -> None:
        command = [sys.executable, "-m", "dask", *words]
        null = subprocess.DEVNULL
        process = subprocess.Popen(
            command, cwd=folder, start_new_session=True, stdin=null, stdout=null, stderr=null
        )
        self._processes.append(process)

    def kill(self) -> None:
        """End all of them at once, without a word."""
        for process in self._processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._processes.clear()


@contextmanager
def machines(folder: Path) -> Iterator[Machines]:
    """Yield machines in ``folder``, with the sample as their database."""
    folder.mkdir()
    source = sample_database()
    for name in (source, source.with_name(f"{source.name}.titles")):
        shutil.copy(name, folder / f"sample{name.name.removeprefix(source.stem)}")
    made = Machines(folder)
    try:
        yield made
    finally:
        made.kill()


def screened(
    address: str, papers: Path, folder: Path, advance: Callable[[Any], None] = lambda _: None
) -> tuple[int, tuple[str, ...]]:
    """Screen ``papers`` there, and return how many references were checked, with the notes;
    ``advance`` is told of each item with the addresses of the workers at work.
    """
    from citeproof.screen.cluster import Cluster

    with (
        open_session(load(no_cache=True, bib_db=DATABASE)) as session,
        opened(folder) as store,
        Cluster(address) as cluster,
    ):
        cluster.require_fit(session.settings_json, basis_of(session), (str(papers),))
        screening = Screening(store, session, cluster, advance=lambda _: advance(cluster._fit))
        screening.read([str(papers)])
        checked = screening.check()
        gather(store, folder)
        cluster.close()
        return checked, cluster.notes


@pytest.fixture
def corpus(
    screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Screen, Machines]]:
    """Return a screening of 240 references that was done on this machine, and machines for another
    one of them.
    """
    titles = screen.titles(240)
    for paper in range(6):
        screen.paper(f"{paper}.bib", *titles[40 * paper : 40 * (paper + 1)])
    screen()
    monkeypatch.setattr("citeproof.screen.cluster._SECONDS_TO_CONNECT", 3)
    with machines(tmp_path / "machines") as made:
        monkeypatch.chdir(made.folder)
        yield screen, made


def rows(screen: Screen) -> dict[str, list[dict[str, Any]]]:
    """Return all tables without the durations."""
    return {name: [row | {"seconds": 0} for row in screen.table(name)] for name in TABLES}


def test_screen_on_a_cluster_names_unfit_workers_and_survives_a_killed_one(
    corpus: tuple[Screen, Machines],
) -> None:
    screen, made = corpus
    made.start(odd=True)
    killed: list[int] = []

    def kill(fit: list[str]) -> None:
        if not killed:
            killed.append(made.pid_of_one(fit))
            os.kill(killed[0], signal.SIGKILL)

    far = type(screen)(screen.papers, screen.folder.parent / "far", screen.pool)
    checked, notes = screened(made.address, screen.papers, far.folder, kill)
    assert killed
    assert checked == len(far.table("verdicts")) == 240
    assert sorted(
        note.partition("is not used: ")[2].partition(",")[0].partition(";")[0] for note in notes
    ) == [
        f"{DATABASE}: no such file",
        "it has version 0.0.1 of citeproof",
    ]
    assert rows(far) == rows(screen)


def test_screen_on_a_cluster_resumes_after_its_scheduler_was_killed(
    corpus: tuple[Screen, Machines], capfd: pytest.CaptureFixture[str]
) -> None:
    from citeproof.screen.cluster import ClusterError

    screen, made = corpus
    far = type(screen)(screen.papers, screen.folder.parent / "far", screen.pool)
    made.start()
    steps = iter(range(100))

    def kill(_: list[str]) -> None:
        if next(steps, None) is None:
            made.kill()

    with pytest.raises(
        ClusterError, match="the scheduler has stopped; start it again, and run the same command"
    ):
        screened(made.address, screen.papers, far.folder, kill)
    assert "Traceback" not in capfd.readouterr().err
    made.start()
    checked, _ = screened(made.address, screen.papers, far.folder)
    assert 0 < checked < 240
    assert rows(far) == rows(screen)
