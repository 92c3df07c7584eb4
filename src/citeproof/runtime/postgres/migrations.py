"""The layout of the runtime store in PostgreSQL, in numbered steps: the tables of SQLite, and documents of jobs."""

from __future__ import annotations

KIND = "runtime"
_SEARCH = """title TEXT NOT NULL, found BOOLEAN NOT NULL, similarity DOUBLE PRECISION, matched_key TEXT,
method TEXT, candidates_examined BIGINT, complete BOOLEAN, duration_ms DOUBLE PRECISION, error TEXT"""
_ID = "id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
_TIME = 'created_at TEXT COLLATE "C" NOT NULL'

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE runtime_counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL)",
        f"CREATE TABLE single_search_events ({_ID}, {_TIME}, request_id TEXT NOT NULL, max_candidates BIGINT NOT NULL, "
        f"{_SEARCH})",
        f"""CREATE TABLE batch_runs (
            id TEXT PRIMARY KEY, {_TIME}, finished_at TEXT, request_id TEXT NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'interrupted')),
            error_message TEXT, item_limit BIGINT NOT NULL, total_input BIGINT NOT NULL,
            total_processed BIGINT NOT NULL DEFAULT 0, found_count BIGINT NOT NULL DEFAULT 0,
            not_found_count BIGINT NOT NULL DEFAULT 0, error_count BIGINT NOT NULL DEFAULT 0,
            max_candidates BIGINT NOT NULL, duration_ms DOUBLE PRECISION, owner TEXT NOT NULL DEFAULT '')""",
        f"CREATE TABLE batch_items ({_ID}, run_id TEXT NOT NULL REFERENCES batch_runs (id), position BIGINT NOT NULL, "
        f"{_TIME}, {_SEARCH})",
        f"CREATE TABLE event_logs ({_ID}, {_TIME}, level TEXT NOT NULL, event TEXT NOT NULL, message TEXT NOT NULL)",
        "CREATE INDEX batch_runs_running ON batch_runs (owner) WHERE status = 'running'",
        "CREATE INDEX single_search_events_time ON single_search_events (created_at)",
        "CREATE INDEX batch_items_time ON batch_items (created_at)",
        "CREATE INDEX batch_items_run ON batch_items (run_id)",
        "CREATE INDEX batch_runs_time ON batch_runs (created_at)",
        f"""CREATE TABLE jobs (
            place BIGINT GENERATED ALWAYS AS IDENTITY, id TEXT PRIMARY KEY, {_TIME},
            finished_at TEXT COLLATE "C" NOT NULL DEFAULT '',
            state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'finished', 'failed')),
            owner TEXT NOT NULL DEFAULT '', attempts INTEGER NOT NULL DEFAULT 0,
            name TEXT NOT NULL, format TEXT NOT NULL, pasted BOOLEAN NOT NULL,
            total BIGINT, taken_for TEXT NOT NULL DEFAULT '', notes TEXT NOT NULL DEFAULT '[]',
            database TEXT NOT NULL DEFAULT '{{}}', by_status TEXT NOT NULL DEFAULT '{{}}',
            seconds DOUBLE PRECISION NOT NULL DEFAULT 0, ending TEXT NOT NULL DEFAULT 'complete',
            reason TEXT NOT NULL DEFAULT '', corrected TEXT NOT NULL DEFAULT '')""",
        "CREATE INDEX jobs_open ON jobs (place) WHERE state IN ('waiting', 'running')",
        "CREATE INDEX jobs_time ON jobs (finished_at)",
        """CREATE TABLE job_verdicts (
            job_id TEXT NOT NULL, position BIGINT NOT NULL, verdict BYTEA NOT NULL, PRIMARY KEY (job_id, position))""",
        "CREATE TABLE job_documents (job_id TEXT PRIMARY KEY, document BYTEA NOT NULL)",
    ),
)
"""Each step brings a store from the version before it to its own number, counted from 1. Add, never edit.

A step leaves tables that a citeproof of the version before can still read and write: hosts are updated one by one.
"""
