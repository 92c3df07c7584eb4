"""Cost of titles in another script: the same queries with and without those titles, in turns.

    python -m benchmarks.title_scripts --records 1000000 --chinese 0.8 --folder /tmp/scripts

Of made works (:mod:`benchmarks.works`) it writes one title index of all titles and one each of the English and of the
Chinese ones, and asks them for the same titles: found, with a letter in twenty lost, and absent. Times are processor
time; the columns ``read`` say how many titles are in reach by length and balance.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from fractions import Fraction
from itertools import islice
from pathlib import Path

from benchmarks.scale import ABSENT_PART, SHORTEST, SPOKEN, mistyped
from benchmarks.works import PART_RECORDS, Maker
from citeproof.database.build.title_index import TitleIndexBuilder
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.database.title_index.scan import Reach
from citeproof.database.title_index.search import best
from citeproof.text.normalize import normalize_title

TURNS = 3
THRESHOLD = 0.9
EVERY = "all"


def main() -> None:
    """Print a line for each kind of query and language."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, required=True, help="works of all languages")
    parser.add_argument("--folder", type=Path, required=True, help="for the made files")
    parser.add_argument("--chinese", type=float, default=0.8, help="share of Chinese titles")
    parser.add_argument("--queries", type=int, default=40, help="of each kind and language")
    parser.add_argument("--titles", type=Path, default=Path("../shared/corpus/dblp-sample.xml.gz"), help="real ones")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    maker = Maker(arguments.titles, arguments.chinese)
    indexes = written(maker, arguments.records, arguments.folder)
    print(", ".join(f"{name}: {len(index):,} titles" for name, index in indexes.items()))
    print(f"{'median ms':24}{'alone':>8}{'read':>12}{'with all':>10}{'read':>12}{'times':>8}")
    for language in SPOKEN:
        for kind, titles in asked(maker, language, arguments.queries).items():
            compare(f"{language}, {kind}", titles, indexes[language], indexes[EVERY])


def written(maker: Maker, records: int, folder: Path) -> dict[str, TitleIndex]:
    """Return the indexes of all titles and of those of each language that is asked for."""
    builders = {name: TitleIndexBuilder(folder / f"{name}.titles") for name in (EVERY, *SPOKEN)}
    for part in range(-(-records // PART_RECORDS)):
        for work in islice(maker.works(part), min(PART_RECORDS, records - part * PART_RECORDS)):
            if normal := normalize_title(work.title):
                for name in {EVERY, work.language} & builders.keys():
                    builders[name].add(work.number, work.title, normal)
    for builder in builders.values():
        with builder:
            builder.finish({})
    return {name: TitleIndex(folder / f"{name}.titles") for name in builders}


def asked(maker: Maker, language: str, count: int) -> dict[str, list[str]]:
    """Return normalised titles of ``language`` to ask for, by kind."""

    def some(part: int) -> list[str]:
        spoken = (work.title for work in maker.works(part) if work.language == language)
        return list(islice((normalize_title(title) for title in spoken if len(title) >= SHORTEST), count))

    choice = random.Random(count)
    found = some(0)
    return {"found": found, "near": [mistyped(choice, title) for title in found], "absent": some(ABSENT_PART)}


def compare(what: str, queries: list[str], alone: TitleIndex, every: TitleIndex) -> None:
    """Ask both indexes in turns, and print what that takes; each time counts as the quickest of its turns."""
    quickest = [[float("inf")] * len(queries) for _ in range(2)]
    for _ in range(1 + TURNS):
        for number, query in enumerate(queries):
            for index, times in zip((alone, every), quickest, strict=True):
                started = time.process_time()
                best(index, query, THRESHOLD)
                times[number] = min(times[number], time.process_time() - started)
    small, large = (1000 * statistics.median(times) for times in quickest)
    read = [statistics.mean(in_reach(index, query) for query in queries) for index in (alone, every)]
    print(f"{what:24}{small:8.3f}{read[0]:12,.0f}{large:10.3f}{read[1]:12,.0f}{large / small:7.2f}x")


def in_reach(index: TitleIndex, query: str) -> int:
    """Return how many titles a search for ``query`` that finds nothing reads."""
    reach = Reach(index, query, 1 - Fraction(str(THRESHOLD)))
    return sum(last - first for first, last in reach.pieces)


if __name__ == "__main__":
    main()
