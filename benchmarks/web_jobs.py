"""Verification jobs: how soon the first verdict is there, how long a job takes, and what it costs
those who look up.

    python -m benchmarks.web_load --bib-db dblp.db --jobs

1. A job of 1,000 references as BibTeX, read by its events: from sending the document to the first
   verdict, and to the
   end. In turns with `citeproof verify --processes 1` of the same file, by the clock and by
   processor time; a job
   also corrects the bibliography, which `citeproof verify` does not.
2. Single look-ups by 32 clients, and by one, in turns of two seconds: alone, beside four long jobs,
   and beside the
   control: as many processes that count, and share nothing with the service.

A client alone leaves the processors to others between its look-ups and finds them busy and their
caches cold at each, whoever the others are. So its aim is a share of what it gets beside the
control: what jobs may cost beyond that.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from benchmarks.web_client import SINGLE, Tally
from benchmarks.web_control import counting
from benchmarks.web_server import TURN_SECONDS, Server, load, serving

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from benchmarks.web_titles import Titles

JOB_TURNS = 3
LONG_JOB = 5_000
"""References of a job that is still at work when a turn ends."""
LONG_JOBS = 4
SETTLING_SECONDS = 1.0
"""Long jobs are read before they are verified; the look-ups are counted from here on."""
ALONE, CONTROL, JOBS = "alone", "beside the control", "with jobs"
LOOKUPS = """| | rate | of alone | of the control's | p50 ms | p99 ms |
|---|---|---|---|---|---|"""
FIRST_SECONDS, JOB_RATIO, LOOKUP_SHARE = 0.5, 1.3, 0.8
"""The aims; the last of 32 clients beside what they get alone, and of one beside what it gets
beside the control.
"""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run of some references took, in seconds."""

    clock: float
    processor: float
    first: float = 0.0
    """Until the first verdict was read."""


def measure(options: argparse.Namespace, titles: Titles) -> int:
    """Print the three figures; return 1 where a job did not end well or an aim is missed."""
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
        with serving("citeproof", "serve", *arguments, "--port") as server:
            turns = [_turn(server, options, titles, Path(folder)) for _ in range(JOB_TURNS)]
            long_job = titles.bibtex(LONG_JOB)
            aims = [_report_jobs(turns, options.references)]
            print(f"\nsingle look-ups, in turns of {TURN_SECONDS:.0f} s\n\n{LOOKUPS}")
            for clients, beside in ((options.clients, ALONE), (1, CONTROL)):
                aims.append(
                    _report_lookups(server, clients, options.seconds / 2, titles, long_job, beside)
                )
    return 0 if all(aims) else 1


def _turn(
    server: Server, options: argparse.Namespace, titles: Titles, folder: Path
) -> tuple[Spent, Spent]:
    """Return what a job takes, and the command line for the same references."""
    text = titles.bibtex(options.references)
    job = run_job(server, text, options.references)
    path = folder / "references.bib"
    path.write_text(text, "utf-8")
    return job, run_command(options.bib_db, path)


def run_job(server: Server, text: str, references: int) -> Spent:
    """Send ``text`` and read each verdict as it comes."""
    before, started = server.processor_seconds(), time.perf_counter()
    job_id = send(server, text)
    connection = HTTPConnection("127.0.0.1", server.port, timeout=600)
    connection.request("GET", f"/api/jobs/{job_id}/events")
    first, done = 0.0, 0
    for line in connection.getresponse():
        if line == b"event: verdict\n":
            first = first or time.perf_counter() - started
            done += 1
        if line == b"event: end\n":
            break
    clock = time.perf_counter() - started
    connection.close()
    if done != references:
        raise SystemExit(f"the job ended with {done} verdicts on {references} references")
    return Spent(clock, server.processor_seconds() - before, first)


def run_command(database: Path, path: Path) -> Spent:
    """Verify the file at ``path`` on the command line."""
    command = [sys.executable, "-m", "citeproof", "verify", str(path), "--bib-db", str(database)]
    report = str(path.with_suffix(".json"))
    command += [
        "--no-cache",
        "--processes",
        "1",
        "--format",
        "json",
        "-o",
        report,
        "--fail-on",
        "never",
    ]
    before, started = os.times(), time.perf_counter()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    clock, after = time.perf_counter() - started, os.times()
    return Spent(clock, sum(after[2:4]) - sum(before[2:4]))


