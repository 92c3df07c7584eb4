"""What a miss costs among more titles: the same queries put to two databases in turns, in one process.

    python -m benchmarks.title_growth 1000000.db 8000000.db

The queries are the absent ones that `title_lookup.py` draws from the larger database. Times are processor time.
"""

from __future__ import annotations

import argparse
import statistics
from functools import partial
from pathlib import Path

from benchmarks.title_lookup import timed
from benchmarks.title_queries import queries
from citeproof.bibdb.database import Database
from citeproof.bibdb.title_index.format import index_path
from citeproof.bibdb.title_index.reader.mapped import TitleIndex
from citeproof.bibdb.title_index.reader.search import best
from citeproof.text.normalize import normalize_title

TURNS = 6


def main() -> None:
    """Print the medians and how they grow."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("smaller", type=Path)
    parser.add_argument("larger", type=Path)
    parser.add_argument("--queries", type=int, default=40)
    arguments = parser.parse_args()
    with Database.open(arguments.larger) as database:
        asked = queries([title for _, title in database.titles()], arguments.queries)
    indexes = [TitleIndex(index_path(path)) for path in (arguments.smaller, arguments.larger)]
    absent = [normalize_title(query.title) for query in asked if query.kind == "absent"]
    # asked once before they are timed, so that both indexes are in memory
    missed = [query for query in absent if not any(found(index, query) for index in indexes)]
    times: list[list[float]] = [[], []]
    for query in missed * TURNS:
        for index, spent in zip(indexes, times, strict=True):
            spent.append(timed(partial(found, index), query)[1])
    small, large = map(statistics.median, times)
    print(f"{len(missed)} absent titles: {1000 * small:.2f} ms among {len(indexes[0]):,} titles, ", end="")
    print(f"{1000 * large:.2f} ms among {len(indexes[1]):,}: {large / small:.1f}-fold")


def found(index: TitleIndex, query: str) -> int:
    """Return how many titles are most similar to ``query``, if 0.9 or more."""
    return len(best(index, query, 0.9).matches)


if __name__ == "__main__":
    main()
