"""Bytes and reads of a run when nothing of the database is cached, and its time beside that with
everything cached.

    python -m benchmarks.cold --database dblp.db references.bib [--entries N] [--turns N]

Before each cold run, the database and its title index are dropped from the page cache
(``posix_fadvise``, Linux; no root needed). A disk or a virtual machine below may still cache them,
so compare the megabytes and the number of reads. The reads are those of the device of the file,
from all programs: a file system of its own, such as a loop device, gives exact numbers. Each run is
a process of its own, and its imports are not counted. "beside the files" is the peak of its
resident memory less the size of both files; it may be negative, because not all of the index is
read.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from benchmarks.memory import Peak, update
from citeproof import settings
from citeproof.database.title_index.format import index_path
from citeproof.model.reference import Reference
from citeproof.readers.document import Document
from citeproof.readers.formats import read_all
from citeproof.readers.papers import open_papers
from citeproof.verification.opening import open_session

BLOCK = 512
"""Bytes of a block of ``ru_inblock``."""
DEVICES = Path("/sys/dev/block")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bibliography", type=Path)
    parser.add_argument(
        "--database", type=Path, required=True, help="built by `citeproof db build`"
    )
    parser.add_argument("--entries", type=int, default=60)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(arguments.database, arguments.bibliography, arguments.entries)))
        return
    files = (arguments.database, index_path(arguments.database))
    print(
        "| cached | by the clock | processor time | read | reads | beside the files"
        " |\n|---|---|---|---|---|---|"
    )
    for name in ("nothing", "all"):
        turns = []
        for _ in range(arguments.turns):
            for path in files if name == "nothing" else ():
                drop(path)
            command = [sys.executable, "-m", "benchmarks.cold", *sys.argv[1:], "--measure"]
            turns.append(
                json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
            )
        clock, processor, megabytes, reads, memory = (
            median(values) for values in zip(*turns, strict=True)
        )
        beside = memory - sum(path.stat().st_size for path in files) / 2**20
        print(
            f"| {name} | {clock:.2f} s | {processor:.2f} s | {megabytes:.1f} MB | {reads:,.0f} |"
            f" {beside:.0f} MB |"
        )


def measure(
    database: Path, bibliography: Path, entries: int
) -> tuple[float, float, float, int, float]:
    """Check the first ``entries`` of a bibliography; return seconds, processor seconds, MB read,
    reads, and peak MB.
    """
    read = read_all(each for each in open_papers([bibliography]) if isinstance(each, Document))
    references = [each for one in read for each in one.entries]
    started = _used(database)
    with open_session(settings.load(bib_db=database, no_cache=True, processes=1)) as session:
        verdicts = list(
            session.stream(each for each in references[:entries] if isinstance(each, Reference))
        )
    assert verdicts
    clock, processor, blocks, reads = (
        now - before for now, before in zip(_used(database), started, strict=True)
    )
    peak = Peak()
    update(peak, os.getpid())
    return clock, processor, blocks * BLOCK / 1e6, int(reads), peak.total


def drop(path: Path) -> None:
    """Drop ``path`` from the page cache."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _used(path: Path) -> tuple[float, float, int, int]:
    """Return time, processor time, blocks read by this process, and reads of the device of
    ``path``, all up to now.
    """
    device = path.stat().st_dev
    stat = DEVICES / f"{os.major(device)}:{os.minor(device)}" / "stat"
    reads = int(stat.read_text().split()[0]) if stat.exists() else 0
    return (
        time.perf_counter(),
        time.process_time(),
        resource.getrusage(resource.RUSAGE_SELF).ru_inblock,
        reads,
    )


if __name__ == "__main__":
    main()
