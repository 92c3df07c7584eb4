"""A title among millions: the title index beside RapidFuzz over everything, FTS5, tantivy and a
read of memory.

    python -m benchmarks.title_lookup --dump dblp-sample.xml.gz --titles 8000000 --folder
    /tmp/titles

Makes a dump of so many records from a real one, builds its database with both indexes (timed), and
asks every method the same queries of each kind, each method in one process on one core. Times are
processor time of that process, which other programs on the machine disturb least; everything is in
memory. The made files stay in the folder and are used again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from benchmarks.dump import make
from benchmarks.title_methods import (
    ByComparingAll,
    ByFiveWords,
    ByRareWords,
    ByTantivy,
    ByTitleIndex,
    ByWords,
    best_of_all,
)
from benchmarks.title_queries import Query, queries
from citeproof.database.lookup import Database
from citeproof.database.title_index.format import index_path
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.database.title_index.search import best
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from benchmarks.title_methods import Method

    Words = NDArray[np.uint64]

Asked = TypeVar("Asked")

BULK_MIX = (("equal", 0.75), ("1 typo", 0.10), ("word replaced", 0.05), ("absent", 0.10))


def main() -> None:
    """Build what is missing and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dump", type=Path, default=Path("../shared/corpus/dblp-sample.xml.gz"))
    parser.add_argument("--titles", type=int, required=True)
    parser.add_argument(
        "--folder", type=Path, required=True, help="for the made files; 6 GB at 8 million"
    )
    parser.add_argument("--queries", type=int, default=40, help="of each kind")
    parser.add_argument(
        "--compared", type=int, default=5, help="queries of each kind for RapidFuzz over everything"
    )
    parser.add_argument("--cores", type=int, default=1, help="for the build")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    database = arguments.folder / f"{arguments.titles}.db"
    if not database.exists():
        build(arguments.dump, database, arguments.titles, arguments.cores)
    opened(index_path(database))
    with Database.open(database) as held:
        raw = [title for _, title in held.titles()]
    # in the order in which they were made, so that comparing all of them reads memory from front to
    # back
    titles = list(dict.fromkeys(normal for title in raw if (normal := normalize_title(title))))
    asked = queries(raw, arguments.queries)
    bulk = mixed(raw)
    del raw
    compare(database, titles, asked, arguments.compared)
    in_bulk(database, bulk)


def build(dump: Path, database: Path, records: int, cores: int) -> None:
    """Make the dump, and build database, word index and title index from it in one timed
    command.
    """
    made = database.with_suffix(".xml.gz")
    if not made.exists():
        make(dump, made, records)
    command = [sys.executable, "-m", "citeproof", "db", "build", str(made), "-o", str(database)]
    if cores == 1:
        command = ["taskset", "-c", "0", *command]
    started = time.perf_counter()
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    wall = time.perf_counter() - started
    used = os.times()
    print(result.stdout.strip())
    print(
        f"ingest: {wall:.0f} s on {cores} core(s), {used.children_user + used.children_system:.0f}"
        " s of processor time",
        flush=True,
    )
    made.unlink()


def opened(path: Path) -> None:
    """Print what a new process pays for the index, and what the file takes."""
    program = (
        "import sys, time; from pathlib import Path\nfrom citeproof.database.title_index.mapped"
        " import TitleIndex\nfrom citeproof.database.title_index.search import best\nstart ="
        " time.perf_counter(); index = TitleIndex(Path(sys.argv[1]))\nopened = time.perf_counter();"
        " best(index, 'no title of any paper is called like this one here', 0.9)\nproved ="
        " time.perf_counter()\nfor words in range(2, 60): best(index, ' '.join(['absent title'] *"
        " words), 0.85)\nprivate = [int(line.split()[1]) for line in"
        " open('/proc/self/smaps_rollup') if line.startswith('Anonymous')]\nprint(f'opened in {1000"
        " * (opened - start):.1f} ms, first proof {1000 * (proved - opened):.0f} ms, '\n     "
        " f'private memory of the process {private[0] / 1000:.0f} MB')"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, str(path)], check=True, capture_output=True, text=True
    )
    index = TitleIndex(path)
    print(
        f"{path.name}: {index.header.titles:,} distinct titles of {index.header.records:,} records,"
        f" {index.header.size / 1e6:,.0f} MB, {index.header.size / index.header.titles:.1f} bytes a"
        f" title; {result.stdout.strip()}"
    )


