"""Answers in an SQLite file that breaks, is damaged, or is full."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from citeproof.cache.sqlite.answers import SqliteAnswerCache
from citeproof.storage.store import Store
from tests.cache.conftest import RECORDS, Calendar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def opened(tmp_path: Path, calendar: Calendar) -> Callable[..., SqliteAnswerCache]:
    return lambda days=30.0: SqliteAnswerCache(tmp_path / "cache.db", calendar, timedelta(days=days))


def test_a_file_that_breaks_in_a_run_costs_no_verdict(opened: Callable[..., SqliteAnswerCache], tmp_path: Path) -> None:
    cache = opened()
    cache.keep("s", "q", RECORDS)
    Store(tmp_path / "cache.db").execute("DROP TABLE search_results")
    assert cache.recall("s", "q") is None
    cache.keep("s", "q", RECORDS)
    assert cache.recall("s", "q") is None


def test_a_row_that_cannot_be_read_is_not_known(opened: Callable[..., SqliteAnswerCache], tmp_path: Path) -> None:
    for text in ("{", "[]", '{"authors": []}', '{"key": "k", "title": "t", "authors": [], "of a later version": 1}'):
        opened().keep("crossref", "title:x", RECORDS[:1])
        Store(tmp_path / "cache.db").execute("UPDATE search_results SET record = ?", (text,))
        assert opened().recall("crossref", "title:x") is None


def test_a_write_that_fails_is_the_last_and_is_told(opened: Callable[..., SqliteAnswerCache], tmp_path: Path) -> None:
    cache = opened()
    cache.keep("crossref", "title:x", RECORDS)
    assert cache.trouble == ""
    other = Store(tmp_path / "cache.db")
    other.execute("CREATE TRIGGER full BEFORE INSERT ON search_results BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    cache.keep("crossref", "title:y", RECORDS)
    assert "disk full" in cache.trouble
    other.execute("DROP TRIGGER full")
    cache.keep("crossref", "title:z", RECORDS)
    assert cache.recall("crossref", "title:z") is None, "nobody waits for a file that failed once"
    assert cache.recall("crossref", "title:x") == RECORDS, "reading goes on"
