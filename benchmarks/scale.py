"""Build time and look-up time of databases of millions of records, beside DuckDB and SQLite's FTS5.

    python -m benchmarks.scale --records 1000000 --records 8000000
    python -m benchmarks.scale --records 20000000 --dump-only
    python -m benchmarks.scale --records 20000000
    python -m benchmarks.scale --records 1000000 --folder /tmp/scale-zh --chinese 0.8
    python -m benchmarks.scale --records 1000000 --folder /tmp/scale-crossref --form crossref

For each size it makes a dump (:mod:`benchmarks.works`), builds its database with ``citeproof db
build``, and looks up titles and DOIs that are present and absent. Every step leaves its file in the
folder, so an interrupted run can be resumed. Delete the folder to start again. A million records
take at most 1 GB there. Look-ups are timed by processor time of this process, after each was made
once; DuckDB's at once.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from functools import partial
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.memory import watched
from benchmarks.scale_others import DuckDb, FiveWords
from benchmarks.works import FORMS, PART_RECORDS, Maker, write
from citeproof.database.lookup import NEAREST_FROM, Database
from citeproof.database.title_index.format import index_path
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.works import Work

    Seconds = list[float]

FOLDER = Path(tempfile.gettempdir()) / "scale"
COMPARED, COMPARED_OF_MANY, MANY = 3, 1, 10_000_000
"""Titles of a kind that DuckDB is asked, and the record count from which it is asked fewer: one
takes minutes.
"""
ABSENT_PART = 1_000_000
"""The works of this part are in no dump."""
SHORTEST = 12
"""Letters of the shortest title that is asked for: shorter ones are those of many works."""
LETTERS_A_TYPO = 20
SPOKEN = ("English", "Chinese")
"""The languages of the queries."""
PARTS = (("dump", 8), ("database", 7), ("titles", 9))
"""Files whose size is printed, and the width of the column."""
ALL = 1 << 31
"""Maximum titles that a look-up may compare: none is cut, because 50 million titles may have
100,000 above 0.87.
"""
MEMORY_MB = 1024
"""Maximum private memory of all processes of a build."""


class Asked(NamedTuple):
    """Queries of one kind in one language."""

    kind: str
    language: str
    titles: list[str]


def main() -> None:
    """Do what is missing, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--records", type=int, action="append", required=True, help="again for another size"
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"for the made files: {FOLDER}")
    parser.add_argument(
        "--dump-only", action="store_true", help="make the dump alone, which needs no quiet machine"
    )
    parser.add_argument("--form", choices=FORMS, default="openalex")
    parser.add_argument(
        "--chinese", type=float, help="share of Chinese titles; 0.04 where it is not given"
    )
    parser.add_argument("--queries", type=int, default=40, help="of each kind and language")
    parser.add_argument(
        "--compared", type=int, help="of these for DuckDB, which reads all titles; 0 leaves it out"
    )
    parser.add_argument(
        "--titles", type=Path, default=Path("../shared/corpus/dblp-sample.xml.gz"), help="real ones"
    )
    arguments = parser.parse_args()
    maker = _once(lambda: Maker(arguments.titles, arguments.chinese))
    sizes = sorted(arguments.records)
    folder = arguments.folder
    if arguments.dump_only:
        for size in sizes:
            write(folder, maker, arguments.form, size)
        return
    built = [
        _kept(folder / f"{size}.build.json", partial(build, arguments, maker, size))
        for size in sizes
    ]
    print_builds(built)
    asked = [
        _kept(folder / f"{size}.asked.json", partial(ask, arguments, maker, size)) for size in sizes
    ]
    print_answers(sizes, asked)


def _once(make: Callable[[], Maker]) -> Callable[[], Maker]:
    """Return a function that computes its value on the first call: reading the real titles takes
    some seconds.
    """
    made: list[Maker] = []

    def get() -> Maker:
        if not made:
            made.append(make())
        return made[0]

    return get