def compare(database: Path, titles: list[str], asked: Sequence[Query], compared: int) -> None:
    """Ask all methods, print times and recall by kind, and check the title index against all
    titles.
    """
    index = TitleIndex(index_path(database))
    tantivy_folder = database.with_suffix(".tantivy")
    tantivy = ByTantivy(tantivy_folder, None if tantivy_folder.exists() else titles)
    exact = ByTitleIndex(index)
    methods: list[Method] = [
        exact,
        ByWords(database),
        ByFiveWords(database),
        ByRareWords(database),
        tantivy,
    ]
    normal = [Query(query.kind, normalize_title(query.title)) for query in asked]
    for query in normal:
        exact.search(query.title)
    results = {
        method.name: [timed(method.search, query.title) for query in normal] for method in methods
    }
    truth = [similarity for similarity, _ in results[exact.name]]

    few = few_of_each(normal, compared)
    everything = ByComparingAll(titles)
    results[everything.name] = [
        timed(everything.search, query.title) if number in few else (0.0, 0.0)
        for number, query in enumerate(normal)
    ]
    print_table(normal, truth, results, few)
    lengths = np.fromiter(map(len, titles), np.int64, len(titles))
    differences = sum(differs(index, normal[number].title, titles, lengths) for number in few)
    print(f"differences from comparing all titles: {differences} in {len(few)} queries")
    absent = [
        number
        for number, query in enumerate(normal)
        if query.kind == "absent" and not truth[number]
    ]
    beside_one_read(index, [normal[number].title for number in absent])


def beside_one_read(index: TitleIndex, absent: Sequence[str]) -> None:
    """Print what a miss costs beside reading the first words of all lengths in reach once, in
    turns.
    """
    own, read = [], []
    for query in list(absent) * 5:
        own.append(timed(lambda query: float(len(best(index, query, 0.9).matches)), query)[1])
        read.append(timed(read_all, window(index, query))[1])
    ratio = statistics.median(one / other for one, other in zip(own, read, strict=True))
    print(
        f"absent: {1000 * statistics.median(own):.2f} ms, one read of the window of first words "
        f"{1000 * statistics.median(read):.2f} ms: {ratio:.1f} x"
    )


def few_of_each(asked: Sequence[Query], count: int) -> set[int]:
    """Return the numbers of the first ``count`` queries of each kind."""
    chosen: set[int] = set()
    seen: dict[str, int] = {}
    for number, query in enumerate(asked):
        seen[query.kind] = seen.get(query.kind, 0) + 1
        if seen[query.kind] <= count:
            chosen.add(number)
    return chosen


def timed(search: Callable[[Asked], float], query: Asked) -> tuple[float, float]:
    """Return what ``search`` finds and the seconds of processor time that it takes."""
    started = time.process_time()
    found = search(query)
    return found, time.process_time() - started


def differs(index: TitleIndex, query: str, titles: list[str], lengths: np.ndarray) -> bool:
    """Return whether similarity or titles differ from those of a comparison with every title."""
    matches = best(index, query, 0.9).matches
    similarity, expected = best_of_all(query, titles, lengths)
    return {match.text for match in matches} != expected or (
        bool(matches) and matches[0].similarity != similarity
    )


