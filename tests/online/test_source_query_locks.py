"""One lock per query of a source with a cache."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from citeproof.model.findings import Outcome
from citeproof.online.net.service import Access, Kind, SourceError
from citeproof.online.sources import SOURCES
from citeproof.store.cache import AnswerCache
from tests.online.works import RETRACTED, TABLES, cite

TITLES = {"one": cite(TABLES), "two": cite(RETRACTED)}


class Memory(AnswerCache):
    """A cache in memory."""

    def __init__(self) -> None:
        self._records: dict[str, Any] = {}

    def recall(self, source: str, query: str) -> Any:
        return self._records.get(query)

    def keep(self, source: str, query: str, records: Any) -> None:
        self._records[query] = records


class Slow:
    """A client whose answers are empty, and wait for ``go`` if the first search asks."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.asked, self.go = threading.Event(), threading.Event()

    def send(self, service: Any, path: str, params: Any, **options: Any) -> tuple[()]:
        self.sent.append(path)
        if TABLES.doi in path:
            self.asked.set()
            assert self.go.wait(5)
        return ()


def doi_org(client: Any, clock: Any) -> Any:
    return SOURCES["doi_org"](client, clock, Access(), Memory())


def test_search_sends_the_same_concurrent_query_once_and_waits_for_no_other(
    manual_clock: Any,
) -> None:
    client = Slow()
    source = doi_org(client, manual_clock)
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(source.search, TITLES["one"])
        assert client.asked.wait(5)
        second = pool.submit(source.search, TITLES["one"])
        assert not pool.submit(source.search, TITLES["two"]).result(5).inquiries[0].from_cache
        assert len(client.sent) == 2
        client.go.set()
        assert not first.result(5).inquiries[0].from_cache
        assert second.result(5).inquiries[0].from_cache
    assert len(client.sent) == 2
    assert not source._locks


def test_search_releases_the_lock_of_a_failed_query(manual_clock: Any) -> None:
    class Failing:
        def send(self, *arguments: Any, **options: Any) -> Any:
            raise SourceError(Kind.TIMEOUT)

    source = doi_org(Failing(), manual_clock)
    for _ in range(2):
        assert source.search(TITLES["one"]).inquiries[0].outcome is Outcome.FAILED
    assert not source._locks
