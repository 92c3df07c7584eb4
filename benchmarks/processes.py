"""References a second with one process and with more, beside work that shares nothing.

    python -m benchmarks.processes --database dblp.db --references 4000

The control counts in plain Python in as many processes; it shows what a second core is worth at the
moment. One process and several are measured in turns, each turn on new references, because one
process would have known references in its caches. On a busy machine wall time says little: the last
column is the gain with a free core for each process, computed from processor time. The references
are the held ones of `benchmarks.verify`; a tenth of them have one changed letter in the title.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from benchmarks.verify import held_references
from citeproof.database.lookup import Database
from citeproof.processes import Lost, ProcessPool, call_in_order
from citeproof.settings import load
from citeproof.verification.opening import check_elsewhere, settings_elsewhere
from citeproof.verification.session import ENTRIES_A_CALL

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.model.reference import Reference

Work = tuple["Callable[[list[Any]], list[Any]]", list[Any]]

DAMAGED_SHARE = 0.1
SEED = 20261120
STEPS = 100_000
"""Loop steps of one control item: a few milliseconds, about as long as one reference."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--database", type=Path, required=True, help="built by `citeproof db build`"
    )
    parser.add_argument("--references", type=int, default=4000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    with Database.open(arguments.database) as database:
        references = damaged_in_part(database, arguments.references * (arguments.turns + 1))
        chosen = settings_elsewhere(load(no_cache=True), database)
    works: dict[str, Work] = {
        "checking": (partial(check_elsewhere, chosen), references),
        "control": (counted, list(range(len(references) // 4))),  # its items are all the same
    }
    counts = (1, arguments.processes)
    pools = {count: ProcessPool(count) for count in counts}
    shares = {name: slices(items, arguments.turns + 1) for name, (_, items) in works.items()}
    for name, (function, _) in works.items():
        for pool in pools.values():  # each process opens the database
            measure(pool, function, shares[name][0])
        function(shares[name][0])
    print(
        f"{'work':9} {'processes':>9} {'by the clock':>14} {'gain':>5} {'processor time':>15}  with"
        " free cores"
    )
    for name, (function, _) in works.items():
        turns = [
            [measure(pools[count], function, items) for count in counts]
            for items in shares[name][1:]
        ]
        plain = median(alone(function, items) for items in shares[name][1:])
        items = shares[name][0]
        for place, count in enumerate(counts):
            clock, used = (median(turn[place][which] for turn in turns) for which in (0, 1))
            gain = median(turn[0][0] / turn[place][0] for turn in turns)
            each = 1000 * used / len(items)
            rate = len(items) / clock
            free = count * plain / used
            print(f"{name:9} {count:9} {rate:12,.0f}/s {gain:5.2f} {each:12.3f} ms {free:16.2f}")
    for count, pool in pools.items():
        print(f"memory of one of {count}: {pool.submit(memory, [count]).result()[0]}")
        pool.close()


def damaged_in_part(database: Database, count: int) -> list[Reference]:
    """Return ``count`` references to works of ``database``, a tenth of them damaged; always the
    same ones.
    """
    choice = random.Random(SEED)
    references = held_references(database, count)
    return [
        damaged(each, choice) if choice.random() < DAMAGED_SHARE else each for each in references
    ]


def damaged(reference: Reference, choice: random.Random) -> Reference:
    """Return ``reference`` with one letter of its title changed."""
    place = choice.randrange(len(reference.title))
    letter = choice.choice("abcdefghijklmnopqrstuvwxyz")
    return replace(reference, title=reference.title[:place] + letter + reference.title[place + 1 :])


def slices(items: list[Any], count: int) -> list[list[Any]]:
    """Return ``items`` in ``count`` parts of one size."""
    size = len(items) // count
    return [items[place * size : (place + 1) * size] for place in range(count)]


def measure(
    pool: ProcessPool, function: Callable[[list[Any]], list[Any]], items: list[Any]
) -> tuple[float, float]:
    """Return wall seconds and processor seconds of all processes that ``pool`` takes for
    ``items``.
    """
    start, own = perf_counter(), process_time()
    used = Counter[int]()
    for result in call_in_order(pool, partial(timed, function), items, ENTRIES_A_CALL):
        assert not isinstance(result, Lost)
        used[result[0]] += result[1]
    return perf_counter() - start, process_time() - own + used.total() / 1_000_000


def timed(
    function: Callable[[list[Any]], list[Any]], items: list[Any]
) -> list[tuple[int, int, Any]]:
    """Return for each item this process, its share of the microseconds since the last call, and its
    result.
    """
    results = function(items)
    now = process_time()
    share = round(1_000_000 * (now - _LAST[0]) / len(items))
    _LAST[0] = now
    return [(os.getpid(), share, result) for result in results]


_LAST = [0.0]
"""Processor time of this process at its last call, so that sending results is counted too."""


def alone(function: Callable[[list[Any]], list[Any]], items: list[Any]) -> float:
    """Return the processor time that ``function`` takes for ``items`` in this process."""
    start = process_time()
    function(items)
    return process_time() - start


def counted(items: list[Any]) -> list[Any]:
    """Count for some milliseconds for each of ``items``."""
    return [sum(1 for _ in range(STEPS)) for _ in items]


def memory(_: list[int]) -> list[str]:
    """Return what this process holds for itself, and what it shares with the others: the mapped
    files.
    """
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    sizes = {line.split(":")[0]: int(line.split()[1]) for line in lines[1:] if line.endswith("kB")}
    own = (
        sizes["Private_Dirty"]
        + sizes["Anonymous"]
        - min(sizes["Anonymous"], sizes["Private_Dirty"])
    )
    return [f"{own / 1024:,.0f} MB of its own, {sizes['Rss'] / 1024:,.0f} MB with what it shares"]


if __name__ == "__main__":
    main()
