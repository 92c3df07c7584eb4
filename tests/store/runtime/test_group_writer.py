"""Group commit: changes are committed together, singly after a failure, and within their
time-outs.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING

import apsw
import pytest

from citeproof.model.errors import DatabaseError, StoreBusyError
from citeproof.store.runtime.group_writer import Change, GroupWriter
from citeproof.store.sqlite_store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INSERT = "INSERT INTO numbers"


class CountingStore(SqliteStore):
    """A store that counts its transactions."""

    commits = 0

    @contextmanager
    def writing(self, lock_wait: float | None = None) -> Iterator[None]:
        with super().writing(lock_wait):
            yield
        self.commits += 1


@pytest.fixture
def store(path: Path) -> Iterator[CountingStore]:
    store = CountingStore(path)
    store.execute("CREATE TABLE numbers (number INTEGER UNIQUE)")
    store.execute("CREATE TABLE runtime_counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL)")
    yield store
    store.close()


@pytest.fixture
def locker(store: CountingStore, path: Path) -> Iterator[SqliteStore]:
    """Return another connection to the same file."""
    locker = SqliteStore(path)
    yield locker
    locker.close()


def insert(number: int) -> Change:
    return Change(((INSERT, (number,)),), counters={"inserted": 1})


def test_submit_commits_queued_changes_together(store: CountingStore, locker: SqliteStore) -> None:
    writer = GroupWriter(store, 5.0)
    with locker.writing():
        events = [writer.submit(insert(number)) for number in range(300)]
    for event in events:
        event.result(5)
    writer.close(5)
    assert store.commits == 1
    assert store.execute("SELECT count(*) FROM numbers") == [(300,)]
    assert store.execute("SELECT value FROM runtime_counters") == [(300,)]


@pytest.fixture
def after_three(
    store: CountingStore, locker: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> Iterator[GroupWriter]:
    """Return a writer whose last commit had three changes, and that waits a minute for as many."""
    writer = GroupWriter(store, 5.0)
    with locker.writing():
        events = [writer.submit(insert(number)) for number in (1, 2, 3)]
    for event in events:
        event.result(5)
    monkeypatch.setattr("citeproof.store.runtime.group_writer.GATHERING_SECONDS", 60.0)
    yield writer
    writer.close(5)


def test_submit_waits_for_as_many_changes_as_the_last_commit_had(
    store: CountingStore, after_three: GroupWriter
) -> None:
    events = [after_three.submit(insert(number)) for number in (4, 5)]
    time.sleep(0.05)
    assert (store.commits, [event.done() for event in events]) == (1, [False, False])
    after_three.submit(insert(6)).result(5)
    assert store.commits == 2
    assert all(event.done() for event in events)


def test_close_does_not_wait_for_more_changes(
    store: CountingStore, after_three: GroupWriter
) -> None:
    event = after_three.submit(insert(4))
    after_three.close(5)
    event.result(0)
    assert store.commits == 2


def test_submit_waits_for_more_changes_at_most_a_moment(
    after_three: GroupWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.store.runtime.group_writer.GATHERING_SECONDS", 0.01)
    after_three.submit(insert(4)).result(5)


def test_submit_of_a_faulty_change_fails_alone(store: CountingStore, locker: SqliteStore) -> None:
    writer = GroupWriter(store, 5.0)
    with locker.writing():
        events = [writer.submit(insert(number)) for number in (1, 2, 2, 3)]
    for place in (0, 1, 3):
        events[place].result(5)
    with pytest.raises(DatabaseError, match="UNIQUE"):
        events[2].result(5)
    writer.close(5)
    assert store.execute("SELECT number FROM numbers ORDER BY 1") == [(1,), (2,), (3,)]
    assert store.execute("SELECT value FROM runtime_counters") == [(3,)]


def test_submit_after_a_failed_group_commits_together_again(
    store: CountingStore, locker: SqliteStore
) -> None:
    writer = GroupWriter(store, 5.0)
    with locker.writing():
        failing = [writer.submit(insert(number)) for number in (1, 2, 2)]
    for event in failing:
        event.exception(5)
    before = store.commits
    assert before == 2, "the changes of the failed group are committed one by one"
    with locker.writing():
        events = [writer.submit(insert(number)) for number in (4, 5, 6)]
    for event in events:
        event.result(5)
    writer.close(5)
    assert store.commits == before + 1


class LockedAfterFailure(CountingStore):
    """Another process takes the lock as soon as a transaction has failed."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.other = apsw.Connection(str(path))

    @contextmanager
    def writing(self, lock_wait: float | None = None) -> Iterator[None]:
        try:
            with super().writing(lock_wait):
                yield
        except StoreBusyError:
            raise
        except DatabaseError:
            self.other.execute("BEGIN IMMEDIATE")
            raise


