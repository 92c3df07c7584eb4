"""The start of a service: what can be refused is refused, then one server process runs, or several."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from functools import partial
from typing import TYPE_CHECKING, cast

import uvicorn
from uvicorn.supervisors import Multiprocess

from citeproof.bibdb.database import Database
from citeproof.web.worker.application import open_store, worker_app
from citeproof.web.worker.connections import Connection
from citeproof.web.worker.heap import bound_heap
from citeproof.web.worker.listener import Listener, OwnListener, bind, listen
from citeproof.web.worker.logs import log_configuration
from citeproof.web.worker.options import CLOSING_SECONDS

if TYPE_CHECKING:
    from socket import socket

    from citeproof.web.worker.options import Options

MULTIPROCESS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where the workers of one service keep their figures for each other; prometheus-client reads it when imported."""

WORKER_SILENCE_SECONDS = 60
"""How long a worker may be silent, also while it starts, before its parent kills it and starts another."""


def serve(options: Options) -> None:
    """Answer until told to stop; running requests are finished first.

    Raises :class:`~citeproof.errors.ConfigurationError` for an address that cannot be had, and
    :class:`~citeproof.errors.DatabaseError` for a database that is none or a runtime store that cannot be used.
    """
    bound_heap()
    note = database_note(options)
    open_store(options).close()  # one migration and one clear error, before any worker starts
    listener = listen(options.host, options.port) if options.workers == 1 else reserve(options)
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"citeproof: serving {options.database.name} at http://{shown}:{port}/{note}", file=sys.stderr, flush=True)
    config = uvicorn.Config(
        partial(worker_app, options),
        factory=True,
        http=Connection,
        workers=options.workers,
        access_log=False,
        log_config=log_configuration(options.log_level),
        server_header=False,
        timeout_graceful_shutdown=max(0, options.grace - CLOSING_SECONDS),
        timeout_worker_healthcheck=WORKER_SILENCE_SECONDS,
        ws="none",
    )
    with listener:
        if options.workers == 1:
            uvicorn.Server(config).run(sockets=[listener])
            return
        with tempfile.TemporaryDirectory(prefix="citeproof-metrics-") as folder:
            os.environ[MULTIPROCESS_FOLDER] = folder
            Workers(config, sockets=[cast("socket", OwnListener(host, port))]).run()


class Workers(Multiprocess):
    """The parent of the server processes: it starts each again that ends, until it is told to stop."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket]) -> None:
        """Take over the signals; a SIGHUP that is ignored, as under ``nohup``, stays so here and in the workers."""
        outlives_terminal = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        super().__init__(config, sockets)
        if outlives_terminal:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def handle_hup(self) -> None:
        """Stop, because the terminal is gone; the workers are told so too."""
        self.handle_term()


def database_note(options: Options) -> str:
    """Return what to add about the database at the start: a missing one may come later.

    Raises :class:`~citeproof.errors.DatabaseError` for a file that is none.
    """
    if not options.database.exists():
        return f" ({options.database} does not exist yet; searches are answered with 404 until it is put in place)"
    Database.open(options.database, index_dir=options.index_dir).close()
    return ""


def reserve(options: Options) -> Listener:
    """Return a socket that keeps the address for the workers, each of which listens there with a socket of its own."""
    bind(options.host, options.port, shared=False).close()  # the address is nobody else's, not even another service's
    return bind(options.host, options.port, shared=True)
