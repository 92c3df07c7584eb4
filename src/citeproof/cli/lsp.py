"""``citeproof lsp``: a language server for editors."""

from __future__ import annotations

import click

from citeproof import settings as defaults
from citeproof.cli import options
from citeproof.cli.options import STORE
from citeproof.cli.stopping import run_stopped, stoppable
from citeproof.model.errors import MissingExtraError


@click.command()
@options.bib_db
@options.bib_threshold
@options.bib_max_candidates
@click.option("--enable-online", is_flag=True, default=None, help="Ask online sources too.")
@click.option("--offline", is_flag=True, default=None, help="Open no connection, whatever else is set.")
@click.option("--cache", type=STORE, metavar="FILE", help="What earlier runs verified.")
@click.option("--no-cache", is_flag=True, default=None, help="Neither ask nor write the cache.")
def command(**flags: object) -> None:
    """Show editors what is wrong with references while a person writes.

    Standard input and output carry the Language Server Protocol. Nothing goes online without --enable-online.
    """
    settings = defaults.load(**flags)
    try:
        from citeproof.editor.server import build_server
    except ImportError as error:
        raise MissingExtraError("citeproof lsp", "lsp", (error.name or "").partition(".")[0]) from None
    from citeproof.verification.opening import open_session

    with stoppable(run_stopped), open_session(settings) as session:
        for note in session.notes:
            click.echo(f"citeproof: {note}", err=True)
        build_server(session).start_io()
