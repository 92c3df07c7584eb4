"""``citeproof mcp``: tools for agents. A module called ``mcp`` would hide the protocol's SDK."""

from __future__ import annotations

import click

from citeproof import settings as defaults
from citeproof.cli import options
from citeproof.cli.options import STORE
from citeproof.cli.stopping import run_stopped, stoppable
from citeproof.model.errors import MissingExtraError


@click.command("mcp")
@options.bib_db
@options.bib_threshold
@options.bib_max_candidates
@click.option("--enable-online", is_flag=True, default=None, help="Ask online sources too.")
@click.option("--offline", is_flag=True, default=None, help="Open no connection, whatever else is set.")
@click.option("--cache", type=STORE, metavar="FILE", help="What earlier runs verified.")
@click.option("--no-cache", is_flag=True, default=None, help="Neither ask nor write the cache.")
@click.option("--http", is_flag=True, help="Serve streamable HTTP at /mcp instead of standard input and output.")
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="With --http: where to listen.")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", default=8093, show_default=True, help="With --http: the port."
)
@click.option("--token", help="With --http: ask every request for this bearer token.")
def command(http: bool, host: str, port: int, **flags: object) -> None:
    """Give agents tools to check references with, over the Model Context Protocol.

    Standard input and output carry the protocol, until input ends. Nothing goes online without --enable-online.
    """
    settings = defaults.load(**flags)
    try:
        from citeproof.agents.server import build_server, serve_http
    except ImportError as error:
        raise MissingExtraError("citeproof mcp", "mcp", (error.name or "").partition(".")[0]) from None
    from citeproof.verification.opening import open_session

    with stoppable(run_stopped), open_session(settings) as session:
        for note in session.notes:
            click.echo(f"citeproof: {note}", err=True)
        server = build_server(session)
        if http:
            serve_http(server, host, port, settings.token.value if settings.token else "")
        else:
            server.run()
