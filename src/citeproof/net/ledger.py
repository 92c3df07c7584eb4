"""What left the machine in a run: to which host, how often, and which fields of the references."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from citeproof.models import Departure
from citeproof.net.failure import NOTHING_SENT, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Ledger:
    """Counts requests as they leave, retries and redirects among them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests = Counter[tuple[str, frozenset[str]]]()

    @contextmanager
    def departing(self, host: str, fields: Iterable[str]) -> Iterator[None]:
        """Count one request to ``host`` that carries ``fields``, unless the block finds that no connection can be made.

        It is counted from the start, so that an interrupted run does not keep back what is under way.
        """
        departure = (host, frozenset(fields))
        with self._lock:
            self._requests[departure] += 1
        try:
            yield
        except SourceError as failure:
            if failure.kind in NOTHING_SENT:
                with self._lock:
                    self._requests[departure] -= 1
            raise

    def departures(self) -> tuple[Departure, ...]:
        """Return what was sent so far, by host."""
        with self._lock:
            sent = +self._requests
        hosts = sorted({host for host, _ in sent})
        return tuple(
            Departure(
                host,
                sum(count for (to, _), count in sent.items() if to == host),
                tuple(sorted({field for to, fields in sent if to == host for field in fields})),
            )
            for host in hosts
        )
