"""The web service under a mixed load for a long time: what each of its processes holds, minute by
minute.

    python -m benchmarks.web_soak --bib-db dblp.db --minutes 30

Titles and batches come at a bounded rate (`--rate`), one request in ten is a batch of ten titles.
Beside them a job of 100 references is sent every four seconds, looked at until it has ended, and
its report fetched; and a `.bib` of 60 every six, whose events are read to the end, its report as a
page fetched, and the job deleted.

Memory is what a process holds for itself (`RssAnon`): pages of the mapped database come and go with
the system's cache. Of the processes that do one job each, the largest of the minute counts. Left
out of the slope are the first third and the first 30,000 answers, in which each kind of report was
made, and each kind of title looked up, about as often at once as it ever will be. It fails when
memory grows, when too little is left to say so, when a request fails, or when the counters are not
what the clients counted.

It ends by itself, five minutes after its time at the latest, and leaves neither a process nor a
file behind, also where it is told to end (SIGTERM, Ctrl-C). A run of fewer than eight minutes
cannot say whether memory grows, and fails.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from benchmarks.memory import family, private
from benchmarks.web_client import SINGLE
from benchmarks.web_server import Server, figures, serving
from benchmarks.web_titles import Titles

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

JOB_REFERENCES, JOB_SECONDS = 100, 4.0
UPLOAD_REFERENCES, UPLOAD_SECONDS = 60, 6.0
DOCUMENTS = 40
"""Of each kind, sent again and again: making them would cost more than the rest of the clients."""
MOST_AT_ONCE = 64
"""Searches that are under way; one more waits, which lowers the rate."""
LOOK_SECONDS = 1.0
KEPT_SECONDS = 2.0
"""How long a client keeps a connection that it does not use; the server closes it after five."""
FILLING = 30_000
"""Answers after which nothing is filled any more."""
SHOWN = (5, 10, 20, 30)
"""Minutes of which the verdict names the figures."""
LATEST = 300.0
"""Seconds beyond its time after which a run is given up: a server that answers nothing any more is
a fault too.
"""
FEWEST_MINUTES = 5
"""Of a slope."""
GROWTH = 0.03
"""So much more at the end, by the slope, still counts as constant: freed memory is not given back
at once.
"""
GROWTH_MEGABYTES = 2.0
"""Or so much, for small processes."""
ROLES = {"web.searcher": "search process", "jobs.worker": "workers of jobs"}
ONE_JOB = "one job"
SERVER = "server"


def main() -> int:
    """Run the load, print the table and the verdict; return 1 when something grows, fails or
    differs.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bib-db", type=Path, required=True)
    parser.add_argument("--minutes", type=int, default=30)
    parser.add_argument("--rate", type=float, default=50, help="searches a second")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument(
        "--runtime-store", default="", help="a file, or the address of a PostgreSQL server"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    # it ends the server too
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    with tempfile.TemporaryDirectory() as folder:
        store = options.runtime_store or str(Path(folder) / "runtime.db")
        arguments = [
            "--bib-db",
            str(options.bib_db),
            "--runtime-store",
            store,
            "--workers",
            str(options.workers),
        ]
        with serving("citeproof", "serve", *arguments, "--port") as server:
            load = Load(server.port, options.bib_db, options.rate, random.Random(options.seed))
            try:
                minutes = asyncio.run(
                    asyncio.wait_for(
                        load.run(server, options.minutes), 60 * options.minutes + LATEST
                    )
                )
            except TimeoutError:
                print(f"given up: the service still answered nothing {LATEST:.0f} s after the end")
                return 1
            except KeyboardInterrupt:
                print("stopped before its time")
                return 130
            counters = figures(server.port)["counters"]
    filled = filled_after(minutes)
    rest = minutes[filled:]
    _show_growth(minutes, filled)
    grows = [
        role
        for role in minutes[0].megabytes
        if not steady(role, [minute.megabytes[role] for minute in rest])
    ]
    differing = {
        name: (counters[name], count)
        for name, count in load.counters.items()
        if counters[name] != count
    }
    print(
        f"\n{load.counters.total():,} counted, differing from the server's: {differing or 'none'}"
    )
    print(f"failures: {load.failures}{''.join(f'; {said}' for said in load.said[:5])}")
    known = len(rest) >= FEWEST_MINUTES
    verdict = (
        ("grows: " + ", ".join(grows) if grows else "constant")
        if known
        else "not known, the caches still filled"
    )
    print(f"memory: {verdict}")
    return 1 if grows or not known or differing or load.failures else 0


def _show_growth(minutes: list[Minute], filled: int) -> None:
    """Print what each kind of process held at some minutes, and by how much that grew once caches
    were full.
    """
    shown = [minute for minute in SHOWN if minute <= len(minutes)] or [len(minutes)]
    known = 0 < filled < len(minutes)
    print(
        "\n| MB after | "
        + " | ".join(f"{minute} min" for minute in shown)
        + " | grown since caches were full | bytes an answer |"
    )
    print("|---|" + "---|" * (len(shown) + 2))
    answered = sum(minute.answered for minute in minutes[filled:])
    for role in minutes[0].megabytes:
        held_then = [minute.megabytes[role] for minute in minutes]
        grown, each = "not known", "not known"
        if known:
            more = held_then[-1] - held_then[filled - 1]
            grown, each = f"{more:+.1f}", f"{more * 2**20 / max(1, answered):+.0f}"
        then = " | ".join(f"{held_then[minute - 1]:.1f}" for minute in shown)
        print(f"| {role} | {then} | {grown} | {each} |")
    print()


@dataclass
class Minute:
    """What one minute brought."""

    megabytes: dict[str, float]
    answered: int


def filled_after(minutes: list[Minute]) -> int:
    """Return after how many minutes the slope begins."""
    answered = list(itertools.accumulate(minute.answered for minute in minutes))
    return max(len(minutes) // 3, sum(so_far < FILLING for so_far in answered))


def steady(role: str, megabytes: list[float]) -> bool:
    """Print the slope of what a kind of process holds, and say whether it is none."""
    if len(megabytes) < FEWEST_MINUTES:
        return True
    slope = statistics.linear_regression(range(len(megabytes)), megabytes).slope
    mean, grown = statistics.mean(megabytes), slope * (len(megabytes) - 1)
    print(
        f"{role}: {mean:.1f} MB on average, {slope * 60:+.1f} MB an hour, {grown:+.1f} in"
        f" {len(megabytes)} minutes"
    )
    return grown <= max(GROWTH * mean, GROWTH_MEGABYTES)


@dataclass
class Load:
    """The clients, and what they counted."""

    port: int
    database: Path
    rate: float
    chance: random.Random
    counters: Counter[str] = field(default_factory=Counter)
    failures: int = 0
    said: list[str] = field(default_factory=list)
    answered: int = 0

    async def run(self, server: Server, minutes: int) -> list[Minute]:
        """Send requests for so many minutes, and print what the processes hold after each."""
        titles = Titles(self.database, self.chance)
        jobs = [titles.bibtex(JOB_REFERENCES) for _ in range(DOCUMENTS)]
        uploads = [titles.bibtex(UPLOAD_REFERENCES) for _ in range(DOCUMENTS)]
        limits = httpx.Limits(keepalive_expiry=KEPT_SECONDS)
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{self.port}", timeout=120, limits=limits
        ) as client:
            beside = [
                asyncio.create_task(self._search(client, titles.mixed)),
                asyncio.create_task(
                    self._every(JOB_SECONDS, lambda: self._job(client, self.chance.choice(jobs)))
                ),
                asyncio.create_task(
                    self._every(
                        UPLOAD_SECONDS, lambda: self._upload(client, self.chance.choice(uploads))
                    )
                ),
            ]
            found = await self._watch(server, minutes)
            self._stopping = True
            await asyncio.gather(*beside)
        return found

    _stopping = False

    async def _watch(self, server: Server, minutes: int) -> list[Minute]:
        found: list[Minute] = []
        for minute in range(1, minutes + 1):
            before, largest = self.answered, 0.0
            end = time.monotonic() + 60
            while time.monotonic() < end:
                largest = max(largest, held(server.pid).get(ONE_JOB, 0.0))
                await asyncio.sleep(LOOK_SECONDS)
            megabytes = held(server.pid) | {ONE_JOB: largest}
            if minute == 1:
                print("| minute | answered |", " | ".join(f"{role} MB" for role in megabytes), "|")
                print("|---|---|" + "---|" * len(megabytes))
            found.append(Minute(megabytes, self.answered - before))
            columns = " | ".join(f"{size:.1f}" for size in megabytes.values())
            print(f"| {minute} | {found[-1].answered} | {columns} |", flush=True)
        return found

    async def _search(
        self, client: httpx.AsyncClient, choose: Callable[[], tuple[str, dict[str, Any]]]
    ) -> None:
        under_way: set[asyncio.Task[None]] = set()
        begun = time.monotonic()
        for number in itertools.count():
            if self._stopping:
                break
            await asyncio.sleep(begun + number / self.rate - time.monotonic())
            if len(under_way) >= MOST_AT_ONCE:
                await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            task = asyncio.create_task(self._counted(self._title(client, *choose())))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
        await asyncio.gather(*under_way)

    async def _title(self, client: httpx.AsyncClient, path: str, body: dict[str, Any]) -> None:
        answer = (await client.post(path, json=body)).raise_for_status().json()
        if path == SINGLE:
            self.counters.update(single_search_requests=1, single_search_found=int(answer["found"]))
        else:
            summary = answer["summary"]
            self.counters.update(
                batch_search_requests=1,
                batch_search_items_total=summary["total_processed"],
                batch_search_found_total=summary["found_count"],
            )

    async def _job(self, client: httpx.AsyncClient, text: str) -> None:
        job = (await client.post("/api/verify", json={"bibtex": text})).raise_for_status().json()
        while not job["ended"]:
            await asyncio.sleep(0.3)
            job = (
                (await client.get(f"/api/jobs/{job['id']}?first={JOB_REFERENCES}"))
                .raise_for_status()
                .json()
            )
        self._ended(job, JOB_REFERENCES)
        form = self.chance.choice(["json", "html", "csv", "sarif"])
        (await client.get(f"/api/jobs/{job['id']}/report.{form}")).raise_for_status()

    async def _upload(self, client: httpx.AsyncClient, text: str) -> None:
        answer = await client.post("/api/verify", files={"file": ("refs.bib", text.encode())})
        address = f"/api/jobs/{answer.raise_for_status().json()['id']}"
        async with client.stream("GET", f"{address}/events") as events:
            told = sum([line.startswith("event: verdict") async for line in events.aiter_lines()])
        job = (await client.get(f"{address}?first={UPLOAD_REFERENCES}")).raise_for_status().json()
        self._ended(job, UPLOAD_REFERENCES)
        if told != UPLOAD_REFERENCES:
            raise ValueError(f"{told} events of {UPLOAD_REFERENCES} references")
        (await client.get(f"{address}/report.html")).raise_for_status()
        (await client.delete(address)).raise_for_status()

    def _ended(self, job: dict[str, Any], references: int) -> None:
        self.counters.update(verify_jobs=1, verify_references=references)
        if job["state"] != "finished" or sum(job["by_status"].values()) != references:
            raise ValueError(f"job {job['state']}: {job['by_status']} {job['reason']}")

    async def _every(self, seconds: float, start: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while not self._stopping:
            begun = time.monotonic()
            await self._counted(start())
            await asyncio.sleep(max(0.0, begun + seconds - time.monotonic()))

    async def _counted(self, request: Coroutine[Any, Any, None]) -> None:
        try:
            await request
            self.answered += 1
        except (httpx.HTTPError, ValueError, KeyError) as error:
            self.failures += 1
            self.said.append(f"{type(error).__name__}: {error}")


def held(pid: int) -> dict[str, float]:
    """Return what the processes of a service hold for themselves, in megabytes, by what they
    are.
    """
    sizes: dict[str, float] = {}
    for member in family(pid):
        try:
            command = Path(f"/proc/{member}/cmdline").read_text("utf-8", "replace")
        except OSError:  # it has just ended
            continue
        role = next((role for word, role in ROLES.items() if word in command), SERVER)
        if "jobs.worker" in command:
            sizes[ONE_JOB] = max(sizes.get(ONE_JOB, 0.0), private(member))
        sizes[role] = sizes.get(role, 0.0) + private(member)
    return sizes


if __name__ == "__main__":
    sys.exit(main())
