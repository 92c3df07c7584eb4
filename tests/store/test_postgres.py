"""A store in PostgreSQL: its lock, threads, lost connections and messages."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("psycopg", reason="needs the extra postgres")
from citeproof.model.errors import DatabaseError, StoreBusyError
from citeproof.store.opening import insert_rows
from citeproof.store.postgres import LivenessLock, PostgresStore
from citeproof.store.sql import CommitUnknownError, ServerAddress
from tests.postgres import cutting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres import Postgres


@pytest.fixture
def address(postgres: Postgres) -> ServerAddress:
    return postgres.schema()


@pytest.fixture
def store(address: ServerAddress) -> Iterator[PostgresStore]:
    store = PostgresStore(address, lock_wait=0.05)
    store.execute("CREATE TABLE numbers (number INTEGER UNIQUE)")
    yield store
    store.close()


def test_writing_fails_while_another_process_holds_the_lock(
    store: PostgresStore, address: ServerAddress
) -> None:
    other = PostgresStore(address)
    with (
        other.writing(),
        pytest.raises(StoreBusyError, match="another process holds the write lock"),
        store.writing(),
    ):
        pass
    with store.writing():
        store.execute("INSERT INTO numbers VALUES (?)", (1,))
    assert other.execute("SELECT number FROM numbers") == [(1,)]
    other.close()


def test_writing_does_not_wait_for_another_schema(store: PostgresStore, postgres: Postgres) -> None:
    other = PostgresStore(postgres.schema())
    with other.writing(), store.writing():
        assert store.change("INSERT INTO numbers VALUES (?)", (1,)) == 1
    other.close()


def test_writing_rolls_back_after_an_error(store: PostgresStore) -> None:
    with pytest.raises(DatabaseError, match="unique"), store.writing():
        insert_rows(store, "INSERT INTO numbers", [(1,), (1,)])
    assert store.execute("SELECT count(*) FROM numbers") == [(0,)]


def test_writing_is_safe_in_threads(address: ServerAddress, store: PostgresStore) -> None:
    patient = PostgresStore(address)

    def insert(number: int) -> None:
        with patient.writing():
            patient.execute("INSERT INTO numbers VALUES (?)", (number,))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(insert, range(50)))
    assert store.execute("SELECT count(*), max(number) FROM numbers") == [(50, 49)]
    patient.close()


def test_writing_replaces_connections_that_the_server_closed(
    store: PostgresStore, address: ServerAddress
) -> None:
    other = PostgresStore(address)
    other.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    )
    with store.writing():
        store.execute("INSERT INTO numbers VALUES (1)")
    assert other.execute("SELECT number FROM numbers") == [(1,)]
    other.close()


def insert_over_a_cut_wire(postgres: Postgres, address: ServerAddress, cut: str) -> None:
    """Insert a row over a connection that is lost at the commit."""
    with cutting(postgres, address) as (by_wire, wire):
        far = PostgresStore(by_wire)
        try:
            wire.cut = cut
            with far.writing():
                far.execute("INSERT INTO numbers VALUES (1)")
        finally:
            assert wire.was_cut.is_set()
            far.close()


def test_writing_succeeds_if_only_the_answer_to_its_commit_is_lost(
    store: PostgresStore, postgres: Postgres, address: ServerAddress
) -> None:
    insert_over_a_cut_wire(postgres, address, "after")
    assert store.execute("SELECT number FROM numbers") == [(1,)]


def test_writing_fails_if_its_commit_did_not_arrive(
    store: PostgresStore, postgres: Postgres, address: ServerAddress
) -> None:
    with pytest.raises(DatabaseError) as caught:
        insert_over_a_cut_wire(postgres, address, "before")
    assert not isinstance(caught.value, CommitUnknownError)
    assert store.execute("SELECT number FROM numbers") == []


def test_writing_raises_commit_unknown_if_the_server_cannot_be_asked(
    store: PostgresStore,
    postgres: Postgres,
    address: ServerAddress,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("citeproof.store.postgres._LOST_AFTER_SECONDS", 0.1)
    with pytest.raises(CommitUnknownError, match="lost while a change was being recorded"):
        insert_over_a_cut_wire(postgres, address, "for good")
    assert store.execute("SELECT number FROM numbers") == [(1,)]


def test_writing_fails_if_the_server_assigns_its_transaction_number_again(
    store: PostgresStore, postgres: Postgres, address: ServerAddress
) -> None:
    numbers: list[int] = []

    def crash_and_commit() -> None:
        numbers.append(
            int(store.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text")[0][0])
        )
        postgres.crash()
        with store.writing():
            store.execute("INSERT INTO numbers VALUES (2)")
            numbers.append(int(store.execute("SELECT pg_current_xact_id()::text")[0][0]))

    with cutting(postgres, address) as (by_wire, wire):
        far = PostgresStore(by_wire)
        wire.cut, wire.meanwhile = "before", crash_and_commit
        with pytest.raises(DatabaseError) as caught, far.writing():
            far.execute("INSERT INTO numbers VALUES (1)")
        far.close()
    assert not isinstance(caught.value, CommitUnknownError)
    assert store.execute("SELECT number FROM numbers") == [(2,)]
    assert numbers[0] == numbers[1], "the server gave a new number, so this test shows nothing"


def test_store_deletes_old_marks(store: PostgresStore, address: ServerAddress) -> None:
    with store.writing():
        store.execute(
            "INSERT INTO citeproof_marks VALUES ('gone', 'mark', now() - interval '2 days')"
        )
    PostgresStore(address).close()
    assert ("gone",) not in store.execute("SELECT connection FROM citeproof_marks")
    assert store.execute("SELECT count(*) FROM citeproof_marks") == [(1,)]


def stand_still(still: PostgresStore, other: PostgresStore) -> None:
    with still.writing():
        with other.writing(10.0):
            other.execute("CREATE TABLE of_other (number INTEGER)")
        still.execute("SELECT 1")


def test_writing_of_a_suspended_host_loses_its_lock(
    address: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.store.postgres._IDLE_SECONDS", 0.2)
    still, other = PostgresStore(address), PostgresStore(address)
    with pytest.raises(DatabaseError, match="idle-in-transaction"):
        stand_still(still, other)
    with still.writing():  # on a new connection
        still.execute("INSERT INTO of_other VALUES (1)")
    assert other.execute("SELECT number FROM of_other") == [(1,)]
    still.close()
    other.close()


def test_execute_replaces_characters_that_the_server_cannot_store(store: PostgresStore) -> None:
    assert store.execute("SELECT ?::text", ("a\0b\ud800c",)) == [("a\ufffdb?c",)]


def test_owners_has_a_process_while_it_holds_its_lock(
    store: PostgresStore, address: ServerAddress
) -> None:
    lock = LivenessLock(address)
    assert lock.name in store.owners()
    store.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE objid = ?::bigint::oid", (lock.name,)
    )
    # the server is told, and ends the connection in its own time
    while lock.name in store.owners():
        time.sleep(0.01)
    lock.renew()
    assert lock.name in store.owners()
    lock.release()
    assert lock.name not in store.owners()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:secret@127.0.0.1:1/db",
        "postgresql://me:secret@127.0.0.1:port/db",
        "postgresql://me:secret@127.0.0.1/db?secret=secret",
        "postgresql://me:secret@/db?host=/nowhere",
    ],
)
def test_store_names_an_unreachable_server_without_its_password(url: str) -> None:
    with pytest.raises(DatabaseError, match=r"^postgresql://me@") as caught:
        PostgresStore(ServerAddress(url))
    assert "secret" not in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