def _kept(path: Path, work: Callable[[], Any]) -> Any:
    """Return the content of the file at ``path``; create the file first if it is missing."""
    if not path.exists():
        done = work()
        path.with_suffix(".unfinished").write_text(json.dumps(done))
        path.with_suffix(".unfinished").rename(path)
    return json.loads(path.read_text())


def build(
    arguments: argparse.Namespace, maker: Callable[[], Maker], records: int
) -> dict[str, Any]:
    """Build the database of so many records; return what it cost."""
    dump = write(arguments.folder, maker, arguments.form, records)
    database = arguments.folder / f"{records}.db"
    print(f"{records:,}: the dump is there; the database is built", file=sys.stderr)
    before, started = os.times(), time.perf_counter()
    command = [
        sys.executable,
        "-m",
        "citeproof",
        "db",
        "build",
        str(dump),
        "-o",
        str(database),
        "--force",
    ]
    _, peaks = watched(command)
    wall, after = time.perf_counter() - started, os.times()
    with Database.open(database) as opened:
        held = opened.describe()["records"]
    if held != records:
        raise SystemExit(f"{database}: holds {held:,} records of {records:,}")
    return {
        "records": records,
        "wall": wall,
        "processor": (
            after.children_user
            + after.children_system
            - before.children_user
            - before.children_system
        ),
        "private": [peak.private for peak in peaks],
        "dump": sum(path.stat().st_size for path in dump.iterdir()),
        "database": database.stat().st_size,
        "titles": index_path(database).stat().st_size,
    }


def print_builds(built: list[dict[str, Any]]) -> None:
    """Print what the builds cost, and how that grows from size to size."""
    print(
        f"{'records':>12}{'wall s':>9}{'proc. s':>9}{'records/s':>11}{'of 2 cores':>12}"
        f"{'MB held':>9}",
        end="",
    )
    print(f"{'dump B':>8}{'db B':>7}{'titles B':>9}   (bytes a record)")
    for one in built:
        records, held = one["records"], sum(one["private"])
        print(
            f"{records:12,}{one['wall']:9.0f}{one['processor']:9.0f}{records / one['wall']:11,.0f}",
            end="",
        )
        print(f"{2 * records / one['processor']:12,.0f}{held:9.0f}", end="")
        print("".join(f"{one[part] / records:{width}.0f}" for part, width in PARTS))
        if held > MEMORY_MB:
            print(f"{'':12} more than the {MEMORY_MB} MB that a build may hold")
    for small, large in pairwise(built):
        more = large["records"] / small["records"]
        print(
            f"{more:.1f} times the records: {large['processor'] / small['processor']:.1f} times the"
            " processor time"
        )
    print(flush=True)


def ask(arguments: argparse.Namespace, maker: Callable[[], Maker], records: int) -> dict[str, Any]:
    """Look titles and DOIs up; return for each kind, language and method the seconds, and the share
    that was found.
    """
    print(f"{records:,}: titles and DOIs are looked up", file=sys.stderr)
    queries, dois = drawn(maker(), records, arguments.queries)
    answers: dict[str, Any] = {}
    path = arguments.folder / f"{records}.db"
    words, duck = FiveWords(path), None
    few = (
        arguments.compared
        if arguments.compared is not None
        else COMPARED
        if records < MANY
        else COMPARED_OF_MANY
    )
    if few:
        duck = DuckDb(arguments.folder / f"{records}.duckdb")
        cost = duck.build(arguments.folder / f"{records}", arguments.form)
        print(
            f"DuckDB: {records:,} titles and DOIs in {cost['wall']:.0f} s, {cost['processor']:.0f}"
            " s of processor time"
        )
    with Database.open(path, titles_in_memory=False) as database:
        for each in queries:
            answers[f"{each.kind}|{each.language}|FTS5"] = timed(words.has, each.titles)
            if duck:
                duck_has = duck.has_equal if each.kind == "found" else duck.has_near
                answers[f"{each.kind}|{each.language}|DuckDB"] = timed(
                    duck_has, each.titles[:few], rounds=1
                )
            answers[f"{each.kind}|{each.language}|citeproof"] = timed(
                _has(database, 1.0), each.titles
            )
            if each.kind == "absent":
                answers[f"absent from {NEAREST_FROM} up|{each.language}|citeproof"] = timed(
                    _has(database, NEAREST_FROM), each.titles
                )
        for kind, some in dois.items():
            answers[f"{kind}||citeproof"] = timed(
                lambda doi: bool(database.records_with_doi(doi)), some
            )
            if duck:
                answers[f"{kind}||DuckDB"] = timed(duck.has_doi, some[:few], rounds=1)
    return answers


