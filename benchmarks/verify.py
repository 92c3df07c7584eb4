"""References a second: 1,000 references from a dump, a tenth of them damaged, indexed beside brute force.

    python -m benchmarks.verify --database dblp.db

Both methods run in one process on the same references, one after the other, so their ratio holds
on a noisy machine. Brute force compares every title and is measured on fewer references. Below stands where the
processor time of the indexed ones goes: by verdict, and by step of the search and the decision.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path
from statistics import mean
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from citeproof.bibdb.database import Database
from citeproof.bibdb.venues.table import VenueTable
from citeproof.models import Record, Reference, Status
from citeproof.pipeline import Pipeline
from citeproof.results import Statistics
from citeproof.session import Session
from citeproof.strategies.bibliographic_database import BibliographicDatabaseStrategy
from citeproof.validation.decide import Validator

if TYPE_CHECKING:
    from collections.abc import Callable

DAMAGED_SHARE = 0.1
STEPS = (
    (Database, "look_up"), (Database, "nearest"), (Database, "records_by_authors"), (Database, "look_up_all"),
    (Database, "related"), (Database, "records_with_doi"), (VenueTable, "claimed_volumes"), (Validator, "decide"),
    (Validator, "explain"),
)  # fmt: skip
"""The steps of a check; none calls another one."""
Spent = dict[str, list[float]]
SEED = 20261120


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", type=Path, required=True, help="built by `citeproof db build`")
    parser.add_argument("--references", type=int, default=1000)
    parser.add_argument("--bruteforce-references", type=int, default=20)
    parser.add_argument("--concurrent", type=int, default=10)
    arguments = parser.parse_args()
    with Database.open(arguments.database) as database:
        references = sample(database, arguments.references)
        indexed = measure(database, references, arguments.concurrent)
        method = database.look_up(references[0].title)
        by_reason, by_step = spent(database, references)
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.db"
        shutil.copy(arguments.database, bare)
        drop_indexes(bare)
        with Database.open(bare) as database:
            database.look_up("warm up: the titles are loaded on first use")
            brute = measure(database, references[: arguments.bruteforce_references], arguments.concurrent)
    report(f"{method.index or method.method.value}", indexed)
    report("brute force", brute)
    print(f"ratio {indexed.per_second / brute.per_second:,.0f}")
    for rows in (by_reason, by_step):
        print()
        total = sum(sum(times) for times in rows.values())
        for name, times in sorted(rows.items(), key=lambda item: -sum(item[1])):
            share = 100 * sum(times) / total
            print(f"{name:40} {len(times):6} times {1000 * mean(times):8.3f} ms {share:5.1f} %")


def sample(database: Database, count: int) -> list[Reference]:
    """Return ``count`` references to records of ``database``, a tenth of them damaged; always the same ones."""
    choice = random.Random(SEED)
    ids = [number for number, _ in database.titles()]
    records = database.records(choice.sample(ids, count))
    return [damaged(record, choice) if choice.random() < DAMAGED_SHARE else reference(record) for record in records]


def reference(record: Record, title: str | None = None) -> Reference:
    """Return the reference that cites ``record`` as it is."""
    return Reference(
        record.key, title or record.title, record.authors, False, record.year, record.venue, record.pub_type, record.doi
    )


def damaged(record: Record, choice: random.Random) -> Reference:
    """Return a reference with one letter of the title changed and another name for the first author."""
    place = choice.randrange(len(record.title))
    title = record.title[:place] + choice.choice("abcdefghijklmnopqrstuvwxyz") + record.title[place + 1 :]
    return reference(record, title)


def drop_indexes(path: Path) -> None:
    """Take the word index out of a copy of the database, which leaves brute force."""
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE title_fts")


def measure(database: Database, references: list[Reference], concurrent: int) -> Statistics:
    """Verify ``references`` through the offline chain and sum up."""
    pipeline = Session.over(database).pipeline
    start = perf_counter()
    verdicts = list(pipeline.verify_all(references, concurrent))
    return Statistics.of(verdicts, perf_counter() - start)


def spent(database: Database, references: list[Reference]) -> tuple[Spent, Spent]:
    """Return the processor seconds of each reference by its verdict, and of each call of the steps that cost most."""
    by_reason, by_step = defaultdict(list), defaultdict(list)
    strategy = BibliographicDatabaseStrategy(database, 0.9)
    pipeline = Pipeline([strategy], Validator(database.venues))
    for reference in references:
        verdict, seconds = timed(pipeline.verify, reference)
        by_reason[f"{verdict.status} {verdict.reason}"].append(seconds)
    with ExitStack() as stack:
        for owner, name in STEPS:
            plain = getattr(owner, name)

            def step(*args: Any, plain: Any = plain, name: str = name, **more: Any) -> Any:
                result, seconds = timed(plain, *args, **more)
                by_step[name].append(seconds)
                return result

            stack.enter_context(patch.object(owner, name, step))
        for reference in references:
            pipeline.verify(reference)
    return dict(by_reason), dict(by_step)


def timed(function: Callable[..., Any], *args: Any, **more: Any) -> tuple[Any, float]:
    """Call ``function``; return its result and the processor time that it took, in seconds."""
    start = process_time()
    result = function(*args, **more)
    return result, process_time() - start


def report(name: str, statistics: Statistics) -> None:
    """Print one row."""
    valid = statistics.by_status[Status.VALID]
    print(f"{name:12} {statistics.entries:5} references {statistics.per_second:10,.1f} a second  {valid} valid")


if __name__ == "__main__":
    main()
