"""The cache of answers, in both engines."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.store.conftest import RECORDS, Calendar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citeproof.store.cache import AnswerCache
    from tests.store.conftest import Engine


@pytest.fixture
def opened(engine: Engine, calendar: Calendar) -> Iterator[Callable[..., AnswerCache]]:
    """Return a function that opens the same cache again; all are closed after the test."""
    with ExitStack() as caches:
        yield lambda days=30.0: caches.enter_context(
            closing(engine.answers(calendar, timedelta(days=days)))
        )


def test_recall_returns_records_in_order_in_a_later_run(opened: Callable[..., AnswerCache]) -> None:
    opened().keep("crossref", "title:x", RECORDS)
    assert opened().recall("crossref", "title:x") == RECORDS


def test_recall_of_an_unknown_query_is_none(opened: Callable[..., AnswerCache]) -> None:
    cache = opened()
    cache.keep("crossref", "title:x", RECORDS)
    assert cache.recall("openalex", "title:x") is None
    assert cache.recall("crossref", "doi:x") is None


def test_keep_replaces_an_earlier_answer(opened: Callable[..., AnswerCache]) -> None:
    cache = opened()
    cache.keep("crossref", "title:x", RECORDS)
    cache.keep("crossref", "title:x", RECORDS[:1])
    assert cache.recall("crossref", "title:x") == RECORDS[:1]
    cache.keep("crossref", "title:x", ())
    assert cache.recall("crossref", "title:x") == ()


def test_recall_returns_an_answer_until_max_age(
    opened: Callable[..., AnswerCache], calendar: Calendar
) -> None:
    cache = opened(7)
    cache.keep("crossref", "title:x", RECORDS)
    calendar.now += timedelta(days=7)
    assert cache.recall("crossref", "title:x") == RECORDS
    calendar.now += timedelta(seconds=1)
    assert cache.recall("crossref", "title:x") is None


def test_recall_returns_an_empty_answer_for_a_day(
    opened: Callable[..., AnswerCache], calendar: Calendar
) -> None:
    cache = opened()
    cache.keep("crossref", "title:x", ())
    calendar.now += timedelta(days=1)
    assert cache.recall("crossref", "title:x") == ()
    calendar.now += timedelta(seconds=1)
    assert cache.recall("crossref", "title:x") is None


def test_recall_limits_empty_answers_by_max_age_too(
    opened: Callable[..., AnswerCache], calendar: Calendar
) -> None:
    cache = opened(0.5)
    cache.keep("crossref", "title:x", ())
    calendar.now += timedelta(hours=13)
    assert cache.recall("crossref", "title:x") is None


def test_answer_cache_shares_a_file_with_the_verification_cache(
    opened: Callable[..., AnswerCache], engine: Engine, calendar: Calendar
) -> None:
    verified = engine.verified(calendar)
    opened().keep("crossref", "title:x", RECORDS)
    assert verified.find("Title") == ()
    verified.close()


def test_answer_cache_is_safe_in_threads(opened: Callable[..., AnswerCache]) -> None:
    cache = opened()

    def work(number: int) -> bool:
        cache.keep("s", f"q{number % 5}", RECORDS)
        return cache.recall("s", f"q{number % 5}") == RECORDS

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(80)))
