"""A running server: options in, one process or several, everything finished and closed at the end."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import tempfile
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.supervisors import Multiprocess

from citeproof.errors import ConfigurationError
from citeproof.runtime.sqlite.store import SqliteRuntimeStore
from citeproof.runtime.title_log import PlainTitles, TitleLog, hashed_titles
from citeproof.storage.store import LOCK_WAIT_SECONDS
from citeproof.version import __version__
from citeproof.web.worker.garbage import collect_rarely
from citeproof.web.worker.logs import log_configuration
from citeproof.web.worker.reloading_database import open_reloading
from citeproof.web.worker.searcher import Searcher, command_for

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from fastapi import FastAPI

    from citeproof.runtime import RuntimeStore
    from citeproof.web.backend import Backend

MULTIPROCESS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where the workers of one service keep their figures for each other; prometheus-client reads it when imported."""

GRACE_SECONDS = 30
"""How long running requests may take to finish once the server is told to stop; then they are cut and marked."""

PRUNING_SECONDS = 3600.0


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

    Raises :class:`ConfigurationError` for an address that cannot be had, and
    :class:`~citeproof.errors.DatabaseError` for a runtime store that cannot be used.
    """
    open_store(options).close()  # one migration and one clear error, before any worker starts
    listener = listen(options)
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"citeproof: serving {options.database.name} at http://{shown}:{port}/", file=sys.stderr, flush=True)
    config = uvicorn.Config(
        partial(worker_app, options),
        factory=True,
        workers=options.workers,
        access_log=False,
        log_config=log_configuration(options.log_level),
        server_header=False,
        timeout_graceful_shutdown=options.grace,
        ws="none",
    )
    with listener:
        if options.workers == 1:
            uvicorn.Server(config).run(sockets=[listener])
            return
        with tempfile.TemporaryDirectory(prefix="citeproof-metrics-") as folder:
            os.environ[MULTIPROCESS_FOLDER] = folder
            Multiprocess(config, sockets=[listener]).run()


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

    reloading = open_reloading(options.database, options.index_dir)
    searcher = Searcher(command_for(options.database, options.index_dir))
    backend = Backend(reloading, open_store(options), Metrics(options.database), searcher, options.threshold)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        backend.store.log("info", "started", f"process {os.getpid()}, citeproof {__version__}")
        await searcher.start()
        collect_rarely()
        pruning = asyncio.create_task(_prune_hourly(backend, options.retain_days))
        try:
            yield
        finally:
            pruning.cancel()
            with suppress(asyncio.CancelledError):
                await pruning
            backend.store.log("info", "stopped", f"process {os.getpid()}")
            await searcher.close()
            await asyncio.to_thread(_close, backend)

    return create_app(backend, token=options.token, rate_limit=options.rate_limit, lifespan=lifespan)


async def _prune_hourly(backend: Backend, days: float | None) -> None:
    while days is not None:
        deleted = await asyncio.to_thread(backend.store.prune, days)
        if deleted:
            backend.store.log("info", "pruned", f"{deleted} records older than {days:g} days")
        await asyncio.sleep(PRUNING_SECONDS)


def _close(backend: Backend) -> None:
    backend.store.close()
    backend.database.close()


def listen(options: Options) -> socket.socket:
    """Return the socket that all workers accept connections from; raise :class:`ConfigurationError` without one."""
    if not options.host:  # the system would take it for every address of the machine
        raise ConfigurationError("the address to listen at is empty; name one, or 0.0.0.0 for all")
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    try:
        listener = socket.create_server((options.host, options.port), family=family, backlog=2048)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigurationError(
            f"{options.host}:{options.port}: cannot listen there: {reason}; name another --host or --port"
        ) from error
    # Connections inherit it. Without, a body waits up to 40 ms until the client has acknowledged the header before it;
    # asyncio sets it only for sockets that it has made itself.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
