"""Cost of a miss in a larger database: the same queries against two databases in turns, in one
process.

    python -m benchmarks.title_growth 1000000.db 8000000.db [--titles LABELLED.jsonl]

The queries are the absent ones that `title_lookup.py` draws from the larger database, or the titles
of invented references. Times are processor time.
"""

import argparse
import statistics
from functools import partial
from pathlib import Path

from benchmarks.title_lookup import timed
from benchmarks.title_nearest import invented
from benchmarks.title_queries import queries
from citeproof.database.lookup import Database
from citeproof.database.title_index.format import index_path
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.database.title_index.search import best
from citeproof.text.normalize import normalize_title

TURNS = 6


def main() -> None:
    """Print the medians and how they grow."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("smaller", type=Path)
    parser.add_argument("larger", type=Path)
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument(
        "--titles",
        type=Path,
        help="labelled references, JSON lines, whose invented titles are asked",
    )
    arguments = parser.parse_args()
    asked = (
        invented(arguments.titles)
        if arguments.titles
        else drawn(arguments.larger, arguments.queries)
    )
    indexes = [TitleIndex(index_path(path)) for path in (arguments.smaller, arguments.larger)]
    absent = list(dict.fromkeys(map(normalize_title, asked)))
    # asked once before they are timed, so that both indexes are in memory
    missed = [query for query in absent if not any(found(index, query) for index in indexes)][
        : arguments.queries
    ]
    times: list[list[float]] = [[], []]
    for query in missed * TURNS:
        for index, spent in zip(indexes, times, strict=True):
            spent.append(timed(partial(found, index), query)[1])
    print(f"{len(missed)} absent titles among {len(indexes[0]):,} and among {len(indexes[1]):,}")
    for name, middle in (("mean", statistics.mean), ("median", statistics.median)):
        small, large = (1000 * middle(spent) for spent in times)
        print(f"{name:8}{small:.2f} ms and {large:.2f} ms: {large / small:.2f}-fold")


def drawn(database: Path, number: int) -> list[str]:
    """Return titles that ``database`` does not have, made from those it has."""
    with Database.open(database) as larger:
        made = queries([title for _, title in larger.titles()], number)
    return [query.title for query in made if query.kind == "absent"]


def found(index: TitleIndex, query: str) -> int:
    """Return how many titles are most similar to ``query``, if 0.9 or more."""
    return len(best(index, query, 0.9).matches)


if __name__ == "__main__":
    main()
