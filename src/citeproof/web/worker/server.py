"""A running server: options in, one process or several, everything finished and closed at the end."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import sys
import tempfile
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, cast

import uvicorn
from uvicorn.supervisors import Multiprocess

from citeproof.bibdb.database import Database
from citeproof.errors import DatabaseError
from citeproof.runtime.sqlite.store import SqliteRuntimeStore
from citeproof.runtime.title_log import PlainTitles, TitleLog, hashed_titles
from citeproof.storage.store import LOCK_WAIT_SECONDS
from citeproof.version import __version__
from citeproof.web.worker.connections import Connection
from citeproof.web.worker.garbage import collect_rarely
from citeproof.web.worker.listener import Listener, OwnListener, bind, listen
from citeproof.web.worker.logs import log_configuration
from citeproof.web.worker.reloading_database import open_reloading
from citeproof.web.worker.searcher import Searcher, command_for

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path
    from socket import socket

    from fastapi import FastAPI

    from citeproof.runtime import RuntimeStore
    from citeproof.web.backend import Backend

MULTIPROCESS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where the workers of one service keep their figures for each other; prometheus-client reads it when imported."""

GRACE_SECONDS = 30
"""How long the server may take to stop. Requests that are still running shortly before are cut and marked."""
CLOSING_SECONDS = 5
"""How much of it is kept for what comes after the requests: the end of the search process, the last writes."""

WORKER_SILENCE_SECONDS = 20
"""How long a worker may be silent, also while it starts, before its parent kills it and starts another."""
PARENT_CHECK_SECONDS = 1.0
"""How often a worker looks whether its parent still lives."""

PRUNING_SECONDS = 3600.0
PRUNING_AGAIN_SECONDS = 60.0
"""When to try again after another process kept the store locked."""

_log = logging.getLogger("citeproof.web")


@dataclass(frozen=True, slots=True)
class Options:
    """What ``citeproof serve`` was told; handed to each worker process."""

    database: Path
    runtime_store: Path
    index_dir: Path | None = None
    threshold: float = 0.9
    host: str = "127.0.0.1"
    port: int = 8092
    workers: int = 1
    title_log: bool = True
    retain_days: float | None = None
    token: str = ""
    rate_limit: int = 0
    lock_wait: float = LOCK_WAIT_SECONDS
    grace: int = GRACE_SECONDS
    log_level: str = "INFO"


def serve(options: Options) -> None:
    """Answer until told to stop; running requests are finished first.

    Raises :class:`~citeproof.errors.ConfigurationError` for an address that cannot be had, and
    :class:`DatabaseError` for a database that is none or a runtime store that cannot be used.
    """
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

    def handle_hup(self) -> None:
        """Stop, because the terminal is gone; the workers are told so too."""
        self.handle_term()


def database_note(options: Options) -> str:
    """Return what to add about the database at the start; raise :class:`DatabaseError` for a file that is none.

    A missing file may come later.
    """
    if not options.database.exists():
        return f" ({options.database} does not exist yet; searches are answered with 404 until it is put in place)"
    Database.open(options.database, index_dir=options.index_dir).close()
    return ""


def reserve(options: Options) -> Listener:
    """Return a socket that keeps the address for the workers, each of which listens there with a socket of its own."""
    bind(options.host, options.port, shared=False).close()  # the address is nobody else's, not even another service's
    return bind(options.host, options.port, shared=True)


def open_store(options: Options) -> RuntimeStore:
    """Open the runtime store that ``options`` name."""
    titles: TitleLog = PlainTitles() if options.title_log else hashed_titles(options.runtime_store)
    return SqliteRuntimeStore(options.runtime_store, titles=titles, lock_wait=options.lock_wait)


def worker_app(options: Options) -> FastAPI:
    """Return the application of one server process, with all its effects; its shutdown closes them."""
    # Imported here, because prometheus-client looks for its folder when it is imported.
    from citeproof.web.app import create_app
    from citeproof.web.backend import Backend
    from citeproof.web.worker.metrics import Metrics

    reloading = open_reloading(options.database, options.index_dir, beside=_in_thread)
    searcher = Searcher(command_for(options.database, options.index_dir))
    backend = Backend(reloading, open_store(options), Metrics(options.database), searcher, options.threshold)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        _stop_with_the_terminal()
        backend.store.log("info", "started", f"process {os.getpid()}, citeproof {__version__}")
        with suppress(DatabaseError):  # each search says so until there is a file that can be read
            await asyncio.to_thread(backend.open_database)
        await searcher.start()
        collect_rarely()
        beside = [asyncio.create_task(_prune_hourly(backend, options.retain_days))]
        if options.workers > 1:
            beside.append(asyncio.create_task(_stop_with_the_parent()))
        try:
            yield
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            backend.store.log("info", "stopped", f"process {os.getpid()}")
            closing = asyncio.to_thread(backend.store.close, CLOSING_SECONDS - 1)
            await asyncio.gather(closing, searcher.close(CLOSING_SECONDS - 2))
            backend.database.close()

    return create_app(backend, token=options.token, rate_limit=options.rate_limit, lifespan=lifespan)


def _in_thread(job: Callable[[], None]) -> None:
    Thread(target=job, daemon=True).start()


def _stop_with_the_terminal() -> None:
    """Take SIGHUP for SIGTERM, unless the service was started to outlive its terminal."""
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, signal.raise_signal, signal.SIGTERM)


async def _stop_with_the_parent() -> None:
    """Stop when the parent was killed: nobody else would tell this worker to, and it keeps the address."""
    parent = multiprocessing.parent_process()
    while parent and parent.is_alive():
        await asyncio.sleep(PARENT_CHECK_SECONDS)
    signal.raise_signal(signal.SIGTERM)


async def _prune_hourly(backend: Backend, days: float | None) -> None:
    while days is not None:
        seconds = PRUNING_SECONDS
        try:
            if deleted := await asyncio.to_thread(backend.store.prune, days):
                backend.store.log("info", "pruned", f"{deleted} records older than {days:g} days")
        except DatabaseError as error:
            _log.warning("old events were not deleted, which is tried again: %s", error)
            seconds = PRUNING_AGAIN_SECONDS
        await asyncio.sleep(seconds)
