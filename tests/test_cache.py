"""The verification cache: what it keeps once, what it finds, and what it never takes for a pattern."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeproof.cache import Cache
from citeproof.errors import DatabaseError
from citeproof.models import Candidate, Record, Reference, Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

text = st.text(alphabet=st.sampled_from("abcXYZ %_\\é'\""), max_size=12)
titles = text.filter(str.strip)
Work = tuple[str, list[str], int | None]


class Clock:
    """A clock that moves one second at each look."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    opened = Cache(tmp_path / "folder" / "verified.db", Clock())
    yield opened
    opened.close()


def valid(title: str, authors: tuple[str, ...] = (), year: int | None = None, key: str = "k") -> Verdict:
    record = Record(key=key, title=title, authors=authors, year=year)
    return Verdict(Reference("r"), Status.VALID, "confirmed", 1.0, best_match=Candidate(record, 1.0))


def rows(path: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(path) as connection:
        return connection.execute("SELECT title, authors, year FROM scholar_results").fetchall()


def test_a_record_comes_back_as_it_was(cache: Cache) -> None:
    record = Record(
        key="conf/x/1", title="A Title", authors=("Ada Lovelace", "Alan Turing"), year=1950, venue="Mind",
        pub_type="article", doi="10.1/x", arxiv_id="1234.5678", pages="1-2", url="https://example.org", source="dblp",
        retraction="https://doi.org/10.1/notice", concern="https://doi.org/10.1/concern",
    )  # fmt: skip
    cache.remember(Verdict(Reference("r"), Status.VALID, "confirmed", 1.0, best_match=Candidate(record, 1.0)))
    assert cache.find("A Title") == record


def test_the_stored_title_contains_the_given_text_and_the_newest_wins(cache: Cache) -> None:
    cache.remember(valid("Deep Learning", key="old"))
    cache.remember(valid("On Deep Learning and More", key="new"))
    found = cache.find("deep learning")
    assert found is not None
    assert found.key == "new"
    assert cache.find("Deep Learning and Less") is None


@pytest.mark.parametrize(("stored", "asked"), [("100% right", "0% r"), ("a_b", "a_b"), ("back\\slash", "k\\s")])
def test_pattern_signs_are_plain_characters(cache: Cache, stored: str, asked: str) -> None:
    cache.remember(valid(stored))
    assert cache.find(asked)
    assert cache.find(asked.replace("%", "x%").replace("_", "%").replace("\\", "\\\\")) is None


def test_an_empty_title_finds_nothing(cache: Cache) -> None:
    cache.remember(valid("Anything"))
    assert cache.find("  ") is None


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(titles, st.lists(text.filter(str.strip), max_size=2), st.none() | st.just(1999)), max_size=8))
def test_title_authors_and_year_are_kept_once(tmp_path_factory: pytest.TempPathFactory, works: list[Work]) -> None:
    path = tmp_path_factory.mktemp("cache") / "verified.db"
    cache = Cache(path, Clock())
    keys = set()
    for title, authors, year in works * 2:
        cache.remember(valid(title, tuple(authors), year))
        keys.add((title, "; ".join(authors) or None, year))
    cache.close()
    assert sorted(map(repr, rows(path))) == sorted(map(repr, keys))


@settings(max_examples=60, deadline=None)
@given(title=titles, query=titles)
def test_find_agrees_with_a_plain_substring(tmp_path_factory: pytest.TempPathFactory, title: str, query: str) -> None:
    cache = Cache(tmp_path_factory.mktemp("cache") / "verified.db", Clock())
    cache.remember(valid(title))
    fold = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
    assert bool(cache.find(query)) == (query.translate(fold) in title.translate(fold))
    cache.close()


def test_a_cache_of_an_older_layout_gains_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE scholar_results (id INTEGER PRIMARY KEY, title, authors, year, created_at)")
        connection.execute("INSERT INTO scholar_results VALUES (1, 'Old Work', 'A. Author', '1999', '2020-01-01')")
    cache = Cache(path, Clock())
    assert cache.find("Old Work") == Record(key="", title="Old Work", authors=("A. Author",), year=1999)
    cache.remember(valid("New Work"))
    assert cache.find("New Work")


def test_what_an_older_cache_holds_twice_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE scholar_results (title, authors, year, created_at)")
        twice = [("Work", None, None, "2020-01-01"), ("Work", "A. Author", 1999, "2021-01-01")] * 2
        connection.executemany("INSERT INTO scholar_results VALUES (?, ?, ?, ?)", [*twice, ("Other", None, None, "")])
    connection.close()
    cache = Cache(path, Clock())
    assert cache.find("Work") == Record(key="", title="Work", authors=("A. Author",), year=1999)
    cache.close()
    assert sorted(map(repr, rows(path))) == sorted(
        map(repr, [("Work", None, None), ("Work", "A. Author", 1999), ("Other", None, None)])
    )


def test_the_file_has_both_tables_from_the_first_run_on(tmp_path: Path) -> None:
    Cache(tmp_path / "new.db", Clock()).close()
    with sqlite3.connect(tmp_path / "new.db") as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    assert {"scholar_results", "search_results"} <= {name for (name,) in tables}


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("this is not a database " * 100)
    with pytest.raises(DatabaseError, match=r"notes\.txt"):
        Cache(path, Clock())


def test_a_verdict_does_not_depend_on_being_remembered(cache: Cache, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "folder" / "verified.db") as other:
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON scholar_results BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        )
    cache.remember(valid("A title"))
    assert "disk full" in cache.trouble
    assert cache.find("A title") is None
