"""What left the machine in a run: to which host, how many requests, and which fields of the references."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from citeproof.models import OutgoingRequests
from citeproof.net.failure import NOTHING_SENT, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class RequestCounter:
    """Counts requests as they leave, retries and redirects among them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests = Counter[tuple[str, frozenset[str]]]()

    @contextmanager
    def counted(self, host: str, fields: Iterable[str]) -> Iterator[None]:
        """Count one request to ``host`` that carries ``fields``, unless the block finds that no connection can be made.

        It is counted from the start, so that an interrupted run does not keep back what is under way.
        """
        request = (host, frozenset(fields))
        with self._lock:
            self._requests[request] += 1
        try:
            yield
        except SourceError as failure:
            if failure.kind in NOTHING_SENT:
                with self._lock:
                    self._requests[request] -= 1
            raise

    def by_host(self) -> tuple[OutgoingRequests, ...]:
        """Return what was sent so far, one item a host, sorted by host."""
        with self._lock:
            sent = +self._requests
        hosts = sorted({host for host, _ in sent})
        return tuple(
            OutgoingRequests(
                host,
                sum(count for (to, _), count in sent.items() if to == host),
                tuple(sorted({field for to, fields in sent if to == host for field in fields})),
            )
            for host in hosts
        )
