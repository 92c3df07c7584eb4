"""``citeproof serve``: the web service."""

from __future__ import annotations

import click

from citeproof import settings as defaults
from citeproof.cli import options
from citeproof.cli.options import STORE


@click.command()
@options.bib_db
@click.option("--runtime-store", type=STORE, metavar="FILE", help="Where counters and events are kept.")
@click.option("--host", metavar="ADDRESS", help="The address to listen at.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="The port; 0 takes any.  [default: 8092]")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Server processes.  [default: 1]")
@click.option("--no-title-log", is_flag=True, default=None, help="Record a keyed hash instead of each title.")
@click.option("--retain-days", type=click.FloatRange(0), help="Delete events older than this; counters stay.")
@click.option("--retain-hours", type=click.FloatRange(0), help="Delete a job's results after this.  [default: 24]")
@click.option("--token", help="Ask searches for this bearer token.")
@click.option("--allowed-hosts", metavar="NAMES", help="Names of the service behind a proxy, separated by commas.")
@click.option(
    "--rate-limit", type=click.IntRange(0), metavar="N", help="Searches a minute and client; 0: no limit.  [default: 0]"
)
def command(**flags: object) -> None:
    """Serve verification and title look-ups: a page at /, a JSON interface under /api, its documentation at /docs."""
    from citeproof.database.choice import choose_database
    from citeproof.web.options import Options
    from citeproof.web.server import serve

    settings = defaults.load(**flags)
    database, notes = choose_database(settings)
    for note in notes:
        click.echo(f"citeproof: {note}", err=True)
    serve(
        Options(
            database=database,
            runtime_store=settings.runtime_store or defaults.default_runtime_store(),
            index_dir=settings.bib_index_dir,
            threshold=settings.bib_threshold,
            host=settings.host,
            port=settings.port,
            workers=settings.workers,
            title_log=not settings.no_title_log,
            retain_days=settings.retain_days,
            retain_hours=settings.retain_hours,
            token=settings.token.value if settings.token else "",
            rate_limit=settings.rate_limit,
            allowed_hosts=tuple(filter(None, map(str.strip, settings.allowed_hosts.split(",")))),
        )
    )
