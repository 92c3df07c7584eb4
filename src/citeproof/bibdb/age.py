"""How old a database is: what its newest source can know of."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OLD_DAYS = 60
"""DBLP alone takes in some 1,500 works a day, so that a bibliography of this year misses some after two months."""


def days_old(day: str | None, today: date) -> int | None:
    """Return how many days ago ``day`` was, ``YYYY-MM-DD``; None where it is not known or is no day."""
    try:
        return (today - date.fromisoformat(day or "")).days
    except ValueError:
        return None


def too_old(described: Mapping[str, Any], today: date) -> Iterator[str]:
    """Yield what to say of a database whose newest source is older than :data:`OLD_DAYS`, one sentence at most.

    ``described`` is :meth:`~citeproof.bibdb.database.Database.describe`. Sources without a day say nothing.
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
    from citeproof.bibdb.dumps import BY_NAME  # which no run needs that has nothing to say

    fetched = name in BY_NAME and BY_NAME[name].url
    return f" To bring it up to date: citeproof db download {name}" if fetched else ""
