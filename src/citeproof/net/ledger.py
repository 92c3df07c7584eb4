"""What left the machine in a run: to which host, how often, and which fields of the references."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from citeproof.models import Departure

if TYPE_CHECKING:
    from collections.abc import Iterable


class Ledger:
    """Counts requests as they leave, retries and redirects among them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: dict[str, int] = {}
        self._fields: dict[str, set[str]] = {}

    def note(self, host: str, fields: Iterable[str]) -> None:
        """Note one request to ``host`` that carries ``fields``."""
        with self._lock:
            self._requests[host] = self._requests.get(host, 0) + 1
            self._fields.setdefault(host, set()).update(fields)

    def departures(self) -> tuple[Departure, ...]:
        """Return what was sent so far, by host."""
        with self._lock:
            return tuple(
                Departure(host, count, tuple(sorted(self._fields[host])))
                for host, count in sorted(self._requests.items())
            )