def send(server: Server, text: str) -> str:
    """Send BibTeX and return the job's id."""
    return str(request(server, "POST", "/api/verify", {"bibtex": text})["id"])


def request(server: Server, method: str, path: str, body: Any = None) -> Any:
    """Return what the server answers; {} for an answer without a body."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request(method, path, json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    if answer.status >= 300:
        raise SystemExit(f"{method} {path} was answered with {answer.status}")
    return json.loads(content) if content else {}


@contextmanager
def jobs_at_work(server: Server, text: str) -> Iterator[None]:
    """Have long jobs at work, and none of them afterwards."""
    started = [send(server, text) for _ in range(LONG_JOBS)]
    time.sleep(SETTLING_SECONDS)
    yield
    ended = [
        request(server, "GET", f"/api/jobs/{job_id}?first=1000000")["ended"] for job_id in started
    ]
    for job_id in started:
        request(server, "DELETE", f"/api/jobs/{job_id}")
    time.sleep(SETTLING_SECONDS)
    if any(ended):
        raise SystemExit("a long job ended within its turn; the figures would say too little")


def _report_jobs(turns: list[tuple[Spent, Spent]], references: int) -> bool:
    firsts = sorted(job.first for job, _ in turns)
    by_clock, by_processor = (
        sorted(getattr(job, what) / getattr(command, what) for job, command in turns)
        for what in ("clock", "processor")
    )
    jobs, commands = ([turn[which] for turn in turns] for which in (0, 1))
    print(
        f"{len(turns)} jobs of {references:,} references, in turns with citeproof verify"
        " --processes 1\n"
    )
    print("| | median | from | to | aim |")
    print("|---|---|---|---|---|")
    shares = sorted(job.first / job.clock for job, _ in turns)
    print(
        f"| first verdict, s | {median(firsts):.2f} | {firsts[0]:.2f} | {firsts[-1]:.2f} |"
        f" {FIRST_SECONDS} |"
    )
    print(
        f"| first verdict, share of its job | {median(shares):.1%} | {shares[0]:.1%} |"
        f" {shares[-1]:.1%} | |"
    )
    for name, ratios in (("by the clock", by_clock), ("processor time", by_processor)):
        print(
            f"| job beside command, {name} | {median(ratios):.2f} | {ratios[0]:.2f} |"
            f" {ratios[-1]:.2f} | {JOB_RATIO} |"
        )
    for name, spent in (("a job", jobs), ("the command", commands)):
        clock, processor = (
            median(one.clock for one in spent),
            median(one.processor for one in spent),
        )
        print(
            f"\n{name}: {clock:.1f} s by the clock, {processor:.1f} s of processor time (medians)"
        )
    return median(firsts) <= FIRST_SECONDS and median(by_clock) <= JOB_RATIO


def _report_lookups(
    server: Server, clients: int, seconds: float, titles: Titles, long_job: str, beside: str
) -> bool:
    """Print what ``clients`` get alone, beside the control and with jobs; say whether the last is
    enough.

    ``beside`` names what it is compared with.
    """
    loads: dict[str, AbstractContextManager[None]]
    turns: dict[str, list[Tally]] = {ALONE: [], CONTROL: [], JOBS: []}
    for _ in range(max(1, round(seconds / 2 / TURN_SECONDS))):
        loads = {
            ALONE: nullcontext(),
            CONTROL: counting(LONG_JOBS),
            JOBS: jobs_at_work(server, long_job),
        }
        for name, other in loads.items():
            with other:
                turns[name].append(load(server, clients, TURN_SECONDS, titles.single))
    rates = {name: sum(turn.requests() for turn in some) for name, some in turns.items()}
    for name, some in turns.items():
        times = [1000 * each for turn in some for each in turn.seconds[SINGLE]]
        cuts = quantiles(times, n=100)
        rate = rates[name] / sum(turn.duration for turn in some)
        columns = [
            f"{clients} clients, {name}",
            f"{rate:.0f}/s",
            f"{rates[name] / rates[ALONE]:.0%}",
        ]
        columns += [
            f"{rates[name] / rates[CONTROL]:.0%}",
            *(f"{cuts[place]:.1f}" for place in (49, 98)),
        ]
        print(f"| {' | '.join(columns)} |")
    enough = rates[JOBS] >= LOOKUP_SHARE * rates[beside]
    return enough and not any(turn.failures for some in turns.values() for turn in some)
