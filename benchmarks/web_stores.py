"""Searches a second of the web service with one and two processes, over a store in SQLite and in
PostgreSQL.

    python -m benchmarks.web_stores --bib-db dblp.db --postgres
    postgresql://user:password@host/database

Over SQLite two processes are the workers of one host, over PostgreSQL two hosts with a process
each, between which the clients are shared out. They take turns of two seconds, so that whatever
else the machine does meets them alike. The mix is that of `web_load.py`, single searches alone.
Fails when one fails, or when a store has counted something else.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.web_client import SINGLE, Tally, run_clients
from benchmarks.web_load import HEADER, show
from benchmarks.web_server import TURN_SECONDS, Server, figures, serving
from benchmarks.web_titles import Titles

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class Setting:
    """Some hosts over one store, and what their clients counted in each turn."""

    name: str
    store: str
    hosts: tuple[Server, ...]
    turns: list[Tally] = field(default_factory=list)

    def turn(self, clients: int, choose: Callable[[], tuple[str, dict[str, Any]]]) -> None:
        """Let ``clients`` search for a turn, shared out between the hosts."""
        before = sum(host.processor_seconds() for host in self.hosts)
        total = Tally(duration=TURN_SECONDS)
        for tally in asyncio.run(self._together(clients // len(self.hosts), choose)):
            total.seconds[SINGLE] += tally.seconds[SINGLE]
            total.failures += tally.failures
        total.processor_seconds = sum(host.processor_seconds() for host in self.hosts) - before
        self.turns.append(total)

    async def _together(
        self, clients: int, choose: Callable[[], tuple[str, dict[str, Any]]]
    ) -> list[Tally]:
        return await asyncio.gather(
            *(run_clients(host.port, clients, TURN_SECONDS, choose) for host in self.hosts)
        )


def main() -> int:
    """Print the table; return 1 when a request failed or a counter differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bib-db", type=Path, required=True)
    parser.add_argument(
        "--postgres", default="", help="address of a PostgreSQL server whose schema is empty"
    )
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    titles = Titles(options.bib_db, random.Random(options.seed))
    with ExitStack() as open_:
        folder = open_.enter_context(tempfile.TemporaryDirectory())

        def host(store: str, workers: int = 1) -> Server:
            arguments = [
                "--bib-db",
                str(options.bib_db),
                "--runtime-store",
                store,
                "--workers",
                str(workers),
                "--port",
            ]
            return open_.enter_context(serving("citeproof", "serve", *arguments))

        alone, several = f"{folder}/one.db", f"{folder}/two.db"
        settings = [
            Setting("SQLite, one process", alone, (host(alone),)),
            Setting("SQLite, one host with two processes", several, (host(several, 2),)),
        ]
        if options.postgres:
            hosts = host(options.postgres), host(options.postgres)
            settings.append(Setting("PostgreSQL, one host", options.postgres, hosts[:1]))
            settings.append(Setting("PostgreSQL, two hosts", options.postgres, hosts))
        for _ in range(max(2, round(options.seconds / len(settings) / TURN_SECONDS))):
            for setting in settings:
                setting.turn(options.clients, titles.single)
        agree = counters_agree(settings)
    print(HEADER)
    for setting in settings:
        show(setting.name, setting.turns, SINGLE)
    print(f"the stores' counters equal the clients' own: {agree}")
    return (
        0
        if agree and not any(tally.failures for setting in settings for tally in setting.turns)
        else 1
    )


def counters_agree(settings: list[Setting]) -> bool:
    """Say whether each store has counted as many searches as the clients of its settings."""
    counted: dict[str, int] = {}
    for setting in settings:
        counted[setting.store] = counted.get(setting.store, 0) + sum(
            tally.requests() for tally in setting.turns
        )
    return all(
        figures(setting.hosts[0].port)["counters"]["single_search_requests"]
        == counted[setting.store]
        for setting in settings
    )


if __name__ == "__main__":
    sys.exit(main())
