"""Titles to look up in a service, drawn from its database with a fixed seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.web_client import BATCH, SINGLE
from citeproof.database.lookup import Database

if TYPE_CHECKING:
    import random
    from pathlib import Path

BATCH_TITLES = 10
SAMPLE = 20_000


class Titles:
    """The mix: 75 in 100 as the database holds them, 15 damaged, 10 absent."""

    def __init__(self, path: Path, chance: random.Random) -> None:
        self._chance = chance
        with Database.open(path) as database:
            titles = [title for _, title in database.titles()]
        self.count = len(titles)
        self._titles = chance.sample(titles, min(SAMPLE, len(titles)))

    def single(self) -> tuple[str, dict[str, Any]]:
        """Return a single search."""
        return SINGLE, {"title": self._mixed(self._chance.choice(self._titles))}

    def held(self) -> tuple[str, dict[str, Any]]:
        """Return a single search for a title as the database holds it."""
        return SINGLE, {"title": self._chance.choice(self._titles)}

    def mixed(self) -> tuple[str, dict[str, Any]]:
        """Return a batch one time in ten, else a single search."""
        if self._chance.random() < 0.1:
            titles = self._chance.choices(self._titles, k=BATCH_TITLES)
            return BATCH, {"titles": list(map(self._mixed, titles))}
        return self.single()

    def _mixed(self, title: str) -> str:
        words = title.split()
        kind = self._chance.random()
        if kind < 0.75:
            return title
        if kind < 0.83:
            place = self._chance.randrange(len(title))
            return (title[:place] + "x" + title[place + 1 :]).strip() or "x"
        if kind < 0.9:
            words.pop(self._chance.randrange(len(words)))
            return " ".join(words) or "x"
        other = self._chance.choice(self._titles).split()
        return " ".join(words[: len(words) // 2 + 1] + other[len(other) // 2 :])
