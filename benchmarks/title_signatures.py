"""How many titles of equal length each step of the title index leaves, for real titles as queries at 0.9.

python -m benchmarks.title_signatures dblp.db.titles
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np

from citeproof.database.title_index import signature
from citeproof.database.title_index.mapped import TitleIndex

SEED = 20261122
LENGTHS = (30, 50, 70, 90, 110, 130)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("--queries", type=int, default=30, help="of each length")
    arguments = parser.parse_args()
    index = TitleIndex(arguments.index)
    print(f"{'letters':>8}{'may differ':>12}{'balance':>10}{'one tuned':>12}{'cyclic':>10}{'all three':>12}")
    for length in LENGTHS:
        left = np.mean([steps(index, length, title) for title in drawn(index, length, arguments.queries)], axis=0)
        shares = "".join(f"{share:>{width}.3%}" for share, width in zip(left, (10, 12, 10, 12), strict=True))
        print(f"{length:>8}{length // 5:>12}{shares}")


def drawn(index: TitleIndex, length: int, count: int) -> list[str]:
    """Return titles of ``length``, always the same ones."""
    first, last = (index.row_start[row] for row in index.rows(length, 0, length))
    return [index.normalized(number) for number in random.Random(SEED).sample(range(first, last), count)]


def steps(index: TitleIndex, length: int, query: str) -> tuple[float, float, float, float]:
    """Return what share of the titles of ``length`` is left by the balance, then by words of the signature.

    By the first tuned word alone, for comparison, by the cyclic word alone, and by all three.
    """
    most = length // 10
    counts = signature.counts_of(query)
    (near,), (far,) = index.sign(np.array([length]), counts)
    balance = signature.balance(query)
    everything = np.diff([index.row_start[row] for row in index.rows(length, 0, length)])[0]
    first, last = (index.row_start[row] for row in index.rows(length, balance - most, balance + most))
    cyclic = np.bitwise_count(index.cyclic.run(first, last) ^ signature.cyclic(counts)) <= 2 * most
    nears, fars = index.near.run(first, last) ^ near, index.far.run(first, last) ^ far
    one_tuned = np.bitwise_count(nears) <= 2 * most
    deleted = np.bitwise_count(nears & near) + np.bitwise_count(fars & far)
    inserted = np.bitwise_count(nears & ~near) + np.bitwise_count(fars & ~far)
    tuned = (deleted <= most) & (inserted <= most)
    return (last - first) / everything, *(left.sum() / everything for left in (one_tuned, cyclic, cyclic & tuned))


if __name__ == "__main__":
    main()
