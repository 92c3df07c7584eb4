"""Describe a database: sources, counts, dates, licence, size, indexes and age."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from citeproof.database.layout import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from citeproof.database.lookup import Database

OLD_DAYS = 60
"""Days after which a database is old. DBLP adds some 1,500 works a day."""


def days_old(day: str | None, today: date) -> int | None:
    """Return the days since ``day``, ``YYYY-MM-DD``; None if it is unknown or invalid."""
    try:
        return (today - date.fromisoformat(day or "")).days
    except ValueError:
        return None


def too_old(described: Mapping[str, Any], today: date) -> Iterator[str]:
    """Yield a warning if the newest source of a database is older than :data:`OLD_DAYS`.

    ``described`` is :meth:`~citeproof.database.lookup.Database.describe`. Sources without a day are ignored.
    """
    dated = [source for source in described.get("sources", ()) if days_old(source["dump_date"], today) is not None]
    if not dated:
        return
    newest = max(dated, key=lambda source: str(source["dump_date"]))
    days = days_old(newest["dump_date"], today)
    if days is not None and days > OLD_DAYS:
        yield (
            f"The newest record in {described['path']} is of {newest['dump_date']}, {days} days ago: what has appeared "
            f"since is not found.{_help(str(newest['name']))}"
        )


def _help(name: str) -> str:
    from citeproof.database.build.download import BY_NAME

    fetched = name in BY_NAME and BY_NAME[name].url
    return f" To bring it up to date: citeproof db download {name}" if fetched else ""


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
    """Return the number of records by value of ``field``; empty if there is no such column."""
    layout = database.layout
    if field not in layout.columns:
        return {}
    column = quoted(layout.columns[field])
    rows = database.file.rows(f"SELECT {column}, count(*) FROM {layout.table} GROUP BY 1 ORDER BY {order}")  # noqa: S608
    return {"" if value is None else str(value): count for value, count in rows}
