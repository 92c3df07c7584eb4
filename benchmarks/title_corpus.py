"""Titles to measure with: those of a dump, and any number more made from them.

A made title is the beginning of one real title and the end of others, as many words as the first
has, so words are as frequent and titles as long as in the dump. The same seed makes the same titles.
"""

from __future__ import annotations

import random
from itertools import islice
from typing import TYPE_CHECKING

from citeproof.bibdb import schema
from citeproof.bibdb.sources.detect import open_source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SEED = 20261120


def dump_titles(dump: Path) -> list[str]:
    """Return the titles of ``dump``, each once, in its order."""
    source = open_source(dump)
    try:
        return list(dict.fromkeys(str(row[schema.TITLE]) for rows in source.rows() for row in rows))
    finally:
        source.file.close()


def titles(real: list[str], count: int) -> Iterator[str]:
    """Yield ``count`` titles: the ``real`` ones, as far as they are wanted, then made ones."""
    yield from islice(real, count)
    choice = random.Random(SEED)
    words = [title.split() for title in real]
    for _ in range(count - len(real)):
        first = choice.choice(words)
        kept = choice.randint(1, max(1, len(first) - 1))
        missing = len(first) - kept
        end: list[str] = []
        while len(end) < missing:
            end += choice.choice(words)
        yield " ".join(first[:kept] + end[len(end) - missing :])
