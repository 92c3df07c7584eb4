"""The cache of answers in a damaged or full SQLite file."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from citeproof.model.record import Record
from citeproof.store.cache import AnswerCache
from citeproof.store.sqlite_store import SqliteStore
from tests.store.conftest import RECORDS, Calendar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def opened(tmp_path: Path, calendar: Calendar) -> Callable[..., AnswerCache]:
    return lambda days=30.0: AnswerCache(tmp_path / "cache.db", calendar, timedelta(days=days))


def test_recall_is_none_after_the_file_was_damaged(
    opened: Callable[..., AnswerCache], tmp_path: Path
) -> None:
    cache = opened()
    cache.keep("s", "q", RECORDS)
    SqliteStore(tmp_path / "cache.db").execute("DROP TABLE search_results")
    assert cache.recall("s", "q") is None
    cache.keep("s", "q", RECORDS)
    assert cache.recall("s", "q") is None


def test_recall_of_a_row_that_cannot_be_decoded_is_none(
    opened: Callable[..., AnswerCache], tmp_path: Path
) -> None:
    for text in ("{", "[]", '{"authors": []}', '{"key": "k", "title": "t", "year": "x"}'):
        opened().keep("crossref", "title:x", RECORDS[:1])
        SqliteStore(tmp_path / "cache.db").execute("UPDATE search_results SET record = ?", (text,))
        assert opened().recall("crossref", "title:x") is None


def test_recall_reads_rows_of_other_versions(
    opened: Callable[..., AnswerCache], tmp_path: Path
) -> None:
    opened().keep("crossref", "title:x", RECORDS[:1])
    text = '{"key": "k", "title": "t", "authors": ["Ann Lee"], "doi": "", "of a later version": 1}'
    SqliteStore(tmp_path / "cache.db").execute("UPDATE search_results SET record = ?", (text,))
    assert opened().recall("crossref", "title:x") == (Record("k", "t", ("Ann Lee",)),)


def test_keep_stops_after_a_failure_and_sets_trouble(
    opened: Callable[..., AnswerCache], tmp_path: Path
) -> None:
    cache = opened()
    cache.keep("crossref", "title:x", RECORDS)
    assert cache.trouble == ""
    other = SqliteStore(tmp_path / "cache.db")
    other.execute(
        "CREATE TRIGGER full BEFORE INSERT ON search_results BEGIN SELECT RAISE(ABORT, 'disk"
        " full'); END"
    )
    cache.keep("crossref", "title:y", RECORDS)
    assert "disk full" in cache.trouble
    other.execute("DROP TRIGGER full")
    cache.keep("crossref", "title:z", RECORDS)
    assert cache.recall("crossref", "title:z") is None, "nobody waits for a file that failed once"
    assert cache.recall("crossref", "title:x") == RECORDS, "reading goes on"
