"""References verified per second on one core, for confirmed references and for HALLMARK's mix, and
the time of each step.

    python -m benchmarks.verify --database dblp.db --split
    ../shared/gold/hallmark/dev_public_blind.jsonl

A confirmed reference is VALID, because a record agrees with it. The process has verified other
references before, and verifies no reference twice, so no result is remembered. HALLMARK's mix is
the split; most of its entries are wrong. Each entry of the split is read as BibTeX, looked up,
decided and explained, as for a user; reading is not counted.

All figures are processor time, of several rounds. Each round verifies a part of both kinds of
references, and runs a control, which sorts and counts words and never changes. To compare
machines or moments, use the last column: the number of references that are verified while the
control handles a thousand texts.

``--references-of dblp.db`` draws the references from another database, which the measured
database contains, so that the figures of both can be compared.
"""

from __future__ import annotations

import argparse
import gc
import random
from collections import Counter, defaultdict
from contextlib import ExitStack
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from citeproof.cli.main import OBJECTS_A_SEARCH
from citeproof.database.lookup import Database
from citeproof.database.venues.table import VenueTable
from citeproof.model.reference import Reference
from citeproof.verification.session import Session
from citeproof.verification.validator import Validator
from tests.accuracy import hallmark
from tests.accuracy.entries import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from citeproof.model.record import Record
    from citeproof.model.verdict import Verdict
    from citeproof.verification.pipeline import Pipeline

SEED = 20261120
WARMING = 1000
"""References that are checked before any is measured, so that venues and the index are in
memory.
"""
PAPERS = frozenset({"article", "inproceedings"})
SHORTEST_TITLE = 25
"""Letters of a title that is a work's own: works without a common author share shorter ones."""
CONTROL_TEXTS = 5000
CONTROL_WORDS = 1000
STEP_REFERENCES = 1000
"""Held references whose steps are measured, after the others."""
STEPS = (
    (Database, "nearest"),
    (Database, "records_by_authors"),
    (Database, "look_up"),
    (Database, "related"),
    (Database, "records_with"),
    (VenueTable, "claimed_volumes"),
    (Validator, "decide"),
    (Validator, "explain"),
)
"""The steps of a check; none calls another one."""


def main() -> None:
    """Print the figures."""
    gc.set_threshold(OBJECTS_A_SEARCH)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--database", type=Path, required=True, help="built by `citeproof db build`"
    )
    parser.add_argument(
        "--references-of", type=Path, help="a database whose records are cited, when not that one"
    )
    parser.add_argument("--split", type=Path, help="HALLMARK's entries without labels, JSON lines")
    parser.add_argument("--references", type=int, default=3000, help="held ones, in all rounds")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with Database.open(arguments.references_of or arguments.database) as database:
        held = held_references(database, WARMING + arguments.references + STEP_REFERENCES)
    mix = read(hallmark.entries_of(arguments.split)) if arguments.split else []
    with Database.open(arguments.database) as database:
        pipeline = Session.over(database).pipeline
        check(pipeline, held[:WARMING])
        measured, seen = held[WARMING:-STEP_REFERENCES], held[-STEP_REFERENCES:]
        report_rates(pipeline, measured, mix, arguments.rounds)
        report_steps(pipeline, "confirmed", seen)
        if mix:
            report_steps(pipeline, "HALLMARK's mix", mix)
        else:
            print("\nHALLMARK's mix is left out: --split names its entries")


def held_references(database: Database, count: int) -> list[Reference]:
    """Return ``count`` references to works of ``database``, as they are recorded; always the same
    ones.
    """
    return [reference(record) for record, _ in zip(_papers(database), range(count), strict=False)]


def reference(record: Record) -> Reference:
    """Return the reference that cites ``record`` as it is."""
    return Reference(
        record.key,
        record.title,
        record.authors,
        year=record.year,
        venue=record.venue,
        entry_type=record.pub_type,
        doi=record.doi,
    )


