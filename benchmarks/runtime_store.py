"""How many searches a second the runtime store acknowledges, from one and from two processes.

    python -m benchmarks.runtime_store PLACE [--seconds S]

PLACE is an SQLite file, or the address of a PostgreSQL server. Each process keeps 32 records on
their way, as 32 clients of a server would. Prints a table; the counter of the store is compared
with what was acknowledged.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from typing import TYPE_CHECKING

from citeproof.store.runtime.store import RuntimeStore, Search
from citeproof.store.sql import file_or_server

if TYPE_CHECKING:
    from concurrent.futures import Future

AT_ONCE = 32


def acknowledged(place: str, seconds: float) -> int:
    """Record searches for so long, and return how many were acknowledged."""
    store = RuntimeStore(file_or_server("PLACE", place))
    waiting: list[Future[None]] = []
    count, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        waiting += [
            store.record_single("r", 1, Search("A title")) for _ in range(AT_ONCE - len(waiting))
        ]
        waiting.pop(0).result(60)
        count += 1
    for event in waiting:
        event.result(60)
        count += 1
    store.close()
    return count


def main() -> None:
    """Measure one process, then two."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("place")
    parser.add_argument("--seconds", type=float, default=4.0)
    options = parser.parse_args()
    RuntimeStore(file_or_server("PLACE", options.place)).close()
    print("| processes | records/s | counter agrees |\n|---|---|---|")
    total = 0
    for processes in (1, 2):
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            counts = pool.starmap(acknowledged, [(options.place, options.seconds)] * processes)
        total += sum(counts)
        store = RuntimeStore(file_or_server("PLACE", options.place))
        agrees = store.statistics().counters["single_search_requests"] == total
        store.close()
        print(
            f"| {processes} | {sum(counts) / options.seconds:.0f} | {'yes' if agrees else 'NO'} |"
        )


if __name__ == "__main__":
    main()
