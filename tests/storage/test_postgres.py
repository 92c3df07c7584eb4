"""A PostgreSQL schema as a store: its one lock, its threads, connections that are lost, and what its messages say."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("psycopg", reason="needs the extra postgres")
from citeproof.errors import DatabaseError, StoreBusyError
from citeproof.server_address import ServerAddress
from citeproof.storage.postgres import PostgresStore, ProcessPresence
from citeproof.storage.sql import CommitUnknownError
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


def test_one_writer_has_the_lock_and_another_is_told_in_time(store: PostgresStore, address: ServerAddress) -> None:
    other = PostgresStore(address)
    with other.writing(), pytest.raises(StoreBusyError, match="another process holds the write lock"), store.writing():
        pass
    with store.writing():
        store.execute("INSERT INTO numbers VALUES (?)", (1,))
    assert other.execute("SELECT number FROM numbers") == [(1,)]
    other.close()


def test_another_schema_has_a_lock_of_its_own(store: PostgresStore, postgres: Postgres) -> None:
    other = PostgresStore(postgres.schema())
    with other.writing(), store.writing():
        assert store.change("INSERT INTO numbers VALUES (?)", (1,)) == 1
    other.close()


def test_what_fails_inside_leaves_nothing(store: PostgresStore) -> None:
    with pytest.raises(DatabaseError, match="unique"), store.writing():
        store.execute_many("INSERT INTO numbers VALUES (?)", [(1,), (1,)])
    assert store.execute("SELECT count(*) FROM numbers") == [(0,)]


def test_threads_write_at_once(address: ServerAddress, store: PostgresStore) -> None:
    patient = PostgresStore(address)

    def insert(number: int) -> None:
        with patient.writing():
            patient.execute("INSERT INTO numbers VALUES (?)", (number,))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(insert, range(50)))
    assert store.execute("SELECT count(*), max(number) FROM numbers") == [(50, 49)]
    patient.close()


def test_connections_that_the_server_ended_are_replaced(store: PostgresStore, address: ServerAddress) -> None:
    other = PostgresStore(address)
    other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    with store.writing():
        store.execute("INSERT INTO numbers VALUES (1)")
    assert other.execute("SELECT number FROM numbers") == [(1,)]
    other.close()


def insert_over_a_cut_wire(postgres: Postgres, address: ServerAddress, cut: str) -> None:
    """Insert a row; the connection is lost at its commit."""
    with cutting(postgres, address) as (by_wire, wire):
        far = PostgresStore(by_wire)
        try:
            wire.cut = cut
            with far.writing():
                far.execute("INSERT INTO numbers VALUES (1)")
        finally:
            assert wire.was_cut.is_set()
            far.close()


def test_a_commit_whose_answer_is_lost_has_taken_effect(
    store: PostgresStore, postgres: Postgres, address: ServerAddress
) -> None:
    insert_over_a_cut_wire(postgres, address, "after")
    assert store.execute("SELECT number FROM numbers") == [(1,)]


def test_a_commit_that_never_arrived_has_failed(
    store: PostgresStore, postgres: Postgres, address: ServerAddress
) -> None:
    with pytest.raises(DatabaseError) as caught:
        insert_over_a_cut_wire(postgres, address, "before")
    assert not isinstance(caught.value, CommitUnknownError)
    assert store.execute("SELECT number FROM numbers") == []


def test_a_commit_of_which_nobody_knows_says_so(
    store: PostgresStore, postgres: Postgres, address: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.storage.postgres.LOST_AFTER_SECONDS", 0.1)
    with pytest.raises(CommitUnknownError, match="lost while a change was being recorded"):
        insert_over_a_cut_wire(postgres, address, "for good")
    assert store.execute("SELECT number FROM numbers") == [(1,)]


def stand_still(still: PostgresStore, other: PostgresStore) -> None:
    with still.writing():
        with other.writing(10.0):
            other.execute("CREATE TABLE of_other (number INTEGER)")
        still.execute("SELECT 1")


def test_a_host_that_stands_still_in_a_transaction_holds_the_others_up_for_a_while_only(
    address: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.storage.postgres.IDLE_SECONDS", 0.2)
    still, other = PostgresStore(address), PostgresStore(address)
    with pytest.raises(DatabaseError, match="idle-in-transaction"):
        stand_still(still, other)
    with still.writing():  # on a new connection
        still.execute("INSERT INTO of_other VALUES (1)")
    assert other.execute("SELECT number FROM of_other") == [(1,)]
    still.close()
    other.close()


def test_text_that_the_server_cannot_hold_is_kept_with_signs_in_its_place(store: PostgresStore) -> None:
    assert store.execute("SELECT ?::text", ("a\0b\ud800c",)) == [("a\ufffdb?c",)]


def test_a_process_lives_as_long_as_its_lock(store: PostgresStore, address: ServerAddress) -> None:
    presence = ProcessPresence(address)
    assert presence.name in store.owners()
    store.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE objid = ?::bigint::oid", (presence.name,))
    while presence.name in store.owners():  # the server is told, and ends the connection in its own time
        time.sleep(0.01)
    presence.renew()
    assert presence.name in store.owners()
    presence.release()
    assert presence.name not in store.owners()


@pytest.mark.parametrize("url", [
    "postgresql://me:secret@127.0.0.1:1/db", "postgresql://me:secret@127.0.0.1:port/db",
    "postgresql://me:secret@127.0.0.1/db?secret=secret", "postgresql://me:secret@/db?host=/nowhere",
])  # fmt: skip
def test_a_server_that_cannot_be_reached_is_named_without_its_password(url: str) -> None:
    with pytest.raises(DatabaseError, match=r"^postgresql://me@") as caught:
        PostgresStore(ServerAddress(url))
    assert "secret" not in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
