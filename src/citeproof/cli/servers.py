"""``citeproof serve``, ``mcp`` and ``lsp``: the web service, tools for agents, and the language
server.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING

import click

from citeproof import settings as defaults
from citeproof.cli import options
from citeproof.cli.output import say, stoppable
from citeproof.model.errors import MissingExtraError
from citeproof.settings import Settings
from citeproof.settings.values import Secret

if TYPE_CHECKING:
    from citeproof.verification.session import Session

_session = options.together(options.look_up, options.connections, options.cache, options.no_cache)


@click.command()
@options.bib_db
@click.option(
    "--runtime-store",
    type=options.STORE,
    metavar="FILE",
    help="The store of counters, events and jobs.",
)
@click.option("--host", metavar="ADDRESS", help="Address to listen on.  [default: 127.0.0.1]")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help="Port; 0: any free port.  [default: 8092]",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    metavar="N",
    help="Number of server processes.  [default: 1]",
)
@click.option(
    "--no-title-log",
    is_flag=True,
    default=None,
    help="Record a keyed hash of each title, not the title.",
)
@click.option(
    "--retain-days",
    type=click.FloatRange(0),
    metavar="DAYS",
    help="Delete events that are more than DAYS old; counters stay.",
)
@click.option(
    "--retain-hours",
    type=click.FloatRange(0),
    metavar="HOURS",
    help="Delete the results of jobs after HOURS.  [default: 24]",
)
@click.option("--token", metavar="TEXT", help="Bearer token that requests for searches must have.")
@click.option(
    "--allowed-hosts",
    metavar="NAMES",
    help="Host names of the service, if a proxy is in front of it, separated by commas.",
)
@click.option(
    "--rate-limit",
    type=click.IntRange(0),
    metavar="N",
    help="Maximum number of searches per client and minute; 0: no limit.  [default: 0]",
)
def serve(**flags: object) -> None:
    """Run the web service, which verifies references and looks up titles: a page at /, a JSON
    interface under /api, its documentation at /docs.
    """
    from citeproof.database.choice import choose_database
    from citeproof.web.options import Options
    from citeproof.web.server import serve as listen

    settings = defaults.load(**flags)
    database, notes = choose_database(settings)
    say(*notes)
    _warn_if_open(settings.host, settings.token)
    same = ("host", "port", "workers", "retain_days", "retain_hours", "rate_limit")
    options = Options(
        database=database,
        runtime_store=settings.runtime_store or defaults.default_runtime_store(),
        index_dir=settings.bib_index_dir,
        threshold=settings.bib_threshold,
        title_log=not settings.no_title_log,
        token=settings.token.value if settings.token else "",
        allowed_hosts=tuple(filter(None, map(str.strip, settings.allowed_hosts.split(",")))),
        **{name: getattr(settings, name) for name in same},
    )
    listen(options)


@click.command()
@_session
@click.option(
    "--http",
    is_flag=True,
    help="Serve streamable HTTP at /mcp instead of standard input and output.",
)
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="With --http: the address.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    default=8093,
    show_default=True,
    help="With --http: the port.",
)
@click.option("--token", metavar="TEXT", help="With --http: bearer token that requests must have.")
def mcp(http: bool, host: str, port: int, **flags: object) -> None:
    """Offer agents tools to check references, over the Model Context Protocol.

    The protocol uses standard input and output; the server ends when its input ends. Nothing goes
    online without --enable-online.
    """
    settings = defaults.load(**flags)
    try:
        from citeproof.agents.server import build_server, serve_http
    except ImportError as error:
        raise MissingExtraError("citeproof mcp", "mcp", error.name) from None
    if http:
        _warn_if_open(host, settings.token)
    with _opened(settings) as session:
        server = build_server(session)
        if http:
            serve_http(server, host, port, settings.token.value if settings.token else "")
        else:
            server.run()


@click.command()
@_session
def lsp(**flags: object) -> None:
    """Run a language server, which shows what is wrong with references while you edit a file.

    The Language Server Protocol uses standard input and output. Nothing goes online without
    --enable-online.
    """
    settings = defaults.load(**flags)
    try:
        from citeproof.editor.server import build_server
    except ImportError as error:
        raise MissingExtraError("citeproof lsp", "lsp", error.name) from None
    # the protocol closes this stream at the end
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    with output, _opened(settings) as session:
        build_server(session).start_io(stdout=output)


def _warn_if_open(host: str, token: Secret | None) -> None:
    """Print a warning if other machines can reach a service that requires no token."""
    from citeproof.web.middleware import is_loopback

    if host.count(".") == 3 and host.replace(".", "").isdigit():
        try:
            ip_address(host)
        except ValueError:
            return  # no warning for an invalid address, because listening will fail with a message
    if host and not token and not is_loopback(host):
        say(
            f"whoever can reach this machine can use this service, because it listens on {host} and"
            " requires no token; set CITEPROOF_TOKEN, or listen on 127.0.0.1"
        )


@contextmanager
def _opened(settings: Settings) -> Iterator[Session]:
    """Context manager that opens a session for a server, and prints the notes of the session."""
    from citeproof.verification.startup import open_session

    with stoppable(), open_session(settings) as session:
        say(*session.notes)
        yield session
