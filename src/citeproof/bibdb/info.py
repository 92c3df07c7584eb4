"""What a database holds: sources, counts, dates, licence, size, indexes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from citeproof.bibdb.age import days_old
from citeproof.bibdb.layout import quoted

if TYPE_CHECKING:
    from citeproof.bibdb.database import Database

LAYOUTS = {"publications": "publications(id, title, ...)", "titles": "titles(id, title, ...)"}


def info(database: Database) -> dict[str, Any]:
    """Return a description of ``database`` as an object for JSON; counts are by the values that are stored."""
    layout = database.layout
    described = database.describe()
    described["layout"] = "citeproof" if layout.ours else LAYOUTS[layout.table]
    described["bytes"] = database.path.stat().st_size
    today = datetime.now(UTC).date()
    for source in described.get("sources", ()):
        source["days_old"] = days_old(source["dump_date"], today)
    described["types"] = _counts(database, "pub_type", "2 DESC, 1")
    described["years"] = _counts(database, "year", "1")
    return described


def _counts(database: Database, field: str, order: str) -> dict[str, int]:
    """Return how many records have each value of ``field``; empty where there is no such column."""
    layout = database.layout
    if field not in layout.columns:
        return {}
    column = quoted(layout.columns[field])
    rows = database.file.rows(f"SELECT {column}, count(*) FROM {layout.table} GROUP BY 1 ORDER BY {order}")  # noqa: S608
    return {"" if value is None else str(value): count for value, count in rows}
