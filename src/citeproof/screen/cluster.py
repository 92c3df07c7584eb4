"""Run function calls in the workers of a Dask cluster. If a worker dies, Dask repeats its calls in
other workers.
"""

import logging
from collections.abc import Callable
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Self

from distributed import Client, KilledWorker
from distributed.client import ClosedClientError
from distributed.comm.core import CommClosedError

from citeproof.model.errors import CiteproofError, one_line
from citeproof.model.version import __version__
from citeproof.processes import Call, Item, Result
from citeproof.screen.checking import check_references

_LOGGERS = ("distributed", "tornado", "asyncio")
"""Names of the loggers that print tracebacks when a scheduler stops. They are silenced, because the
message of :class:`ClusterError` is clearer.
"""
_SECONDS_TO_CONNECT = 20  # time-out of the connection to the Dask scheduler, in seconds


class ClusterError(CiteproofError):
    """Raised if the Dask scheduler cannot be reached, or if none of its workers can verify the
    papers.
    """


class Cluster:
    """The worker processes of a running Dask cluster, as an implementation of
    :class:`~citeproof.processes.Workers`.
    """

    deaths: tuple[type[BaseException], ...] = (KilledWorker,)

    def __init__(self, address: str) -> None:
        """Connect to the Dask scheduler at ``address``.

        Raises :class:`ClusterError` if no scheduler answers.
        """
        self._address = address
        for name in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._client = Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(
                f"{address}: no Dask scheduler answers there: {one_line(error)}"
            ) from error
        self._fit: list[str] = []
        self.notes: tuple[str, ...] = ()  # sentences that say which workers are not used and why

    def require_fit(self, chosen: str, basis: str, inputs: tuple[str, ...]) -> None:
        """From now on use only workers that can open the files ``inputs`` and have the same version
        and database as this process.

        ``chosen`` are settings in JSON, and ``basis`` is a hash from :func:`~.checking.basis_of`.
        Raises :class:`ClusterError` if no worker is left.
        """
        with self:
            faults: dict[str, str] = self._client.run(
                fault, __version__, chosen, basis, inputs, on_error="return"
            )
        said = {
            worker: one_line(found) if isinstance(found, Exception) else found
            for worker, found in faults.items()
        }
        self._fit = [worker for worker, found in said.items() if not found]
        self.notes = tuple(
            f"The worker {worker} is not used: {found}" for worker, found in said.items() if found
        )
        if not self._fit:
            reason = next(iter(self.notes), "it has no workers")
            raise ClusterError(f"{self._address}: no worker can do the work: {reason}")

    @property
    def count(self) -> int:
        """Number of workers that are used. It is 1 as long as their number is not known."""
        return max(1, len(self._fit))

    def submit(
        self, function: Callable[[list[Item]], list[Result]], items: list[Item]
    ) -> Call[list[Result]]:
        """Start a call of ``function`` with ``items`` in a worker. Return the call without waiting
        for its result.
        """
        # Dask's own executor is not used: its futures never end if the scheduler dies while a
        # result is sent. The addresses of workers are passed only if some workers are left out,
        # because restarted workers have new addresses.
        workers = self._fit if self.notes else None
        call: Call[list[Result]] = self._client.submit(function, items, pure=False, workers=workers)
        return call

    def call(
        self, function: Callable[[list[Item]], list[Result]], items: list[Item]
    ) -> list[Result]:
        """Call ``function`` with ``items`` in a worker. Wait for the result and return it."""
        return self.submit(function, items).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _where: object) -> None:
        if isinstance(
            error, CancelledError | ClosedClientError | CommClosedError | TimeoutError | OSError
        ):
            raise ClusterError(
                f"{self._address}: the scheduler has stopped; start it again, and run the "
                "same command, which continues the run"
            ) from error

    def close(self) -> None:
        """Disconnect from the Dask scheduler and drop pending calls."""
        self._client.close()


def fault(version: str, chosen: str, basis: str, inputs: tuple[str, ...]) -> str:
    """Return a phrase that says why this worker cannot verify the papers ``inputs``. The result is
    empty if it can.

    The other parameters are the version, the settings and the hash from :func:`~.checking.basis_of`
    of the main process.
    """
    if version != __version__:
        return f"it has version {__version__} of citeproof, and the run has version {version}"
    if missing := next((name for name in inputs if not Path(name).exists()), ""):
        return f"it cannot read {missing}; papers must be on a path that all workers share"
    try:
        check_references(chosen, basis, [])
    except CiteproofError as error:
        return str(error)
    return ""
