"""Options that several commands take, and types of options that name a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeproof.model.errors import InputError
from citeproof.processes import cores
from citeproof.settings import default_database
from citeproof.settings.values import refuse_postgres
from citeproof.store.server_address import ServerAddress, file_or_server

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from citeproof.settings import Settings


class File(click.Path):
    """A path; an address is refused."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """Return ``value`` as a path; raises :class:`CiteproofError` if it is an address or empty."""
        subject = param.opts[0] if isinstance(param, click.Option) else str(param and param.metavar).rstrip(".")
        refuse_postgres(subject, value)
        if "://" in str(value):
            raise InputError(f"{subject}: {value} is an address; fetch it, and name the file")
        if not str(value):
            raise InputError(f"{subject}: is empty; name a file")
        return super().convert(value, param, ctx)


class Store(click.ParamType[Path | ServerAddress] if TYPE_CHECKING else click.ParamType):  # type: ignore[misc]
    """A path, or the address of a PostgreSQL server."""

    name = "file or address"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Path | ServerAddress:
        """Return ``value`` as a path or an address; raises :class:`CiteproofError` if it is neither."""
        subject = param.opts[0] if param else "the store"
        place = file_or_server(subject, value)
        return place if isinstance(place, ServerAddress) else Path(str(FILE.convert(place, param, ctx)))


FILE = File()
STORE = Store()


MOST_PROCESSES = 1024
"""Maximum of ``--processes``."""


REPORT = click.option("--format", "report", type=click.Choice(["table", "json"]), default="table", show_default=True)


def shown(path: Path) -> str:
    """Return ``path`` with ``~`` for the home folder."""
    try:
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    except (ValueError, RuntimeError):  # it lies elsewhere, or nobody knows where home is
        return str(path)


def bib_db(function: Callable[..., Any]) -> Callable[..., Any]:
    """Take ``--bib-db``."""
    return click.option(
        "--bib-db", type=FILE, metavar="FILE",
        help=f"Bibliographic database.  [default: {shown(default_database())}, else the built-in sample]",
    )(function)  # fmt: skip


def bib_dbs(function: Callable[..., Any]) -> Callable[..., Any]:
    """Take ``--bib-db`` once or more."""
    return click.option(
        "--bib-db", "bib_dbs", type=FILE, metavar="FILE", multiple=True,
        help=f"Bibliographic database; several are all asked.  [default: {shown(default_database())}, "
        "else the built-in sample]",
    )(function)  # fmt: skip


def named_databases(bib_dbs: tuple[Path, ...]) -> dict[str, object]:
    """Return the settings that ``--bib-db`` gives: the first and the further databases; empty without it."""
    return {"bib_db": bib_dbs[0], "further_bib_dbs": bib_dbs[1:]} if bib_dbs else {}


def require_database(function: Callable[..., Any]) -> Callable[..., Any]:
    """Take ``--require-database``."""
    return click.option(
        "--require-database", is_flag=True, default=None,
        help="Exit with 2 where only the built-in sample would answer.",
    )(function)  # fmt: skip


def bib_threshold(function: Callable[..., Any]) -> Callable[..., Any]:
    """Take ``--bib-threshold``."""
    return click.option(
        "--bib-threshold", type=click.FloatRange(0.5, 1.0), metavar="0.5..1",
        help="Similarity at which a title becomes a candidate; above 0.9, verification takes 0.9.  [default: 0.9]",
    )(function)  # fmt: skip


def bib_max_candidates(function: Callable[..., Any]) -> Callable[..., Any]:
    """Take ``--bib-max-candidates``."""
    return click.option(
        "--bib-max-candidates", type=click.IntRange(1), metavar="N",
        help="The most titles an index may compare for one look-up.  [default: 100000]",
    )(function)  # fmt: skip


def processes(function: Callable[..., Any]) -> Callable[..., Any]:
    """Take ``--processes``."""
    return click.option(
        "--processes", type=click.IntRange(1, MOST_PROCESSES), metavar="N",
        help="Processes that share a large offline run.  [default: the cores]",
    )(function)  # fmt: skip


def on_all_cores(settings: Settings) -> Settings:
    """Return ``settings`` with one process a core, if no number is set."""
    chosen = settings.processes or min(cores(), MOST_PROCESSES)
    return replace(settings, processes=chosen)


def output(function: Callable[..., Any]) -> Callable[..., Any]:
    """Take ``--output``."""
    return click.option("--output", "-o", type=FILE, metavar="FILE", help="Write the report there, in one step.")(
        function
    )