def _papers(database: Database) -> Iterator[Record]:
    """Yield papers of ``database``, drawn by their ids, none twice."""
    layout, choice = database.layout, random.Random(SEED)
    (last,) = database.file.rows(f"SELECT max({layout.id_column}) FROM {layout.table}")[0]
    seen = set[int]()
    while len(seen) < last:
        number = choice.randint(1, last)
        for record in database.records([number]) if number not in seen else ():
            if record.pub_type in PAPERS and record.authors and len(record.title) >= SHORTEST_TITLE:
                yield record
        seen.add(number)


def made_texts() -> list[str]:
    """Return the texts of the control: made words, the same on every machine and in every round."""
    choice = random.Random(SEED)
    words = ["".join(choice.choices("abcdeABCDE", k=6)) for _ in range(CONTROL_WORDS)]
    return [" ".join(choice.choices(words, k=30)) for _ in range(CONTROL_TEXTS)]


def check(pipeline: Pipeline, references: Sequence[Reference]) -> list[Verdict]:
    """Return the verdict on each of ``references``."""
    return [pipeline.verify(reference) for reference in references]


def count_words(texts: Sequence[str]) -> list[str]:
    """Return all words of ``texts``, the commonest first: work that no change of the program
    touches.
    """
    words = Counter(word for text in texts for word in text.lower().split())
    return sorted(words, key=lambda word: (-words[word], word))


def report_rates(
    pipeline: Pipeline, held: Sequence[Reference], mix: Sequence[Reference], rounds: int
) -> None:
    """Print a row for each kind of reference, of rounds in turns with the control."""
    works = {"confirmed": held} | ({"HALLMARK's mix": mix} if mix else {})
    texts = made_texts()
    rates: dict[str, list[float]] = defaultdict(list)
    for turn in range(rounds):
        rates["control"].append(len(texts) / timed(count_words, texts)[1])
        for name, references in works.items():
            some = references[turn::rounds]
            rates[name].append(len(some) / timed(check, pipeline, some)[1])
    print(
        f"{'a second on one core':24} {'checked':>8} {'median':>9} {'best':>9}  a thousand of the"
        " control"
    )
    for name, found in rates.items():
        beside = median(
            rate / control for rate, control in zip(found, rates["control"], strict=True)
        )
        count = len(works.get(name, texts))
        print(
            f"{name:24} {count:8,} {median(found):9,.0f} {max(found):9,.0f} {1000 * beside:26.2f}"
        )


def report_steps(pipeline: Pipeline, name: str, references: Sequence[Reference]) -> None:
    """Print where the processor time of ``references`` goes: by verdict, and by step."""
    by_verdict: dict[str, list[float]] = defaultdict(list)
    by_step: dict[str, list[float]] = defaultdict(list)
    with ExitStack() as stack:
        for owner, step in STEPS:
            stack.enter_context(
                patch.object(owner, step, recorded(getattr(owner, step), by_step[step]))
            )
        for reference in references:
            verdict, seconds = timed(pipeline.verify, reference)
            by_verdict[f"{verdict.status} {verdict.reason}"].append(seconds)
    total = sum(map(sum, by_verdict.values()))
    rest = total - sum(map(sum, by_step.values()))
    by_step["everything else"] = [rest / len(references)] * len(references)
    for title, rows in (("by verdict", by_verdict), ("by step", by_step)):
        print(f"\n{name}, {title:20} {'times':>8} {'ms each':>9} {'share':>7}")
        for row, times in sorted(rows.items(), key=lambda item: -sum(item[1])):
            if times:
                print(
                    f"  {row:38} {len(times):6} {1000 * mean(times):9.3f} {sum(times) / total:7.1%}"
                )


def recorded(function: Callable[..., Any], times: list[float]) -> Callable[..., Any]:
    """Return ``function`` so that the processor time of each call is added to ``times``."""

    def step(*args: Any, **more: Any) -> Any:
        result, seconds = timed(function, *args, **more)
        times.append(seconds)
        return result

    return step


def timed(function: Callable[..., Any], *args: Any, **more: Any) -> tuple[Any, float]:
    """Call ``function``; return its result and the processor time that it took, in seconds."""
    start = process_time()
    result = function(*args, **more)
    return result, process_time() - start


if __name__ == "__main__":
    main()
