"""Time to build a database from a dump, beside decompressing and parsing the same file.

    python -m benchmarks.build dblp-sample.xml.gz
    python -m benchmarks.build dblp-sample.xml.gz --times 10

Each row runs in a new process, one after the other, on the same file. Processor time counts all
processes of a row, so it means the same on a busy machine; wall time is what a user waits. A row
"on one core" is pinned to one. The ratios are to the row of handlers in Python: decompress and
parse with ``xml.parsers.expat``, collect the fields of every record, and drop them.

The last columns are the peak memory of the writing process and of its helpers: total and private.
``--times N`` also builds a generated dump of N times the size (``benchmarks/dump.py``) to show that
the peaks stay the same. It needs space in the temporary folder ``TMPDIR``: 3 GB for ten times the
sample.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from benchmarks.dump import count, make
from benchmarks.memory import Peak, watched
from citeproof.database.building.builder import build
from citeproof.database.building.opening import open_source, prepared
from citeproof.database.building.title_indexer import TitleIndexer

if TYPE_CHECKING:
    from collections.abc import Callable

CHUNK_BYTES = 1 << 18
DEPTH_OF_RECORDS = 2


def decompress(dump: Path) -> int:
    """Only decompress."""
    with gzip.open(dump) as file:
        while file.read(CHUNK_BYTES):
            pass
    return 0


def parse(dump: Path) -> int:
    """Decompress and parse with no handler at all: what expat alone costs."""
    parser = expat.ParserCreate()
    with gzip.open(dump) as file:
        while chunk := file.read(CHUNK_BYTES):
            parser.Parse(chunk)
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


def read(dump: Path) -> int:
    """Read into rows and normalised titles, as a build does, and drop them."""
    source = open_source(dump)
    records = sum(len(batch.rows) for batch in prepared(source.batches, keep_going=False))
    source.close()
    return records


def build_database(dump: Path) -> int:
    """Build the database with its word index and the indexes on identifiers."""
    with tempfile.TemporaryDirectory() as folder:
        return build([dump], Path(folder) / "a.db").records


def build_everything(dump: Path) -> int:
    """Build the same with the title index."""
    with tempfile.TemporaryDirectory() as folder:
        return build(
            [dump], Path(folder) / "a.db", titles=TitleIndexer(Path(folder) / "a.db")
        ).records


ROWS: dict[str, tuple[Callable[[Path], int], bool]] = {
    "decompress": (decompress, True),
    "and parse, no handler": (parse, True),
    "and parse, handlers in Python": (collect, True),
    "rows of a build, on one core": (read, True),
    "database, on one core": (build_database, True),
    "database": (build_database, False),
    "database and title index, on one core": (build_everything, True),
    "database and title index": (build_everything, False),
}
"""Each row with its work and whether it is pinned to one core."""
BASE = "and parse, handlers in Python"
EVERYTHING = "database and title index"


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
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dump", type=Path, help="a gzipped dump")
    parser.add_argument(
        "--times", type=int, default=1, help="also build a dump so many times as large"
    )
    parser.add_argument("--only", action="append", choices=ROWS, help="leave the other rows out")
    parser.add_argument(
        "--row", choices=ROWS, help="do the work of one row here and print its cost as JSON"
    )
    arguments = parser.parse_args()
    if arguments.row:
        print(json.dumps(measure(arguments.row, arguments.dump)))
        return
    print(
        f"{'':<38} {'wall s':>8} {'ratio':>6} {'proc. s':>8} {'ratio':>6} {'records/s':>10}", end=""
    )
    print(f" {'MB':>10} {'private':>8}  of the writer, then of each process that it started")
    base = _measured(BASE, arguments.dump)
    for name in arguments.only or ROWS:
        _show(name, base if name == BASE else _measured(name, arguments.dump), base.cost)
    if arguments.times > 1:
        with tempfile.TemporaryDirectory() as folder:
            larger = Path(folder) / "dump.xml.gz"
            make(arguments.dump, larger, arguments.times * count(arguments.dump))
            _show(f"{EVERYTHING}, {arguments.times} times", _measured(EVERYTHING, larger), None)


class _Row(NamedTuple):
    """Cost of one row, and the peak memory of each of its processes."""

    cost: dict[str, float]
    peaks: list[Peak]


def _measured(name: str, dump: Path) -> _Row:
    """Do the work of one row in a new process."""
    output, peaks = watched([sys.executable, "-m", "benchmarks.build", str(dump), "--row", name])
    return _Row(json.loads(output), peaks)


def _show(name: str, row: _Row, base: dict[str, float] | None) -> None:
    cost = row.cost
    wall, processor = (
        f"{cost[key] / base[key]:.2f}" if base else "" for key in ("wall", "processor")
    )
    rate = f"{cost['records'] / cost['wall']:,.0f}" if cost["records"] else ""
    print(
        f"{name:<38} {cost['wall']:8.1f} {wall:>6} {cost['processor']:8.1f} {processor:>6}"
        f" {rate:>10}",
        end="",
    )
    for peak in row.peaks:
        print(f" {peak.total:10.0f} {peak.private:8.0f}", end="")
    print(flush=True)


if __name__ == "__main__":
    main()
