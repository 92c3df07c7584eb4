"""Time and memory of building a database from a dump, compared with decompressing and parsing the
file.

    python -m benchmarks.build dblp-sample.xml.gz

The rows are measured one after the other, each in a new process, on the same file. Processor time
is that of all processes of a row, so other programs on the machine hardly change it; wall time is
how long a user waits. A row "on one core" uses only one core. Each ratio is the processor time
divided by that of the row of handlers in Python: decompress the file, parse it with
``xml.parsers.expat``, collect the fields of every record, and drop them. Memory is that of the
largest process.
"""

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from xml.parsers import expat

from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import TitleIndexer

CHUNK_BYTES = 1 << 18
DEPTH_OF_RECORDS = 2


def decompress(dump: Path) -> int:
    """Only decompress."""
    with gzip.open(dump) as file:
        while file.read(CHUNK_BYTES):
            pass
    return 0


def collect(dump: Path) -> int:
    """Decompress, parse and collect the fields of each record with handlers in Python."""
    records = depth = 0
    fields: list[tuple[str, str]] = []
    text: list[str] = []

    def start(_: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        text.clear()

    def end(name: str) -> None:
        nonlocal depth, records
        if depth == DEPTH_OF_RECORDS:
            records += 1
            fields.clear()
        else:
            fields.append((name, "".join(text)))
        depth -= 1

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text.append
    with gzip.open(dump) as file:
        while chunk := file.read(CHUNK_BYTES):
            parser.Parse(chunk)
    return records


def build_everything(dump: Path) -> int:
    """Build the database with its word index, its title index and the indexes on identifiers."""
    with tempfile.TemporaryDirectory() as folder:
        return build(
            [dump], Path(folder) / "a.db", titles=TitleIndexer(Path(folder) / "a.db")
        ).records


BASE = "decompress and parse, handlers in Python"
ROWS: dict[str, tuple[Callable[[Path], int], bool]] = {
    "decompress": (decompress, True),
    BASE: (collect, True),
    "database and title index, on one core": (build_everything, True),
    "database and title index": (build_everything, False),
}
"""Each row with its work and whether it is pinned to one core."""


def measure(name: str, dump: Path) -> dict[str, float]:
    """Do the work of one row in this process and return its cost."""
    work, pinned = ROWS[name]
    if pinned and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    started = time.perf_counter()
    records = work(dump)
    wall = time.perf_counter() - started
    own, children = (
        resource.getrusage(resource.RUSAGE_SELF),
        resource.getrusage(resource.RUSAGE_CHILDREN),
    )
    return {
        "records": records,
        "wall": wall,
        "processor": sum(usage.ru_utime + usage.ru_stime for usage in (own, children)),
        "memory": max(usage.ru_maxrss for usage in (own, children)) / 1024,
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dump", type=Path, help="a gzipped dump")
    parser.add_argument(
        "--row", choices=ROWS, help="do the work of one row here and print its cost as JSON"
    )
    arguments = parser.parse_args()
    if arguments.row:
        print(json.dumps(measure(arguments.row, arguments.dump)))
        return
    print("| work | by the clock | processor time | ratio | records a second | memory |")
    print("|---|---|---|---|---|---|")
    costs = {name: measured(name, arguments.dump) for name in ROWS}
    for name, cost in costs.items():
        ratio = cost["processor"] / costs[BASE]["processor"]
        rate = f"{cost['records'] / cost['wall']:,.0f}" if cost["records"] else ""
        print(
            f"| {name} | {cost['wall']:.1f} s | {cost['processor']:.1f} s | {ratio:.2f} | {rate}"
            f" | {cost['memory']:.0f} MB |"
        )


def measured(name: str, dump: Path) -> dict[str, float]:
    """Do the work of one row in a new process, and return its cost."""
    command = [sys.executable, "-m", "benchmarks.build", str(dump), "--row", name]
    cost: dict[str, float] = json.loads(subprocess.check_output(command))
    return cost


if __name__ == "__main__":
    main()
