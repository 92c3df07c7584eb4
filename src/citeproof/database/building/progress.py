"""Report the progress of the build of a database to a callback."""

import time
from collections.abc import Callable
from dataclasses import dataclass

STEPS = ("words", "identifiers", "authors", "venues", "coverage", "file")
"""Names of the steps of a build, in order, after all records are read and before the title index is
written.
"""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of the build of a database, for a callback."""

    stage: str  # ``reading`` while sources are read, then ``indexing``
    read: int  # number of bytes read so far, out of ``size`` bytes in all sources
    size: int
    records: int
    seconds: float
    # finished fraction of the indexing, 0 to 1; all steps have the same weight
    indexed: float = 0.0
    # current step of the indexing: one of ``STEPS``, or ``titles`` for the title index
    step: str = ""


class Reporter:
    """Calls the callback of a build."""

    def __init__(self, report: Callable[[Progress], None], size: int, *, titles: bool) -> None:
        """``report`` is the callback. ``size`` is the number of bytes of all sources. ``titles``
        says whether a title index is written.
        """
        self._report, self._size = report, size
        self._steps = (*STEPS, "titles", "") if titles else (*STEPS, "")
        self._started = time.monotonic()

    def reading(self, records: int, position: int) -> None:
        """Report that ``records`` records, in ``position`` bytes of the sources, were read so
        far.
        """
        self._report(Progress("reading", position, self._size, records, self.seconds()))

    def indexing(self, records: int, step: str, share: float = 0.0) -> None:
        """Report that the fraction ``share``, 0 to 1, of a step of the indexing is finished.
        ``records`` is the number of all records. At the end, ``step`` is empty.
        """
        indexed = (self._steps.index(step) + share) / (len(self._steps) - 1)
        self._report(
            Progress("indexing", self._size, self._size, records, self.seconds(), indexed, step)
        )

    def seconds(self) -> float:
        """Return the duration of the build so far."""
        return time.monotonic() - self._started