def test_submit_of_a_failed_group_waits_for_the_lock_once(
    store: CountingStore, locker: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.store.runtime.group_writer._LOCK_SLICE_SECONDS", 0.05)
    locked = LockedAfterFailure(path)
    with locker.writing():
        writer = GroupWriter(locked, 0.3)
        bad = writer.submit(Change((("INSERT INTO nowhere", (1,)),)))
        views = [writer.submit(insert(number), has_deadline=False) for number in range(8)]
    with pytest.raises(StoreBusyError):
        bad.result(5)
    with pytest.raises(StoreBusyError):
        writer.submit(insert(100)).result(2)  # not after the time of each of the others
    assert not any(view.done() for view in views)
    locked.other.execute("ROLLBACK")
    for view in views:
        view.result(5)
    writer.close(5)
    assert store.execute("SELECT count(*) FROM numbers") == [(8,)]
    locked.other.close()
    locked.close()


def test_submit_waits_its_own_time_for_the_lock(store: CountingStore, locker: SqliteStore) -> None:
    writer = GroupWriter(store, 0.6)
    with locker.writing():
        early = writer.submit(insert(1))
        time.sleep(0.4)
        late = writer.submit(insert(2))
        with pytest.raises(StoreBusyError, match="another process holds the write lock"):
            early.result(5)
        assert not late.done()
    late.result(5)
    writer.submit(insert(3)).result(5)
    writer.close(5)
    assert store.execute("SELECT number FROM numbers ORDER BY 1") == [(2,), (3,)]


def test_submit_without_deadline_outlasts_a_long_lock(
    store: CountingStore, locker: SqliteStore
) -> None:
    writer = GroupWriter(store, 0.1)
    with locker.writing():
        waiting = writer.submit(insert(1), has_deadline=False)
        with pytest.raises(StoreBusyError):
            writer.submit(insert(2)).result(5)
        with pytest.raises(StoreBusyError):
            writer.submit(insert(3)).result(5)
        assert not waiting.done()
    waiting.result(5)
    writer.close(0.1)
    assert store.execute("SELECT number FROM numbers") == [(1,)]


def test_close_under_a_lock_fails_the_queued_changes(
    store: CountingStore, locker: SqliteStore
) -> None:
    writer = GroupWriter(store, 0.2)
    with locker.writing():
        waiting = writer.submit(insert(1), has_deadline=False)
        writer.close(0.1)
    with pytest.raises(StoreBusyError):
        waiting.result(0)
    with pytest.raises(DatabaseError, match="closed"):
        writer.submit(insert(2))


def test_submit_writes_a_change_whose_request_was_cancelled(
    store: CountingStore, locker: SqliteStore
) -> None:
    writer = GroupWriter(store, 5.0)
    with locker.writing():
        event = writer.submit(insert(1))
        assert not event.cancel()
    writer.submit(insert(2)).result(5)
    writer.close(5)
    assert store.execute("SELECT count(*) FROM numbers") == [(2,)]


def test_submit_in_many_threads_writes_each_change(store: CountingStore) -> None:
    writer = GroupWriter(store, 5.0)

    def work(first: int) -> None:
        for number in range(first, first + 50):
            writer.submit(insert(number)).result(10)

    threads = [Thread(target=work, args=(1000 * place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.close(5)
    assert store.execute("SELECT count(*) FROM numbers") == [(400,)]
    assert store.commits < 400
