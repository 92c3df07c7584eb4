"""Cost of the nearest title of a miss beside the miss: real absent titles, in turns.

    python -m benchmarks.title_nearest 8000000.db

The titles are those of HALLMARK's invented references that the database has nothing like. Times are
processor time, for each title the quickest of some turns, so that other programs on the machine
disturb least.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.database.lookup import NEAREST_FROM, Database

if TYPE_CHECKING:
    from collections.abc import Callable

TURNS = 3
HALLMARK = Path("../shared/gold/hallmark/dev_public.jsonl")


def main() -> None:
    """Print means, medians and their ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("database", type=Path)
    parser.add_argument(
        "--titles", type=Path, default=HALLMARK, help="labelled references, JSON lines"
    )
    parser.add_argument("--queries", type=int, default=200)
    arguments = parser.parse_args()
    with Database.open(arguments.database) as database:
        absent = [
            title for title in invented(arguments.titles) if not database.look_up(title).candidates
        ]
        misses, nearests = [], []
        for title in absent[: arguments.queries]:
            miss = partial(database.look_up, title, nearest_from=1.0)
            nearest = partial(database.look_up, title, nearest_from=NEAREST_FROM)
            nearest()
            times = [(seconds(miss), seconds(nearest)) for _ in range(TURNS)]
            misses.append(min(one for one, _ in times))
            nearests.append(min(other for _, other in times))
    ratios = [large / small for small, large in zip(misses, nearests, strict=True)]
    print(f"{len(ratios)} absent titles, each in its quickest of {TURNS} turns")
    for name, middle in (("mean", statistics.mean), ("median", statistics.median)):
        small, large = 1000 * middle(misses), 1000 * middle(nearests)
        print(
            f"{name:8}a miss {small:7.2f} ms, down to {NEAREST_FROM} {large:7.2f} ms:"
            f" {large / small:.2f} times"
        )
    print(f"median of the ratios {statistics.median(ratios):.2f}")


def invented(path: Path) -> list[str]:
    """Return the titles of the invented ones among the labelled references of ``path``."""
    lines = map(json.loads, path.read_text().splitlines())
    titles = (line["fields"].get("title", "") for line in lines if line["label"] == "HALLUCINATED")
    return list(filter(None, titles))


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time that ``work`` takes."""
    started = time.process_time()
    work()
    return time.process_time() - started


if __name__ == "__main__":
    main()