def window(index: TitleIndex, query: str) -> Words:
    """Return the first signature words of all titles that are neither too long nor too short for
    0.9.
    """
    lengths = np.array(index.row_length)
    first, last = np.searchsorted(lengths, (-(-len(query) * 9 // 11), len(query) * 11 // 9 + 1))
    return index.cyclic.run(index.row_start[first], index.row_start[last])


def read_all(words: Words) -> float:
    """Read ``words`` once: no search by signatures that are not sorted can do less."""
    return float(words.sum())


def print_table(
    asked: Sequence[Query],
    truth: Sequence[float],
    results: dict[str, list[tuple[float, float]]],
    few: set[int],
) -> None:
    """Print median and 99th percentile in milliseconds, and the share of true best matches found,
    by kind.
    """
    kinds = list(dict.fromkeys(query.kind for query in asked))
    rows = [(kind, [n for n, query in enumerate(asked) if query.kind == kind]) for kind in kinds]
    found = [
        n
        for n, query in enumerate(asked)
        if query.kind not in ("equal", "absent") and 0 < truth[n] < 1
    ]
    missed = [n for n, _ in enumerate(asked) if not truth[n]]
    rows += [("all found, not equal", found), ("all not found", missed)]
    for name, answers in results.items():
        print(f"\n{name}\n{'':24}{'queries':>8}{'p50 ms':>11}{'p99 ms':>11}{'recall':>8}")
        for kind, numbers in rows:
            used = [n for n in numbers if n in few or name != ByComparingAll.name]
            if not used:
                continue
            times = sorted(1000 * answers[n][1] for n in used)
            there = [n for n in used if truth[n]]
            recall = (
                f"{sum(answers[n][0] >= truth[n] - 1e-9 for n in there) / len(there):.3f}"
                if there
                else "-"
            )
            middle, high = (
                statistics.median(times),
                times[min(len(times) - 1, int(0.99 * len(times)))],
            )
            print(f"{kind:24}{len(used):8}{middle:11.3f}{high:11.3f}{recall:>8}", flush=True)


def mixed(titles: list[str]) -> list[str]:
    """Return 8,000 titles as a large bibliography has them: most equal, some damaged, some
    absent.
    """
    by_kind: dict[str, list[str]] = {}
    for query in queries(titles, 6000):
        by_kind.setdefault(query.kind, []).append(query.title)
    chosen = [title for kind, share in BULK_MIX for title in by_kind[kind][: int(8000 * share)]]
    random.Random(1).shuffle(chosen)
    return chosen


def in_bulk(database: Path, titles: list[str]) -> None:
    """Print how many titles a second one process and two look up with their records, and beside it
    what two can do.

    The control is work of the same length that touches nothing but its own strings.
    """
    print("bulk, whole look-ups with records, each process having read its index once:")
    gains = {}
    for name, work in (("look-ups", _look_up), ("control", _normalize)):
        clocks = {}
        for processes in (1, 2):
            rates = [rate(database, titles, processes, work) for _ in range(3)]
            clocks[processes], used = (
                max(clock for clock, _ in rates),
                max(used for _, used in rates),
            )
            print(
                f"{name}, {processes} process(es): {clocks[processes]:,.0f} titles a second, "
                f"{used:,.0f} a second of processor time",
                flush=True,
            )
        gains[name] = clocks[2] / clocks[1]
    print(
        f"two processes beside one: look-ups {gains['look-ups']:.2f} x, control"
        f" {gains['control']:.2f} x"
    )


def rate(
    database: Path, titles: list[str], processes: int, work: Callable[[list[str]], float]
) -> tuple[float, float]:
    """Return the titles a second that so many processes work off together, by the clock and by
    processor time.
    """
    parts = [titles[first : first + 50] for first in range(0, len(titles), 50)]
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, _open, (database,)) as pool:
        # all processes are up and warm before the clock runs
        pool.map(work, parts[:20], chunksize=1)
        started = time.perf_counter()
        used = sum(pool.imap_unordered(work, parts))
        return len(titles) / (time.perf_counter() - started), len(titles) / used


def _open(database: Path) -> None:
    global _database  # noqa: PLW0603 - the one object of a worker process
    _database = Database.open(database)
    _database.title_index.verify()


def _look_up(titles: list[str]) -> float:
    started = time.process_time()
    for title in titles:
        _database.best_matches(title)
    return time.process_time() - started


def _normalize(titles: list[str]) -> float:
    started = time.process_time()
    for title in titles * 50:
        normalize_title(title)
    return time.process_time() - started


_database: Database

if __name__ == "__main__":
    main()
