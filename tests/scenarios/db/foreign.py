"""Databases of other tools with titles made of few words, and what look-ups in them must find."""

import random
import sqlite3
from pathlib import Path

import pytest
from rapidfuzz import fuzz

from citeproof.database.lookup import Database
from citeproof.text.normalize import normalize_title

WORDS = [
    "lamp",
    "tree",
    "sorting",
    "light",
    "optimal",
    "deep",
    "graph",
    "neural",
    "search",
    "of",
    "in",
    "the",
    "for",
    "with",
    "theory",
    "systems",
]
LAYOUTS = {
    "publications": "CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT)",
    "publications + title_fts": "CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT);"
    "CREATE VIRTUAL TABLE title_fts USING fts5(title, content='publications', content_rowid='id')",
    "titles + title_words": "CREATE TABLE titles (id INTEGER PRIMARY KEY, title TEXT);"
    "CREATE TABLE title_words (word TEXT, id INTEGER)",
}


def make_titles(count: int = 400) -> list[str]:
    rng = random.Random(5)
    titles = [
        " ".join(rng.choices(WORDS, k=rng.randint(2, 9))).capitalize() + "." for _ in range(count)
    ]
    return [*titles, "Lamp trees: sorting by light", "Lamp trees: a survey"]


def make_database(
    path: Path, kind: str = "publications + title_fts", journal: str = "delete"
) -> Path:
    """Write a database of a foreign layout."""
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.executescript(LAYOUTS[kind])
    table = kind.split(maxsplit=1)[0]
    for number, title in enumerate(make_titles(), 1):
        connection.execute(f"INSERT INTO {table} VALUES (?, ?)", (number, title))
        if "title_fts" in kind:
            connection.execute(
                "INSERT INTO title_fts (rowid, title) VALUES (?, ?)", (number, title)
            )
        elif "title_words" in kind:
            words = sorted(set(normalize_title(title).split()))
            connection.executemany(
                "INSERT INTO title_words VALUES (?, ?)", [(word, number) for word in words]
            )
    connection.commit()
    connection.close()
    return path


def damaged_titles(count: int) -> list[str]:
    """Return titles with a letter, a word or half of their words wrong."""
    rng = random.Random(7)
    damages = (
        lambda title: title.replace("e", "3", 1),
        lambda title: title.replace(" ", " q", 1),
        lambda title: " ".join(title.split()[::2] or [title]),
    )
    return [
        damages[number % 3](title) for number, title in enumerate(rng.sample(make_titles(), count))
    ]


def similarity_by_comparing_all(path: Path, query: str) -> float:
    with Database.open(path) as database:
        normalized = normalize_title(query)
        return max(
            fuzz.ratio(normalized, normalize_title(title)) / 100 for _, title in database.titles()
        )


def queries() -> list[str]:
    rng = random.Random(6)
    titles = rng.sample(make_titles(), 12)
    damaged = [title.replace("e", "3", 1) for title in titles[:6]]
    return [*titles[6:], *damaged, "Nothing is called like this at all", "Lamp"]


def assert_right_or_unproved(database: Database, path: Path) -> None:
    for query in queries():
        lookup = database.look_up(query, 0.85)
        right = similarity_by_comparing_all(path, query)
        if lookup.found:
            assert lookup.candidates[0].similarity <= right + 1e-12
        if lookup.complete:
            assert lookup.found == (right >= 0.85), query
            if lookup.found:
                assert lookup.candidates[0].similarity == pytest.approx(right, abs=1e-12)


def indexes_used(database: Database) -> set[str]:
    return {database.look_up(query, 0.85).index for query in queries()}
