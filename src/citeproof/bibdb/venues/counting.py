"""Counts of values that nearly always are all the same, as the years of a volume's papers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


def counted(values: Sequence[T]) -> dict[T, int]:
    """Return how often each of ``values`` occurs, in the order of their first; there must be one."""
    every = values.count(values[0]) == len(values)
    return {values[0]: len(values)} if every else Counter(values)


def commonest(counts: dict[T, int]) -> T:
    """Return the value with the highest count, of several the first."""
    return max(counts, key=counts.__getitem__)
