"""Cost of a report of many references: first line, time, memory and size.

    python -m benchmarks.reports --database dblp.db [--entries N] [--formats table,html,...]

The works are generated and in no database. `first line` is the time of the first output; `memory`
is the peak private memory of all processes together, beside that of the writing process. Shared
pages of the database are not counted.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.memory import INTERVAL, family, private

SEED = 20261122
FORMATS = ("jsonl", "json", "csv", "html", "markdown", "table", "sarif", "junit", "github")
ENTRY = """@article{{k{0},
  title = {{A study of {1} lamps in {2} rooms}},
  author = {{Abe, K. and Rios, Z.}},
  year = 2020,
  journal = {{J. Lamps}},
  doi = {{10.5555/{0}}}
}}
"""


@dataclass(slots=True)
class Cost:
    """Cost of one report, in wall seconds and megabytes (2**20 bytes)."""

    first: float = 0.0
    whole: float = 0.0
    memory: float = 0.0
    """Peak memory of all processes together."""
    writer: float = 0.0
    """Peak memory of the process that writes the report."""
    size: float = 0.0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--database", type=Path, required=True, help="built by `citeproof db build`"
    )
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--formats", default=",".join(FORMATS))
    arguments = parser.parse_args()
    print("| report | first line | whole | memory of all processes | of the writer | size |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        bibliography = Path(folder, "many.bib")
        bibliography.write_text(_bibtex(arguments.entries))
        for name in arguments.formats.split(","):
            cost = _cost(name, bibliography, arguments.database)
            print(
                f"| {name} | {cost.first:.1f} s | {cost.whole:.0f} s | {cost.memory:.0f} MB |"
                f" {cost.writer:.0f} MB | {cost.size:.1f} MB |",
                flush=True,
            )


def _bibtex(count: int) -> str:
    choice = random.Random(SEED)
    return "\n".join(
        ENTRY.format(number, choice.randrange(1_000_000), choice.randrange(1_000_000))
        for number in range(count)
    )


def _cost(report: str, bibliography: Path, database: Path) -> Cost:
    """Return the cost of the report format ``report``."""
    cost = Cost()
    written = bibliography.with_suffix(f".{report}")
    settings = ("--no-cache", "--bib-db", str(database), "--format", report, "--fail-on", "never")
    began = time.perf_counter()
    with written.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "citeproof", "verify", str(bibliography), *settings],
            stdout=out,
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None:
            if not cost.first and written.stat().st_size:
                cost.first = time.perf_counter() - began
            held = {pid: private(pid) for pid in family(process.pid)}
            cost.memory = max(cost.memory, sum(held.values()))
            cost.writer = max(cost.writer, held[process.pid])
            time.sleep(INTERVAL)
    cost.whole = time.perf_counter() - began
    cost.size = written.stat().st_size / 2**20
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return cost


if __name__ == "__main__":
    main()
