"""Signals that only many papers together show.

A signal states what was seen, with its numbers, and accuses nobody. Each kind of signal is a :class:`Kind`, listed in
:func:`kinds`. The package reads the results of a screening; it checks nothing and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from citeproof.model.codes import ReasonCode

if TYPE_CHECKING:
    from citeproof.screen.results import Results

T = TypeVar("T")
NOWHERE = frozenset({
    ReasonCode.TITLE_NOT_FOUND, ReasonCode.FOUND_NOWHERE, ReasonCode.ABSENT_FROM_COMPLETE_VOLUME,
    ReasonCode.ABSENT_FROM_COMPLETE_SOURCE, ReasonCode.NOT_IN_CITED_VOLUME,
})  # fmt: skip
"""Reasons of references whose title is in no source of the run."""


@dataclass(frozen=True, slots=True)
class Signal:
    """One observation."""

    papers: tuple[int, ...]
    """Numbers of the papers that it is about."""
    references: tuple[int, ...]
    """Numbers of the distinct references that show it."""
    weight: float
    """Sort key within its kind; larger is more important."""
    said: str
    """One sentence for a person."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of signal."""

    name: str
    meaning: str
    """One sentence: what it is, and what else may explain it."""
    find: Callable[[Results], list[Signal]]
    """Returns the signals of a results, the most important first."""


def kinds() -> tuple[Kind, ...]:
    """Return all kinds, by name."""
    from citeproof.screen.signals import failing_together, shared

    return (
        shared.ALIKE_NOT_FOUND, shared.DATABASE_GAPS, failing_together.FAILING_TOGETHER,
        shared.SAME_WRONG_DETAILS, shared.WRONG_DOIS,
    )  # fmt: skip


class Groups(Generic[T]):
    """Connected components of a set of pairs: after ``join(1, 2)`` and ``join(2, 3)`` one group holds 1, 2 and 3."""

    def __init__(self) -> None:
        self._above: dict[T, T] = {}

    def join(self, one: T, other: T) -> None:
        """Add the pair ``one``, ``other``."""
        self._above[self._top(one)] = self._top(other)

    def all(self) -> list[list[T]]:
        """Return the groups, each with its members in the order in which they were added."""
        found: dict[T, list[T]] = {}
        for each in list(self._above):
            found.setdefault(self._top(each), []).append(each)
        return list(found.values())

    def _top(self, each: T) -> T:
        self._above.setdefault(each, each)
        while self._above[each] != each:
            self._above[each] = self._above[self._above[each]]
            each = self._above[each]
        return each
