"""Start-up cost of each command, beside the import of libraries that it needs.

    python -m benchmarks.start --database dblp.db [--entries N] [--turns N]

The commands take turns, each in a new process. The table has the minimum processor time and the
minimum wall time of all turns, and the ratio of processor time to that of `python -c "import numpy,
pydantic"`. `first of N` is the time to the first line of a JSONL report of N entries, whose process
is then ended; the bibliography is that of `benchmarks.bibliographies`, whose works no database has.
`replay` decides N/100 kept verdicts again.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from benchmarks.bibliographies import document, works

CITEPROOF = ("-m", "citeproof")


@dataclass(slots=True)
class Costs:
    """Seconds of processor time and wall time of one command, one value per turn."""

    processor: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--database", type=Path, required=True, help="built by `citeproof db build`"
    )
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        commands = _commands(Path(folder), arguments.database, arguments.entries)
        costs = {name: Costs() for name in commands}
        for _ in range(arguments.turns):
            for name, command in commands.items():
                processor, clock = _run(command, first=name.startswith("first"))
                costs[name].processor.append(processor)
                costs[name].clock.append(clock)
    beside = min(costs["import numpy, pydantic"].processor)
    print("| command | processor time | by the clock | beside the imports |")
    print("|---|---|---|---|")
    for name, cost in costs.items():
        least = min(cost.processor)
        print(f"| {name} | {least:.2f} s | {min(cost.clock):.2f} s | {least / beside:.1f} |")


def _commands(folder: Path, database: Path, entries: int) -> dict[str, tuple[str, ...]]:
    """Return each command by its name in the table, with the files that it needs in ``folder``."""
    for name, count in (("one", 1), ("many", entries), ("kept", entries // 100)):
        (folder / f"{name}.bib").write_bytes(document("bibtex", works(count)).data)
    offline = ("--no-cache", "--bib-db", str(database))
    evidence = str(folder / "evidence.jsonl")
    verify = (*CITEPROOF, "verify", *offline, "--format", "jsonl")
    _run((*verify, str(folder / "kept.bib"), "--evidence", evidence), first=False)
    return {
        "import numpy, pydantic": ("-c", "import numpy, pydantic"),
        "citeproof --version": (*CITEPROOF, "--version"),
        "citeproof --help": (*CITEPROOF, "--help"),
        "citeproof lookup": (
            *CITEPROOF,
            "lookup",
            "On the speed of starting",
            "--bib-db",
            str(database),
        ),
        "citeproof verify, 1 entry": (*verify, str(folder / "one.bib")),
        f"first of {entries:,}": (*verify, str(folder / "many.bib")),
        f"citeproof replay of {entries // 100:,}": (*CITEPROOF, "replay", evidence),
    }


def _run(command: tuple[str, ...], *, first: bool) -> tuple[float, float]:
    """Return the processor time and the time of ``command``, or of its ``first`` line alone."""
    began = perf_counter()
    process = subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE if first else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    if process.stdout:
        process.stdout.readline()
        seconds = perf_counter() - began
        process.kill()
        process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, seconds if first else perf_counter() - began


if __name__ == "__main__":
    main()
