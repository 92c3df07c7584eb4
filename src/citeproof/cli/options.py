"""Options that several commands take, said once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeproof.cli.file_types import FILE
from citeproof.process_pool import cores
from citeproof.settings import default_database

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.settings import Settings

MOST_PROCESSES = 1024
"""More are a typing error."""


REPORT = click.option("--format", "report", type=click.Choice(["table", "json"]), default="table", show_default=True)


def shown(path: Path) -> str:
    """Return ``path`` as a person writes it: with ``~`` for the home folder."""
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
    """Return ``--bib-db`` as settings: the first and the further ones; nothing where it was not given."""
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
        help="Similarity at which a title becomes a candidate.  [default: 0.9]",
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
    """Return ``settings`` with as many processes as this one may use cores, where none are chosen."""
    chosen = settings.processes or min(cores(), MOST_PROCESSES)
    return replace(settings, processes=chosen)


def output(function: Callable[..., Any]) -> Callable[..., Any]:
    """Take ``--output``."""
    return click.option("--output", "-o", type=FILE, metavar="FILE", help="Write the report there, in one step.")(
        function
    )
