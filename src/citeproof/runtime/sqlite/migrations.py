"""The layout of the runtime store, as numbered steps; ``PRAGMA user_version`` holds the number of the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.errors import DatabaseError
from citeproof.storage.store import contents

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.storage.store import Store

APPLICATION_ID = 0x63697470
"""Marks the file as a runtime store (``PRAGMA application_id``): the letters ``citp``."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE runtime_counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
        """CREATE TABLE single_search_events (
            id INTEGER PRIMARY KEY, created_at TEXT NOT NULL, request_id TEXT NOT NULL, title TEXT NOT NULL,
            max_candidates INTEGER NOT NULL, found INTEGER NOT NULL, similarity REAL, matched_key TEXT,
            method TEXT, candidates_examined INTEGER, complete INTEGER, duration_ms REAL, error TEXT)""",
        """CREATE TABLE batch_runs (
            id TEXT PRIMARY KEY, created_at TEXT NOT NULL, finished_at TEXT, request_id TEXT NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'interrupted')),
            error_message TEXT, item_limit INTEGER NOT NULL, total_input INTEGER NOT NULL,
            total_processed INTEGER NOT NULL DEFAULT 0, found_count INTEGER NOT NULL DEFAULT 0,
            not_found_count INTEGER NOT NULL DEFAULT 0, error_count INTEGER NOT NULL DEFAULT 0,
            max_candidates INTEGER NOT NULL, duration_ms REAL)""",
        """CREATE TABLE batch_items (
            id INTEGER PRIMARY KEY, run_id TEXT NOT NULL REFERENCES batch_runs (id), position INTEGER NOT NULL,
            created_at TEXT NOT NULL, title TEXT NOT NULL, found INTEGER NOT NULL, similarity REAL, matched_key TEXT,
            method TEXT, candidates_examined INTEGER, complete INTEGER, duration_ms REAL, error TEXT)""",
        """CREATE TABLE event_logs (
            id INTEGER PRIMARY KEY, created_at TEXT NOT NULL, level TEXT NOT NULL, event TEXT NOT NULL,
            message TEXT NOT NULL)""",
    ),
    (
        # The name of the lock of the process that works on the run: recovery asks whether it still lives.
        "ALTER TABLE batch_runs ADD COLUMN owner TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX batch_runs_running ON batch_runs (owner) WHERE status = 'running'",
        # Retention and the searches of each hour read by time, recovery and retention by run.
        "CREATE INDEX single_search_events_time ON single_search_events (created_at, found)",
        "CREATE INDEX batch_items_time ON batch_items (created_at, found)",
        "CREATE INDEX batch_items_run ON batch_items (run_id)",
        "CREATE INDEX batch_runs_time ON batch_runs (created_at)",
    ),
    (
        # The queue's order is that of the hidden rowid. The document itself is a file of its own: see jobs.py.
        """CREATE TABLE jobs (
            id TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL, finished_at TEXT NOT NULL DEFAULT '',
            state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'finished', 'failed')),
            owner TEXT NOT NULL DEFAULT '', attempts INTEGER NOT NULL DEFAULT 0,
            name TEXT NOT NULL, format TEXT NOT NULL, pasted INTEGER NOT NULL,
            total INTEGER, taken_for TEXT NOT NULL DEFAULT '', notes TEXT NOT NULL DEFAULT '[]',
            database TEXT NOT NULL DEFAULT '{}', by_status TEXT NOT NULL DEFAULT '{}', seconds REAL NOT NULL DEFAULT 0,
            ending TEXT NOT NULL DEFAULT 'complete', reason TEXT NOT NULL DEFAULT '',
            corrected TEXT NOT NULL DEFAULT '')""",
        "CREATE INDEX jobs_open ON jobs (state) WHERE state IN ('waiting', 'running')",
        "CREATE INDEX jobs_time ON jobs (finished_at)",
        """CREATE TABLE job_verdicts (
            job_id TEXT NOT NULL, position INTEGER NOT NULL, verdict BLOB NOT NULL, PRIMARY KEY (job_id, position))""",
    ),
)
"""Each step brings a store from the version before it to its own number, counted from 1. Add, never edit."""

VERSION = len(MIGRATIONS)


def refuse_foreign(path: Path) -> None:
    """Raise :class:`DatabaseError` when ``path`` is a file of something else; nothing is written to it."""
    found = contents(path)
    if found is None or (found.tables and found.application_id != APPLICATION_ID):
        raise DatabaseError(f"{path}: is not a runtime store; name another file with --runtime-store")


def migrate(store: Store) -> None:
    """Bring ``store`` to :data:`VERSION`; call it while holding the write lock.

    Raises :class:`DatabaseError` for a store that a newer citeproof wrote.
    """
    version = store.execute("PRAGMA user_version")[0][0]
    if version > VERSION:
        raise DatabaseError(
            f"{store.path}: has layout {version}, written by a newer citeproof; this one knows layouts up to "
            f"{VERSION}. Update citeproof or name another file with --runtime-store"
        )
    for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
        for statement in statements:
            store.execute(statement)
        store.execute(f"PRAGMA user_version = {number}")
    store.execute(f"PRAGMA application_id = {APPLICATION_ID}")
