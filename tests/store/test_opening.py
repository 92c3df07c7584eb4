"""Migrations of a store that hosts of two versions share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("psycopg", reason="needs the extra postgres")
from citeproof.model.errors import DatabaseError
from citeproof.store.opening import migrate
from citeproof.store.postgres import PostgresStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres import Postgres

STEPS = (
    ("CREATE TABLE one (a INTEGER)",),
    ("ALTER TABLE one ADD COLUMN b INTEGER",),
    ("CREATE TABLE two (a TEXT)",),
)


@pytest.fixture
def store(postgres: Postgres) -> Iterator[PostgresStore]:
    store = PostgresStore(postgres.schema())
    yield store
    store.close()


def bring(store: PostgresStore, version: int) -> None:
    with store.writing():
        migrate(store, "runtime", STEPS[:version])


def test_migrate_runs_missing_migrations_once(store: PostgresStore) -> None:
    for version in (1, 1, 3, 3):
        bring(store, version)
    store.execute("INSERT INTO one VALUES (1, 2)")
    assert store.execute("SELECT version, oldest FROM citeproof_layouts") == [(3, 2)]


def test_migrate_accepts_a_host_of_the_version_before(store: PostgresStore) -> None:
    bring(store, 2)
    bring(store, 3)
    bring(store, 2)
    assert store.execute("SELECT version, oldest FROM citeproof_layouts") == [(3, 2)]


def test_migrate_refuses_an_older_host_and_changes_nothing(store: PostgresStore) -> None:
    bring(store, 3)
    with pytest.raises(
        DatabaseError, match="has layout 3 of the runtime store, written by a newer citeproof"
    ):
        bring(store, 1)
    assert store.execute("SELECT version FROM citeproof_layouts") == [(3,)]
