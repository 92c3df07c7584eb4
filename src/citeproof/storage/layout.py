"""The layout of a store in PostgreSQL: numbered steps, so that hosts of two versions can share a store for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.storage.sql import SqlStore

_LAYOUTS = """CREATE TABLE IF NOT EXISTS citeproof_layouts (
    store TEXT PRIMARY KEY, version INTEGER NOT NULL, oldest INTEGER NOT NULL)"""


def bring_up_to_date(store: SqlStore, kind: str, steps: Sequence[Sequence[str]]) -> None:
    """Take the steps that the tables of ``kind`` lack; call it while holding the write lock.

    The table ``citeproof_layouts`` has the number of the last step, and the oldest layout that may go on beside it: the
    one before. Example: a host with layout 3 brings the store to 3 while hosts with 2 go on; these may start again too.
    A host with layout 1 is refused from then on. Raises :class:`DatabaseError` for it.
    """
    store.execute(_LAYOUTS)
    known = store.execute("SELECT version, oldest FROM citeproof_layouts WHERE store = ?", (kind,))
    version, oldest = known[0] if known else (0, 0)
    newest = len(steps)
    if oldest > newest:
        raise DatabaseError(
            f"{store.name}: has layout {version} of the {kind} store, written by a newer citeproof; this one knows "
            f"layouts up to {newest}. Update citeproof"
        )
    for statements in steps[version:]:
        for statement in statements:
            store.execute(statement)
    if version < newest:
        store.execute(
            "INSERT INTO citeproof_layouts (store, version, oldest) VALUES (?, ?, ?) ON CONFLICT (store) "
            "DO UPDATE SET version = excluded.version, oldest = excluded.oldest",
            (kind, newest, max(newest - 1, 1)),
        )
