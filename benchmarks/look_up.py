"""Look-ups of titles with the public Python function, compared with RapidFuzz over all titles.

    python -m benchmarks.look_up --database dblp.db [--titles N] [--compared N]

The titles are drawn from the database with a fixed seed. There are four kinds: titles as they are;
titles in which one letter in every forty is changed, missing or added; absent titles, made of words
of several titles; and absent titles of 80 letters or more. The table has the processor time in
milliseconds, the mean number of titles compared, and how many times as long RapidFuzz takes to
compare the same title with all normalised titles of the database in one process. For some titles of
each kind, the best match of citeproof and that of RapidFuzz must have the same similarity.
"""

import argparse
import random
from collections.abc import Callable
from math import isclose
from pathlib import Path
from statistics import mean
from time import process_time

from rapidfuzz import fuzz, process

import citeproof
from citeproof.database.lookup import Database
from citeproof.text.normalize import normalize_title

SEED = 20261121
THRESHOLD = 0.9
LETTERS = "abcdefghijklmnopqrstuvwxyz"
LONG = 80
"""Letters of a long title."""
ROUNDS = 3
"""Number of times that all titles are looked up; the table has the fastest time."""

Make = Callable[[random.Random, str, list[str]], str]


def damaged(choice: random.Random, title: str, _: list[str]) -> str:
    """Return ``title`` with a letter changed, missing or too many in every forty."""
    letters = list(title)
    for _edit in range(max(1, len(letters) // 40)):
        place = choice.randrange(len(letters))
        letters[place : place + choice.randrange(2)] = choice.choice(["", choice.choice(LETTERS)])
    return "".join(letters)


def absent(choice: random.Random, title: str, others: list[str]) -> str:
    """Return as many words of other titles as ``title`` has."""
    return " ".join(choice.choice(choice.choice(others).split()) for _ in title.split())


def long_absent(choice: random.Random, title: str, others: list[str]) -> str:
    """Return words of other titles until they have 80 letters."""
    words = ""
    while len(words) < LONG:
        words = f"{words} {choice.choice(choice.choice(others).split())}".strip()
    return words


KINDS: dict[str, Make] = {
    "equal": lambda _, title, __: title,
    "damaged": damaged,
    "absent": absent,
    f"absent, {LONG} letters and more": long_absent,
}
"""Map from a kind of title to the function that makes it."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--database", type=Path, required=True, help="built by `citeproof db build`"
    )
    parser.add_argument("--titles", type=int, default=300, help="of each kind")
    parser.add_argument("--compared", type=int, default=5, help="of each kind, with RapidFuzz")
    arguments = parser.parse_args()
    choice = random.Random(SEED)
    with citeproof.open_database(arguments.database) as database:
        texts = [text for _, text in database.titles()]
        others = [text for text in choice.sample(texts, 20_000) if len(text.split()) >= 4]
        queries = {
            kind: [make(choice, title.rstrip("."), others) for title in others[: arguments.titles]]
            for kind, make in KINDS.items()
        }
        normal = list(dict.fromkeys(filter(None, map(normalize_title, texts))))
        print(f"{len(normal):,} distinct titles, {arguments.titles} of each kind looked up\n")
        print("| title | ms | titles compared | RapidFuzz over all, times as long |")
        print("|---|---|---|---|")
        for kind, titles in queries.items():
            milliseconds, compared = ours(database, titles)
            theirs = beside(database, titles[: arguments.compared], normal)
            print(
                f"| {kind} | {milliseconds:.3f} | {compared:.0f} | {theirs / milliseconds:,.0f} |",
                flush=True,
            )


def ours(database: Database, titles: list[str]) -> tuple[float, float]:
    """Return the milliseconds and the titles compared of a look-up, on average."""
    times = []
    for _ in range(ROUNDS):
        started = process_time()
        found = [citeproof.look_up(title, database, THRESHOLD) for title in titles]
        times.append(1000 * (process_time() - started) / len(titles))
    return min(times), mean(lookup.candidates_examined for lookup in found)


def beside(database: Database, titles: list[str], normal: list[str]) -> float:
    """Return the milliseconds that RapidFuzz takes to compare one of ``titles`` with ``normal``.

    Raises :class:`SystemExit` if its best match has another similarity than that of a look-up.
    """
    times = []
    for title in titles:
        query = normalize_title(title)
        started = process_time()
        best = process.extractOne(query, normal, scorer=fuzz.ratio, score_cutoff=100 * THRESHOLD)
        times.append(1000 * (process_time() - started))
        found = citeproof.look_up(title, database, THRESHOLD).candidates
        if not isclose(best[1] / 100 if best else 0, found[0].similarity if found else 0):
            raise SystemExit(f"{title!r}: the best match is {best}, not {found[:1]}")
    return mean(times)


if __name__ == "__main__":
    main()
