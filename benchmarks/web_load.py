"""The web service under load: a real server, real sockets, 32 clients; beside it the same app answering a constant.

    python -m benchmarks.web_load --bib-db dblp.db

Of the titles 75 in 100 are as the database holds them, 15 damaged (a wrong letter or a word dropped), 10 absent
(recombined from two of its titles): the mix of `title_lookup.py`. One request in ten is a batch of ten titles.
Afterwards the server's counters must equal what the clients counted. Then single look-ups alone, the same mix, titles
as held and the ceiling, in turns of two seconds, so that whatever else the machine does meets them alike: a third of
the time each.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks.web_client import BATCH, SINGLE, Tally, run_clients
from citeproof.bibdb.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BATCH_TITLES = 10
TURN_SECONDS = 2.0
SAMPLE = 20_000


def main() -> int:
    """Run the three loads and print the table; return 1 when a request failed or a counter differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bib-db", type=Path, required=True)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    titles = Titles(options.bib_db, random.Random(options.seed))

    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "runtime.db")
        arguments = ["--bib-db", str(options.bib_db), "--runtime-store", store, "--workers", str(options.workers)]
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
    print(f"{options.clients} clients, {options.workers} worker(s), {titles.count:,} titles in the database\n")
    print("| load | requests/s | titles/s | p50 ms | p99 ms | server's CPU ms a request | failures |")
    print("|---|---|---|---|---|---|---|")
    show("mixed, single requests", [mixed], SINGLE)
    show("mixed, batches of ten", [mixed], BATCH)
    show("single look-ups, the mix", single, SINGLE)
    show("single look-ups, titles as held", held, SINGLE)
    show("the same app, a constant (ceiling)", ceiling, SINGLE)
    print(f"\nof the ceiling: {share(single, ceiling)} with the mix, {share(held, ceiling)} with titles as held")
    equal = all(counters[name] == value for name, value in mixed.counters.items())
    print(f"the server's counters equal the clients' own: {equal}")
    return 0 if equal and not any(tally.failures for tally in (mixed, *single, *held)) else 1


def load(server: Server, clients: int, seconds: float, choose: Callable[[], tuple[str, dict[str, Any]]]) -> Tally:
    """Return what ``clients`` counted in ``seconds``."""
    before = server.processor_seconds()
    tally = asyncio.run(run_clients(server.port, clients, seconds, choose))
    tally.processor_seconds = server.processor_seconds() - before
    return tally


def share(turns: list[Tally], ceilings: list[Tally]) -> str:
    """Return the share of the ceiling's rate, over all turns and over the middle half of them."""
    of_each = sorted(turn.requests() / ceiling.requests() for turn, ceiling in zip(turns, ceilings, strict=True))
    middle = of_each[len(of_each) // 4], of_each[-1 - len(of_each) // 4]
    whole = sum(turn.requests() for turn in turns) / sum(turn.requests() for turn in ceilings)
    return f"{whole:.0%} ({middle[0]:.0%} to {middle[1]:.0%} in the middle half of {len(turns)} turns)"


class Titles:
    """Titles to ask for, drawn with a seed."""

    def __init__(self, path: Path, chance: random.Random) -> None:
        self._chance = chance
        with Database.open(path) as database:
            titles = [title for _, title in database.titles()]
        self.count = len(titles)
        self._titles = chance.sample(titles, min(SAMPLE, len(titles)))

    def single(self) -> tuple[str, dict[str, Any]]:
        """Return a single search."""
        return SINGLE, {"title": self._one()}

    def held(self) -> tuple[str, dict[str, Any]]:
        """Return a single search for a title as the database holds it."""
        return SINGLE, {"title": self._chance.choice(self._titles)}

    def mixed(self) -> tuple[str, dict[str, Any]]:
        """Return a batch one time in ten, else a single search."""
        if self._chance.random() < 0.1:
            return BATCH, {"titles": [self._one() for _ in range(BATCH_TITLES)]}
        return self.single()

    def _one(self) -> str:
        title = self._chance.choice(self._titles)
        words = title.split()
        kind = self._chance.random()
        if kind < 0.75:
            return title
        if kind < 0.83:
            place = self._chance.randrange(len(title))
            return (title[:place] + "x" + title[place + 1 :]).strip() or "x"
        if kind < 0.9:
            words.pop(self._chance.randrange(len(words)))
            return " ".join(words) or "x"
        other = self._chance.choice(self._titles).split()
        return " ".join(words[: len(words) // 2 + 1] + other[len(other) // 2 :])


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    pid: int
    port: int

    def processor_seconds(self) -> float:
        """Return the processor time that it and its workers have used, on Linux; 0 elsewhere."""
        try:
            return _processor_seconds(str(self.pid))
        except OSError:
            return 0.0


def _processor_seconds(pid: str) -> float:
    """Return what a process has used, and those that it has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))
    return own + sum(map(_processor_seconds, children))


@contextmanager
def serving(module: str, *arguments: str) -> Iterator[Server]:
    """Run a server module in a process of its own."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", module, *arguments, str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                figures(port, "/api/health")
                break
            except (URLError, ConnectionError):
                time.sleep(0.1)
        yield Server(process.pid, port)
    finally:
        process.terminate()
        process.wait()


def figures(port: int, path: str = "/api/runtime/stats") -> Any:
    """Return what the server says at ``path``."""
    with urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
        return json.loads(answer.read())


def show(name: str, turns: list[Tally], path: str) -> None:
    """Print one row of the table."""
    times = sorted(seconds for turn in turns for seconds in turn.seconds[path])
    titles = len(times) if path == SINGLE else sum(turn.counters["batch_search_items_total"] for turn in turns)
    seconds = sum(turn.duration for turn in turns)
    p50, p99 = (1000 * statistics.quantiles(times, n=100)[place] for place in (49, 98))
    rates = f"{len(times) / seconds:.0f} | {titles / seconds:.0f} | {p50:.1f} | {p99:.1f}"
    cost = 1000 * sum(turn.processor_seconds for turn in turns) / sum(turn.requests() for turn in turns)
    print(f"| {name} | {rates} | {cost:.2f} | {sum(turn.failures for turn in turns)} |")


if __name__ == "__main__":
    sys.exit(main())
