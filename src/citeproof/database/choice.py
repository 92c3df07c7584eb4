"""Choose the database for a command: the database in the settings, else the user's own database,
else the built-in sample.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from operator import itemgetter
from pathlib import Path
from typing import Any

from citeproof.database.lookup import Database
from citeproof.model.errors import DatabaseError
from citeproof.settings import Settings, default_database

_GET_ONE = "citeproof db download dblp"  # command that downloads and builds a database
SAMPLE_NOTE = (
    "No database was named, so the built-in sample answered. It has only works that papers often"
    f" cite. To get a real database: {_GET_ONE}"
)


def open_database(settings: Settings) -> tuple[Database, tuple[str, ...]]:
    """Open the database that :func:`choose_database` chooses.

    Return the database and messages for the user.

    If all titles must be compared, they are kept in a temporary file and not in memory. Raises
    :class:`DatabaseError` if the file of the database is missing or is not a bibliographic
    database.
    """
    path, notes = choose_database(settings)
    database = Database.open(path, index_dir=settings.bib_index_dir, titles_in_memory=False)
    old = () if SAMPLE_NOTE in notes else too_old(database.describe(), datetime.now(UTC).date())
    return database, (*notes, *database.warnings, *old)


def choose_database(settings: Settings) -> tuple[Path, tuple[str, ...]]:
    """Choose the database in ``settings``, else the user's own database, else the sample.

    Return the path and messages for the user.

    Raises :class:`DatabaseError` if only the sample exists and ``settings`` require another
    database.
    """
    if settings.bib_db:
        return settings.bib_db, settings.project_notes
    own = default_database().exists()
    if settings.require_database and not own:
        raise DatabaseError(
            f"there is no bibliographic database, and one is required; get one with `{_GET_ONE}`,"
            " or name it (--bib-db)"
        )
    notes = settings.project_notes if own else (*settings.project_notes, SAMPLE_NOTE)
    return own_database(settings.sample), notes


def own_database(sample: str) -> Path:
    """Return the path of the user's own database.

    If the user has no database, build the sample database and return its path.
    """
    if default_database().exists():
        return default_database()
    from citeproof.database.building.sample import sample_database

    return sample_database(works=sample == "works")


AGE_NOTE = "The newest record in "
"""Beginning of the note on an old database."""
OLD_DAYS = 60
"""Maximum age of a database, in days, without a warning to the user.

DBLP adds some 1,500 works a day.
"""


def days_old(day: str | None, today: date) -> int | None:
    """Return the number of days from ``day``, such as ``2026-11-26``, to ``today``.

    None if ``day`` is not a date.
    """
    try:
        return (today - date.fromisoformat(day or "")).days
    except ValueError:
        return None


def too_old(described: Mapping[str, Any], today: date) -> Iterator[str]:
    """Yield a warning if the newest source of the database is old.

    ``described`` is from :meth:`Database.describe`.
    """
    ages = (
        (days_old(source["dump_date"], today), source) for source in described.get("sources", ())
    )
    dated = [(days, source) for days, source in ages if days is not None]
    days, newest = min(dated, key=itemgetter(0), default=(0, None))
    if newest and days > OLD_DAYS:
        from citeproof.database.building.dumps import BY_NAME

        name = str(newest["name"])
        fetched = name in BY_NAME and BY_NAME[name].url
        yield (
            f"{AGE_NOTE}{described['path']} is of {newest['dump_date']}, {days} days"
            " ago: what has appeared since is not"
            f" found.{f' To bring it up to date: citeproof db download {name}' if fetched else ''}"
        )


def info(database: Database) -> dict[str, Any]:
    """Return a description of ``database`` as a JSON object.

    It has the number of records of each type and year.
    """
    layout = database.layout
    described = database.describe()
    described["layout"] = "citeproof" if layout.ours else f"{layout.table}(id, title, ...)"
    described["bytes"] = database.path.stat().st_size
    today = datetime.now(UTC).date()
    for source in described.get("sources", ()):
        source["days_old"] = days_old(source["dump_date"], today)
    types, years = _counts(database, "pub_type", "2 DESC, 1"), _counts(database, "year", "1")
    return described | {"types": types, "years": years}


def _counts(database: Database, field: str, order: str) -> dict[str, int]:
    column, table = database.layout.columns.get(field), database.layout.table
    if not column:
        return {}
    select = f"SELECT {column}, count(*) FROM {table}"  # noqa: S608
    rows = database.file.rows(f"{select} GROUP BY 1 ORDER BY {order}")
    return {"" if value is None else str(value): count for value, count in rows}
