"""Put together what belongs together, from pairs that do."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Groups(Generic[T]):
    """Things in groups that grow together. Example: after ``join(1, 2)`` and ``join(2, 3)`` one group holds 1, 2, 3."""

    def __init__(self) -> None:
        self._above: dict[T, T] = {}

    def join(self, one: T, other: T) -> None:
        """Put the groups of ``one`` and ``other`` together."""
        self._above[self._top(one)] = self._top(other)

    def all(self) -> list[list[T]]:
        """Return the groups, each with its members in the order in which they were named first."""
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
