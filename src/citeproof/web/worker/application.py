"""The application of one server process: its effects, what it does beside requests, and how it ends."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
from contextlib import asynccontextmanager, suppress
from threading import Thread
from typing import TYPE_CHECKING

from citeproof.errors import DatabaseError
from citeproof.runtime.opening import open_job_store, open_runtime_store
from citeproof.runtime.title_log import PlainTitles, TitleLog, hashed_titles
from citeproof.server_address import ServerAddress
from citeproof.settings import default_runtime_store
from citeproof.version import __version__
from citeproof.web.jobs.queue import JobQueue
from citeproof.web.worker.garbage import collect_rarely
from citeproof.web.worker.heap import bound_heap
from citeproof.web.worker.options import CLOSING_SECONDS
from citeproof.web.worker.reloading_database import open_reloading
from citeproof.web.worker.searcher import Searcher, command_for

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from fastapi import FastAPI

    from citeproof.runtime import RuntimeStore
    from citeproof.runtime.jobs import JobStore
    from citeproof.web.backend import Backend
    from citeproof.web.worker.options import Options

PARENT_CHECK_SECONDS = 1.0
"""How often a worker looks whether its parent still lives."""

EXPIRY_SECONDS = 60.0
"""How often ended jobs are looked for whose time is over."""
PRUNING_SECONDS = 3600.0
PRUNING_AGAIN_SECONDS = 60.0
"""When to try again after another process kept the store locked."""

_log = logging.getLogger("citeproof.web")


def open_store(options: Options) -> RuntimeStore:
    """Open the runtime store that ``options`` name."""
    place = options.runtime_store
    titles: TitleLog = PlainTitles()
    if not options.title_log:  # the key of a store on a server is a file of this host
        titles = hashed_titles(default_runtime_store() if isinstance(place, ServerAddress) else place)
    return open_runtime_store(place, titles, options.lock_wait)


def open_jobs(options: Options) -> JobStore:
    """Open the jobs of the runtime store that ``options`` name; the store itself was opened before."""
    return open_job_store(options.runtime_store, options.lock_wait)


def worker_app(options: Options) -> FastAPI:
    """Return the application of one server process, with all its effects; its shutdown closes them."""
    # Imported here, because prometheus-client looks for its folder when it is imported.
    from citeproof.web.app import create_app
    from citeproof.web.backend import Backend
    from citeproof.web.worker.metrics import Metrics

    bound_heap()  # one of several is a process of its own
    reloading = open_reloading(options.database, options.index_dir, beside=_in_thread)
    searcher = Searcher(command_for(options.database, options.index_dir))
    store = open_store(options)
    jobs = JobQueue(open_jobs(options), options)
    backend = Backend(reloading, store, Metrics(options.database), searcher, jobs, options.threshold)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        _stop_with_the_terminal()
        backend.store.log("info", "started", f"process {os.getpid()}, citeproof {__version__}")
        with suppress(DatabaseError):  # each search says so until there is a file that can be read
            await asyncio.to_thread(backend.open_database)
        await asyncio.gather(searcher.start(), jobs.start())
        collect_rarely()
        beside = [
            asyncio.create_task(_prune_hourly(backend, options.retain_days)),
            asyncio.create_task(_expire_jobs(backend, options.job_hours)),
        ]
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
            await asyncio.gather(closing, searcher.close(CLOSING_SECONDS - 2), jobs.close(CLOSING_SECONDS - 1))
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


async def _expire_jobs(backend: Backend, hours: float) -> None:
    while True:
        try:
            if deleted := await asyncio.to_thread(backend.jobs.store.expire, hours):
                backend.store.log("info", "jobs_expired", f"{deleted} jobs that ended more than {hours:g} hours ago")
        except DatabaseError as error:
            _log.warning("old jobs were not deleted, which is tried again: %s", error)
        await asyncio.sleep(EXPIRY_SECONDS)
