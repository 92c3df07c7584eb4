"""Workers of a Dask cluster, in place of processes of this machine.

Dask deals out, moves work from a worker that died to another, and restarts workers. What is here says which workers
can do the work, and turns its failures into one line. What is under way when a worker dies is done by another. What has
killed several workers is taken for the cause, and tried once more item by item.
"""

from __future__ import annotations

from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from distributed import Client, KilledWorker
from distributed.client import ClosedClientError
from distributed.comm.core import CommClosedError

from citeproof.errors import CiteproofError, one_line
from citeproof.screen.checking import check_references
from citeproof.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

Item = TypeVar("Item")
Result = TypeVar("Result")

SECONDS_TO_CONNECT = 20


class ClusterError(CiteproofError):
    """The cluster cannot do the work."""


class Cluster:
    """The workers of a scheduler that runs already: the :class:`~citeproof.process_pool.Workers` of a screening."""

    deaths: tuple[type[BaseException], ...] = (KilledWorker,)

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at ``address``; raise :class:`ClusterError` where there is none."""
        self._address = address
        try:
            self._client = Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(f"{address}: no Dask scheduler answers there: {one_line(error)}") from error
        self._fit: list[str] = []
        self.notes: tuple[str, ...] = ()
        """Which workers cannot do the work, and why."""

    def require_fit(self, chosen: str, basis: str, inputs: tuple[str, ...]) -> None:
        """Let those workers work that have the same version, the same database and the papers; note the others.

        ``chosen`` are the settings of the run's session, in JSON, and ``basis`` what its verdicts rest on.
        Raises :class:`ClusterError` where there are none.
        """
        with self:
            faults: dict[str, str] = self._client.run(fault, __version__, chosen, basis, inputs, on_error="return")
        said = {worker: one_line(found) if isinstance(found, Exception) else found for worker, found in faults.items()}
        self._fit = [worker for worker, found in said.items() if not found]
        self.notes = tuple(f"The worker {worker} was left out: {found}" for worker, found in said.items() if found)
        if not self._fit:
            reason = next(iter(self.notes), "it has no workers")
            raise ClusterError(f"{self._address}: no worker can do the work: {reason}")
        self._executor = self._client.get_executor(pure=False, workers=self._hosts())

    @property
    def count(self) -> int:
        """How many calls can be at work at the same time."""
        return max(1, len(self._fit))

    def submit(self, function: Callable[[list[Item]], list[Result]], items: list[Item]) -> Future[list[Result]]:
        """Have ``function`` called with ``items`` by one of the workers."""
        future: Future[list[Result]] = self._executor.submit(function, items)
        return future

    alone = submit

    def _hosts(self) -> list[str] | None:
        """Return where the work may be done: anywhere, unless some workers were left out.

        A worker that Dask restarts has another address, so addresses are named only where that is needed.
        """
        return self._fit if self.notes else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _where: object) -> None:
        if isinstance(error, CancelledError | ClosedClientError | CommClosedError | TimeoutError | OSError):
            raise ClusterError(
                f"{self._address}: the scheduler is gone; once it is back, run the same command, which goes on"
            ) from error

    def close(self) -> None:
        """Leave the scheduler; what is under way there is dropped."""
        self._client.close()


def fault(version: str, chosen: str, basis: str, inputs: tuple[str, ...]) -> str:
    """Return why this process cannot do the work of a run; empty where it can."""
    if version != __version__:
        return f"it has citeproof {__version__}, and the run {version}"
    missing = next((name for name in inputs if not Path(name).exists()), "")
    if missing:
        return f"it does not see {missing}; papers lie on a path that all workers share"
    try:
        check_references(chosen, basis, [])
    except CiteproofError as error:
        return str(error)
    return ""