def _has(database: Database, nearest_from: float) -> Callable[[str], bool]:
    def has(title: str) -> bool:
        lookup = database.look_up(title, max_candidates=ALL, nearest_from=nearest_from)
        if not lookup.complete:
            raise SystemExit(f"{database.path}: the look-up of {title!r} was not complete")
        return bool(lookup.candidates)

    return has


def timed(work: Callable[[str], bool], queries: list[str], rounds: int = 2) -> dict[str, Any]:
    """Return the processor seconds of each query in the last of ``rounds``, and the share that
    finds something.
    """
    found: list[bool] = []
    seconds: Seconds = []
    for _ in range(rounds):
        found, seconds = [], []
        for query in queries:
            started = time.process_time()
            found.append(work(query))
            seconds.append(time.process_time() - started)
    return {"seconds": seconds, "found": sum(found) / max(1, len(found))}


def drawn(maker: Maker, records: int, count: int) -> tuple[list[Asked], dict[str, list[str]]]:
    """Return ``count`` queries of each kind and language, and as many DOIs that are there and that
    are not.
    """
    last = (records - 1) // PART_RECORDS
    held = list(islice(maker.works(last), min(PART_RECORDS, records - last * PART_RECORDS)))
    absent = list(islice(maker.works(ABSENT_PART), len(held)))
    choice = random.Random(records)
    asked = []
    for language in SPOKEN:
        there, not_there = (list(islice(_long(works, language), count)) for works in (held, absent))
        asked.append(Asked("found", language, there))
        asked.append(Asked("near", language, [mistyped(choice, title) for title in there]))
        asked.append(Asked("absent", language, not_there))
    dois = {
        kind: [work.doi for work in works if work.doi][:count]
        for kind, works in (("DOI found", held),)
    }
    return asked, dois | {"DOI absent": [f"10.1234/none.{number}" for number in range(count)]}


def _long(works: list[Work], language: str) -> Iterator[str]:
    return (
        work.title for work in works if work.language == language and len(work.title) >= SHORTEST
    )


def mistyped(choice: random.Random, title: str) -> str:
    """Return ``title`` with every twentieth letter lost, and at least one: 0.95 similar and
    more.
    """
    letters = list(normalize_title(title))
    for _ in range(max(1, len(letters) // LETTERS_A_TYPO)):
        del letters[choice.randrange(1, len(letters))]
    return "".join(letters)


def print_answers(sizes: list[int], asked: list[dict[str, Any]]) -> None:
    """Print median and 95th percentile in milliseconds by kind and size."""
    print(
        f"{'median ms (95th percentile)':44}"
        + "".join(f"{f'{size:,}':>22}" for size in sizes)
        + f"{'growth':>10}"
    )
    for name in dict.fromkeys(chain.from_iterable(asked)):
        kind, language, method = name.split("|")
        print(f"{kind + (f', {language}' if language else ''):34}{method:10}", end="")
        middles = []
        for answers in asked:
            if name not in answers:
                print(f"{'':22}", end="")
                continue
            seconds = sorted(answers[name]["seconds"])
            middles.append(1000 * statistics.median(seconds))
            high = 1000 * seconds[int(0.95 * (len(seconds) - 1))]
            print(f"{f'{middles[-1]:.3f} ({high:.2f})':>16}{answers[name]['found']:5.0%} ", end="")
        print(f"{middles[-1] / middles[0]:9.1f}x" if len(middles) == len(sizes) > 1 else "")


if __name__ == "__main__":
    main()
