"""The web service under load: a real server and 32 clients on sockets. For comparison, the same
application gives a constant answer.

    python -m benchmarks.web_load --bib-db dblp.db

Of the titles, 75 % are as in the database, 15 % are damaged (a wrong letter or a missing word), and
10 % are absent (made of two titles of the database). One request in ten is a batch of ten titles.
At the end, the server's counters must equal those of the clients. Then three loads alternate every
two seconds, for a third of the time each, so that other programs on the machine affect all of them
equally: single look-ups of the same mix of titles, single look-ups of titles as in the database,
and the constant answer.
"""

import argparse
import random
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.web_client import BATCH, SINGLE, Tally
from benchmarks.web_server import TURN_SECONDS, figures, load, serving
from benchmarks.web_titles import Titles

HEADER = """| load | requests/s | titles/s | p50 ms | p99 ms | server's CPU ms | failures |
|---|---|---|---|---|---|---|"""


def main() -> int:
    """Measure what is asked for and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bib-db", type=Path, required=True)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    titles = Titles(options.bib_db, random.Random(options.seed))
    return look_ups(options, titles)


def look_ups(options: argparse.Namespace, titles: Titles) -> int:
    """Run the three loads and print the table; return 1 when a request failed or a counter
    differs.
    """
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "runtime.db")
        arguments = [
            "--bib-db",
            str(options.bib_db),
            "--runtime-store",
            store,
            "--workers",
            str(options.workers),
        ]
        with (
            serving("citeproof", "serve", *arguments, "--port") as server,
            serving("benchmarks.web_ceiling") as constant,
        ):
            mixed = load(server, options.clients, options.seconds, titles.mixed)
            counters = figures(server.port)["counters"]
            single, held, ceiling = ([], [], [])
            for _ in range(max(1, round(options.seconds / 3 / TURN_SECONDS))):
                single.append(load(server, options.clients, TURN_SECONDS, titles.single))
                held.append(load(server, options.clients, TURN_SECONDS, titles.held))
                ceiling.append(load(constant, options.clients, TURN_SECONDS, titles.single))
    print(
        f"{options.clients} clients, {options.workers} worker(s), {titles.count:,} titles in the"
        " database\n"
    )
    print(HEADER)
    show("mixed, single requests", [mixed], SINGLE)
    show("mixed, batches of ten", [mixed], BATCH)
    show("single look-ups, the mix", single, SINGLE)
    show("single look-ups, titles as held", held, SINGLE)
    show("the same app, a constant (ceiling)", ceiling, SINGLE)
    print(
        f"\nof the ceiling: {share(single, ceiling)} with the mix, {share(held, ceiling)} with"
        " titles as held"
    )
    equal = all(counters[name] == value for name, value in mixed.counters.items())
    print(f"the server's counters equal the clients' own: {equal}")
    return 0 if equal and not any(tally.failures for tally in (mixed, *single, *held)) else 1


def share(turns: list[Tally], ceilings: list[Tally]) -> str:
    """Return the share of the ceiling's rate, over all turns and over the middle half of them."""
    of_each = sorted(
        turn.requests() / ceiling.requests() for turn, ceiling in zip(turns, ceilings, strict=True)
    )
    middle = of_each[len(of_each) // 4], of_each[-1 - len(of_each) // 4]
    whole = sum(turn.requests() for turn in turns) / sum(turn.requests() for turn in ceilings)
    return (
        f"{whole:.0%} ({middle[0]:.0%} to {middle[1]:.0%} in the middle half of {len(turns)} turns)"
    )


def show(name: str, turns: list[Tally], path: str) -> None:
    """Print one row of the table."""
    times = sorted(seconds for turn in turns for seconds in turn.seconds[path])
    titles = (
        len(times)
        if path == SINGLE
        else sum(turn.counters["batch_search_items_total"] for turn in turns)
    )
    seconds = sum(turn.duration for turn in turns)
    p50, p99 = (1000 * statistics.quantiles(times, n=100)[place] for place in (49, 98))
    rates = f"{len(times) / seconds:.0f} | {titles / seconds:.0f} | {p50:.1f} | {p99:.1f}"
    cost = (
        1000
        * sum(turn.processor_seconds for turn in turns)
        / sum(turn.requests() for turn in turns)
    )
    print(f"| {name} | {rates} | {cost:.2f} | {sum(turn.failures for turn in turns)} |")


if __name__ == "__main__":
    sys.exit(main())
