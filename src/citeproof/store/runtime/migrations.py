"""The tables of a runtime store, in SQLite and PostgreSQL.

Migration N brings a store from layout N - 1 to N. Add migrations, never edit one. In PostgreSQL a migration must leave
tables that the version before can still read and write, because hosts are updated one by one.
"""

_SEARCH = """title TEXT NOT NULL, max_candidates {int} NOT NULL, found {bool} NOT NULL, similarity {real},
matched_key TEXT, method TEXT, candidates_examined {int}, complete {bool}, duration_ms {real}, error TEXT"""
_ITEM = _SEARCH.replace(" max_candidates {int} NOT NULL,", "")

_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE runtime_counters (name TEXT PRIMARY KEY, value {int} NOT NULL){without_rowid}",
        f"CREATE TABLE single_search_events ({{id}}, {{created_at}}, request_id TEXT NOT NULL, {_SEARCH})",
        """CREATE TABLE batch_runs (
            id TEXT PRIMARY KEY, {created_at}, finished_at TEXT, request_id TEXT NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'interrupted')),
            error_message TEXT, item_limit {int} NOT NULL, total_input {int} NOT NULL,
            total_processed {int} NOT NULL DEFAULT 0, found_count {int} NOT NULL DEFAULT 0,
            not_found_count {int} NOT NULL DEFAULT 0, error_count {int} NOT NULL DEFAULT 0,
            max_candidates {int} NOT NULL, duration_ms {real})""",
        "CREATE TABLE batch_items ({id}, run_id TEXT NOT NULL REFERENCES batch_runs (id), position {int} NOT NULL, "
        f"{{created_at}}, {_ITEM})",
        "CREATE TABLE event_logs ({id}, {created_at}, level TEXT NOT NULL, event TEXT NOT NULL, message TEXT NOT NULL)",
    ),
    (
        # The liveness lock of the process that runs the batch.
        "ALTER TABLE batch_runs ADD COLUMN owner TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX batch_runs_running ON batch_runs (owner) WHERE status = 'running'",
        # Pruning and hourly statistics select by time, recovery and pruning by run.
        "CREATE INDEX single_search_events_time ON single_search_events (created_at{found})",
        "CREATE INDEX batch_items_time ON batch_items (created_at{found})",
        "CREATE INDEX batch_items_run ON batch_items (run_id)",
        "CREATE INDEX batch_runs_time ON batch_runs (created_at)",
    ),
    (
        # The queue is ordered by ``rowid`` in SQLite and by ``place`` in PostgreSQL.
        """CREATE TABLE jobs (
            {place}{created_at}, finished_at TEXT{c} NOT NULL DEFAULT '',
            state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'finished', 'failed')),
            owner TEXT NOT NULL DEFAULT '', attempts INTEGER NOT NULL DEFAULT 0,
            name TEXT NOT NULL, format TEXT NOT NULL, pasted {bool} NOT NULL,
            total {int}, taken_for TEXT NOT NULL DEFAULT '', notes TEXT NOT NULL DEFAULT '[]',
            database TEXT NOT NULL DEFAULT '{{}}', by_status TEXT NOT NULL DEFAULT '{{}}',
            seconds {real} NOT NULL DEFAULT 0, ending TEXT NOT NULL DEFAULT 'complete',
            reason TEXT NOT NULL DEFAULT '', corrected TEXT NOT NULL DEFAULT '')""",
        "CREATE INDEX jobs_open ON jobs ({open}) WHERE state IN ('waiting', 'running')",
        "CREATE INDEX jobs_time ON jobs (finished_at)",
        """CREATE TABLE job_verdicts (
            job_id TEXT NOT NULL, position {int} NOT NULL, verdict {bytes} NOT NULL, PRIMARY KEY (job_id, position))""",
    ),
)
_SQLITE_WORDS = {
    "int": "INTEGER", "real": "REAL", "bool": "INTEGER", "bytes": "BLOB", "id": "id INTEGER PRIMARY KEY", "c": "",
    "created_at": "created_at TEXT NOT NULL", "without_rowid": " WITHOUT ROWID", "found": ", found",
    "place": "id TEXT NOT NULL UNIQUE, ", "open": "state",
}  # fmt: skip
_POSTGRES_WORDS = {
    "int": "BIGINT", "real": "DOUBLE PRECISION", "bool": "BOOLEAN", "bytes": "BYTEA", "c": ' COLLATE "C"',
    "id": "id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "created_at": 'created_at TEXT COLLATE "C" NOT NULL',
    "place": "place BIGINT GENERATED ALWAYS AS IDENTITY, id TEXT PRIMARY KEY, ", "open": "place",
    "without_rowid": "", "found": "",
}  # fmt: skip

SQLITE = tuple(tuple(sql.format(**_SQLITE_WORDS) for sql in step) for step in _MIGRATIONS)
"""Migrations of a store in SQLite. Documents of jobs are files."""
POSTGRES = (
    (
        *(sql.format(**_POSTGRES_WORDS) for step in _MIGRATIONS for sql in step),
        "CREATE TABLE job_documents (job_id TEXT PRIMARY KEY, document BYTEA NOT NULL)",
    ),
)
"""Migrations of a store in PostgreSQL. Its layout 1 is layout 3 of SQLite."""
