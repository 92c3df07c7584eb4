"""Options that several commands take, and types of options that name a file."""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from citeproof.model.errors import InputError
from citeproof.processes import cores
from citeproof.settings import Settings, default_cache, default_database
from citeproof.settings.values import refuse_postgres
from citeproof.store.sql import ServerAddress, file_or_server

Option: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]


class _File(click.Path):
    """Type of an option that takes a file path. A URL or an empty text raises
    :class:`CiteproofError`.
    """

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        subject = (
            param.opts[0]
            if isinstance(param, click.Option)
            else str(param and param.metavar).strip("[].")
        )
        refuse_postgres(subject, value)
        if "://" in str(value):
            raise InputError(f"{subject}: {value} is a URL; download it, and name the file")
        if not str(value):
            raise InputError(f"{subject}: is empty; name a file")
        return super().convert(value, param, ctx)


class _Store(click.ParamType[Path | ServerAddress] if TYPE_CHECKING else click.ParamType):  # type: ignore[misc]
    """Type of an option that takes a file path or the URL of a PostgreSQL server. Other URLs raise
    CiteproofError.
    """

    name = "file or address"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path | ServerAddress:
        place = file_or_server(param.opts[0] if param else "the store", value)
        return (
            place
            if isinstance(place, ServerAddress)
            else Path(str(FILE.convert(place, param, ctx)))
        )


FILE = _File(path_type=Path)
STORE = _Store()
MAX_PROCESSES = 1024
"""Maximum value of ``--processes``."""


def _shown(path: Path) -> str:
    try:
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    except (ValueError, RuntimeError):  # the path is elsewhere, or the home folder is unknown
        return str(path)


def together(*options: Option) -> Option:
    """Return a decorator that adds all ``options`` to a click command, in order."""
    return lambda function: reduce(lambda inner, option: option(inner), reversed(options), function)


def _databases(ctx: click.Context, _param: click.Parameter, named: tuple[Path, ...]) -> None:
    """Callback of ``--bib-db``: the first of the files ``named`` becomes the setting ``bib_db``,
    and the other files become ``further_bib_dbs``.
    """
    if named:
        ctx.params |= {"bib_db": named[0], "further_bib_dbs": named[1:]}


_DATABASE = f"[default: {_shown(default_database())}, else the built-in sample]"
REPORT = click.option(
    "--format", "report", type=click.Choice(["table", "json"]), default="table", show_default=True
)
_no_project_settings = click.option(
    "--no-project-settings/--project-settings",
    default=None,
    help="Ignore, or read, citeproof.toml and pyproject.toml of this project.",
)
bib_db = together(
    click.option(
        "--bib-db", type=FILE, metavar="FILE", help=f"Bibliographic database.  {_DATABASE}"
    ),
    _no_project_settings,
)
"""Decorator that adds ``--bib-db`` and ``--no-project-settings``."""
bib_dbs = together(
    click.option(
        "--bib-db",
        type=FILE,
        metavar="FILE",
        multiple=True,
        expose_value=False,
        callback=_databases,
        help=f"Bibliographic database; may be given several times.  {_DATABASE}",
    ),
    _no_project_settings,
)
"""Decorator like :data:`bib_db`, but ``--bib-db`` may be given several times."""
bib_threshold = click.option(
    "--bib-threshold",
    type=click.FloatRange(0.5, 1.0),
    metavar="0.5..1",
    help=(
        "Minimum similarity of a record's title to the cited title. Verification uses at "
        "most 0.9.  [default: 0.9]"
    ),
)
bib_max_candidates = click.option(
    "--bib-max-candidates",
    type=click.IntRange(1),
    metavar="N",
    help="Maximum number of titles that an index compares in a look-up.  [default: 100000]",
)
cache = click.option(
    "--cache",
    type=STORE,
    metavar="FILE",
    help=f"The cache of verified references.  [default: {_shown(default_cache())}]",
)
no_cache = click.option(
    "--no-cache", is_flag=True, default=None, help="Neither read nor write the cache."
)
sources = click.option(
    "--sources",
    metavar="NAMES",
    help=(
        "Online sources to query, separated by commas; needs --enable-online. 'citeproof "
        "sources' shows the names."
    ),
)
max_age = click.option(
    "--max-age",
    type=click.FloatRange(0, 36_500),
    metavar="DAYS",
    help="Maximum age of a cached response of an online source.  [default: 30]",
)
processes = click.option(
    "--processes",
    type=click.IntRange(1, MAX_PROCESSES),
    metavar="N",
    help="Number of processes of a large offline run.  [default: the number of cores]",
)
files_from = click.option(
    "--files-from",
    "listings",
    multiple=True,
    metavar="FILE",
    help="Also check the files that FILE lists, one name per line.",
)
verbose = click.option(
    "-v", "--verbose", is_flag=True, help="Print all details of every reference, with codes."
)
output = click.option("--output", "-o", type=FILE, metavar="FILE", help="Write the report to FILE.")
look_up = together(bib_db, bib_threshold, bib_max_candidates)
"""Decorator that adds the options for looking up titles in one database."""
connections = together(
    click.option("--enable-online", is_flag=True, default=None, help="Query online sources too."),
    click.option(
        "--offline",
        is_flag=True,
        default=None,
        help="Open no connection, whatever other options say.",
    ),
)


def on_all_cores(settings: Settings) -> Settings:
    """Return ``settings`` with one process per CPU core, unless the number of processes is set."""
    return replace(settings, processes=settings.processes or min(cores(), MAX_PROCESSES))
