"""``citeproof serve``: the web look-up service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from citeproof import settings
from citeproof.cli import options

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@options.bib_db
@click.option("--runtime-store", type=options.FILE, metavar="FILE", help="Where counters and events are kept.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", default=8092, show_default=True, type=click.IntRange(0, 65535), help="The port; 0 takes any.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Server processes.")
@click.option("--no-title-log", is_flag=True, help="Record a keyed hash instead of each title.")
@click.option("--retain-days", type=click.FloatRange(0), help="Delete events older than this; counters stay.")
@click.option("--token", envvar="CITEPROOF_TOKEN", default="", help="Ask searches for this bearer token.")
@click.option("--rate-limit", default=0, type=click.IntRange(0), help="Searches a minute and client; 0: no limit.")
def command(  # noqa: PLR0913
    *,
    bib_db: Path | None,
    runtime_store: Path | None,
    host: str,
    port: int,
    workers: int,
    no_title_log: bool,
    retain_days: float | None,
    token: str,
    rate_limit: int,
) -> None:
    """Serve title look-ups: a page at /, a JSON interface under /api, its documentation at /docs."""
    from citeproof.session import choose_database
    from citeproof.web.worker.server import Options, serve

    chosen = settings.load(bib_db=bib_db)
    database, notes = choose_database(chosen)
    for note in notes:
        click.echo(f"citeproof: {note}", err=True)
    serve(
        Options(
            database=database,
            runtime_store=runtime_store or settings.default_runtime_store(),
            index_dir=chosen.bib_index_dir,
            threshold=chosen.bib_threshold,
            host=host,
            port=port,
            workers=workers,
            title_log=not no_title_log,
            retain_days=retain_days,
            token=token,
            rate_limit=rate_limit,
        )
    )
