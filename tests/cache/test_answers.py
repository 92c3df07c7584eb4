"""The contract of every cache of answers: what it knows, in which order, and for how long."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.cache.conftest import RECORDS, Calendar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citeproof.cache import AnswerCache
    from tests.cache.conftest import Engine


@pytest.fixture
def opened(engine: Engine, calendar: Calendar) -> Iterator[Callable[..., AnswerCache]]:
    """Return what opens the same place again and again; all are closed at the end."""
    with ExitStack() as caches:
        yield lambda days=30.0: caches.enter_context(closing(engine.answers(calendar, timedelta(days=days))))


def test_records_come_back_in_their_order_in_another_run(opened: Callable[..., AnswerCache]) -> None:
    opened().keep("crossref", "title:x", RECORDS)
    assert opened().recall("crossref", "title:x") == RECORDS


def test_what_was_not_asked_is_not_known(opened: Callable[..., AnswerCache]) -> None:
    cache = opened()
    cache.keep("crossref", "title:x", RECORDS)
    assert cache.recall("openalex", "title:x") is None
    assert cache.recall("crossref", "doi:x") is None


def test_a_newer_answer_takes_the_place_of_an_older(opened: Callable[..., AnswerCache]) -> None:
    cache = opened()
    cache.keep("crossref", "title:x", RECORDS)
    cache.keep("crossref", "title:x", RECORDS[:1])
    assert cache.recall("crossref", "title:x") == RECORDS[:1]
    cache.keep("crossref", "title:x", ())
    assert cache.recall("crossref", "title:x") == ()


def test_an_answer_is_believed_until_max_age(opened: Callable[..., AnswerCache], calendar: Calendar) -> None:
    cache = opened(7)
    cache.keep("crossref", "title:x", RECORDS)
    calendar.now += timedelta(days=7)
    assert cache.recall("crossref", "title:x") == RECORDS
    calendar.now += timedelta(seconds=1)
    assert cache.recall("crossref", "title:x") is None


def test_not_found_is_believed_for_a_day(opened: Callable[..., AnswerCache], calendar: Calendar) -> None:
    cache = opened()
    cache.keep("crossref", "title:x", ())
    calendar.now += timedelta(days=1)
    assert cache.recall("crossref", "title:x") == ()
    calendar.now += timedelta(seconds=1)
    assert cache.recall("crossref", "title:x") is None


def test_max_age_bounds_not_found_too(opened: Callable[..., AnswerCache], calendar: Calendar) -> None:
    cache = opened(0.5)
    cache.keep("crossref", "title:x", ())
    calendar.now += timedelta(hours=13)
    assert cache.recall("crossref", "title:x") is None


def test_it_shares_a_place_with_the_verification_cache(
    opened: Callable[..., AnswerCache], engine: Engine, calendar: Calendar
) -> None:
    verified = engine.verified(calendar)
    opened().keep("crossref", "title:x", RECORDS)
    assert verified.find("Title") == ()
    verified.close()


def test_threads_may_share_it(opened: Callable[..., AnswerCache]) -> None:
    cache = opened()

    def work(number: int) -> bool:
        cache.keep("s", f"q{number % 5}", RECORDS)
        return cache.recall("s", f"q{number % 5}") == RECORDS

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(80)))
