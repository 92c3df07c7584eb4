"""Workers that call functions in this process."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Dead(Exception):  # noqa: N818
    """A process died."""


class InThisProcess:
    """Workers that die of items with the text ``Deadly``."""

    count = 1
    deaths: tuple[type[BaseException], ...] = (Dead,)

    def submit(
        self, function: Callable[[list[Any]], list[Any]], items: list[Any]
    ) -> Future[list[Any]]:
        """Call ``function`` in this process."""
        future: Future[list[Any]] = Future()
        if "Deadly" in str(items):
            future.set_exception(Dead())
        else:
            future.set_result(function(items))
        return future

    def call(self, function: Callable[[list[Any]], list[Any]], items: list[Any]) -> list[Any]:
        return self.submit(function, items).result()
