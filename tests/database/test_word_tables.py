"""Words of titles, in a full-text table and in another program's table of words."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.database.lookup import Database
from citeproof.database.word_tables import FullText, Words, WordTable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TITLES = (
    "Counting Sheep with Ropes",
    "Counting Goats with Ropes and Mirrors",
    "Sorting Sheep",
    "Sheepish Almanacs",
)


@pytest.fixture(params=[FullText, WordTable])
def words(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Words]:
    """Return the words of a database of citeproof, and of one that another program made."""
    path = tmp_path / "words.db"
    if request.param is FullText:
        records = "".join(
            f"<article key='k/{n}'><author>Ada Almgren</author><title>{title}.</title>"
            "<year>2001</year></article>"
            for n, title in enumerate(TITLES)
        )
        (tmp_path / "words.xml").write_text(f"<dblp>{records}</dblp>")
        build([tmp_path / "words.xml"], path)
    else:
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE titles (id INTEGER PRIMARY KEY, title TEXT)")
        connection.execute("CREATE TABLE title_words (word TEXT, id INTEGER)")
        for number, title in enumerate(TITLES, 1):
            connection.execute("INSERT INTO titles VALUES (?, ?)", (number, title))
            pairs = [(word, number) for word in title.lower().split()]
            connection.executemany("INSERT INTO title_words VALUES (?, ?)", pairs)
        connection.commit()
        connection.close()
    with Database.open(path) as database:
        yield request.param(database.file, database.layout)


def _ids(found: list[tuple[int, str]]) -> set[int]:
    assert {title.rstrip(".") for _, title in found} <= set(TITLES)
    return {number for number, _ in found}


def test_count_says_how_many_titles_have_a_word(words: Words) -> None:
    assert [words.count(word) for word in ("sheep", "goats", "with", "nobody")] == [2, 1, 2, 0]


def test_titles_have_all_words_and_one_of_the_others(words: Words) -> None:
    assert _ids(words.titles(["sheep"], 9)) == {1, 3}
    assert _ids(words.titles(["sheep", "counting"], 9)) == {1}
    assert _ids(words.titles(["counting"], 9, ["mirrors", "sheep"])) == {1, 2}
    assert _ids(words.titles(["counting"], 9, ["mirrors"])) == {2}
    assert len(words.titles(["counting"], 1)) == 1
    every = ["goats", "counting", "mirrors", "ropes", "with", "and"]
    assert _ids(words.titles(every, 9)) == {2}
    assert _ids(words.titles([*every[:5], "sheep"], 9)) == set()


def test_titles_beginning_have_a_word_that_starts_so(words: Words) -> None:
    assert _ids(words.titles_beginning("sheep", 9)) == {1, 3, 4}
    assert _ids(words.titles_beginning("alm", 9)) == {4}
    assert words.titles_beginning("zz", 9) == []


def test_contains_says_whether_a_record_has_a_word(words: Words) -> None:
    assert words.contains(1, "sheep")
    assert not words.contains(2, "sheep")
    assert not words.contains(4, "sheep")
