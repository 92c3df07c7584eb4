"""Writes that a run can do without: the first that fails is the last that is tried, and its reason is kept."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from citeproof.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Callable


class BestEffortWrites:
    """Writes to a file that may be locked, full or damaged: that costs a run one wait at most, and no verdict."""

    def __init__(self) -> None:
        self.trouble = ""
        """Why nothing more is written; empty while all is well."""
        self._lock = threading.Lock()

    def write(self, action: Callable[[], object]) -> None:
        """Run ``action``, unless an earlier one failed; a :class:`DatabaseError` is kept as the trouble."""
        with self._lock:
            if self.trouble:
                return
            try:
                action()
            except DatabaseError as error:
                self.trouble = str(error)
