"""The FastAPI application of a server process: routes, middlewares, background tasks, startup and
shutdown.
"""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress
from functools import cache
from threading import Thread

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Match
from starlette.types import Lifespan

from citeproof.model.errors import DatabaseError, StoreBusyError
from citeproof.model.stored import JsonObject
from citeproof.model.version import __version__
from citeproof.store.sql import StoreError
from citeproof.web import middleware
from citeproof.web.api import jobs, lookup, operation, verify
from citeproof.web.api.shapes import VerifyBody
from citeproof.web.backend import Backend, Metrics, unrecorded
from citeproof.web.helper import collect_rarely
from citeproof.web.jobs.queue import LOOK_SECONDS, JobQueue
from citeproof.web.logs import log
from citeproof.web.options import CLOSING_SECONDS, Options
from citeproof.web.page import job, rendering, search
from citeproof.web.problems import NOT_FOUND, Problem, ProblemError, explain, problem, undecodable
from citeproof.web.reloading_database import open_reloading
from citeproof.web.searcher import Searcher, command_for

ROUTES = (
    (search, "page"),
    (job, "page"),
    (lookup, "search"),
    (verify, "verify"),
    (jobs, "jobs"),
    (operation, "operation"),
    (rendering, "page"),
)
"""Pairs of a module that adds HTTP routes, and the tag by which OpenAPI groups the routes of the
module.
"""
_EXPIRY_SECONDS = 60.0  # seconds between two deletions of expired jobs
_PRUNING_SECONDS = 3600.0  # seconds between two deletions of old records of searches


def worker_app(options: Options) -> FastAPI:
    """Return the FastAPI application of a server process.

    At shutdown it closes databases and child processes.
    """
    reloading = open_reloading(options.database, options.index_dir)
    searcher = Searcher(command_for(options.database, options.index_dir))
    store = options.open_store()
    queue = JobQueue(options.open_jobs(), options)
    metrics = Metrics(options.database)
    backend = Backend(reloading, store, metrics, searcher, queue, options.threshold)

    async def expire_jobs() -> None:
        if deleted := await asyncio.to_thread(queue.store.expire, options.job_hours):
            store.log(
                "info",
                "jobs_expired",
                f"{deleted} jobs that ended more than {options.job_hours:g} hours ago",
            )

    async def prune() -> None:
        days = options.retain_days
        if days is not None and (deleted := await asyncio.to_thread(store.prune, days)):
            store.log("info", "pruned", f"{deleted} records older than {days:g} days")

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        _stop_with_the_terminal()
        if options.workers > 1:
            _stop_with_the_parent()
        store.log("info", "started", f"process {os.getpid()}, citeproof {__version__}")
        await asyncio.to_thread(reloading.renew)
        await searcher.start()
        collect_rarely()
        tasks = [
            asyncio.create_task(repeat("jobs", queue.look_for_jobs, LOOK_SECONDS, metrics)),
            asyncio.create_task(repeat("expiry", expire_jobs, _EXPIRY_SECONDS, metrics)),
            asyncio.create_task(repeat("pruning", prune, _PRUNING_SECONDS, metrics)),
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            store.log("info", "stopped", f"process {os.getpid()}")
            closing = asyncio.to_thread(store.close, CLOSING_SECONDS - 1)
            await asyncio.gather(
                closing, searcher.close(CLOSING_SECONDS - 2), queue.close(CLOSING_SECONDS - 1)
            )
            reloading.close()

    hosts = middleware.allowed_hosts(options.host, options.token, options.allowed_hosts)
    return create_app(
        backend, token=options.token, rate_limit=options.rate_limit, hosts=hosts, lifespan=lifespan
    )


def create_app(
    backend: Backend,
    *,
    token: str = "",
    rate_limit: int = 0,
    hosts: Collection[str] = (),
    lifespan: Lifespan[FastAPI] | None = None,
) -> FastAPI:
    """Return a FastAPI application that uses ``backend``. The caller must close ``backend``.

    If ``token`` is empty, requests need no token. If ``hosts`` is empty, the header ``Host`` may
    have any value. ``rate_limit`` is the maximum number of searches per minute and client; 0 means
    no limit.
    """
    app = FastAPI(
        title="citeproof",
        version=__version__,
        summary="Do these works exist, and are they described correctly?",
        description=(
            "Verifies references against a bibliographic database, and looks up titles in "
            "it. Every answer has an `X-Request-ID`. Every error of an endpoint under "
            "`/api` is `application/problem+json`. `found` is true if the similarity of a "
            "title reaches the threshold."
        ),
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        exception_handlers={
            ProblemError: _refused,
            HTTPException: _unroutable,
            RequestValidationError: _invalid,
            StoreError: _without_store,
            StoreBusyError: _without_store,
        },
    )
    for module, tag in ROUTES:
        router = APIRouter(tags=[tag])
        module.add_routes(router, backend)
        app.routes.extend(router.routes)
    app.openapi = cache(lambda: describe(app, token=bool(token)))  # type: ignore[method-assign]
    checks = (
        middleware.refuse_embedding,
        hosts and middleware.require_host(hosts),
        token and middleware.require_token(token),
        rate_limit and middleware.limit_rate(rate_limit),
    )
    # the middleware that is added last handles a request first
    app.add_middleware(middleware.BodyLimit)
    app.add_middleware(middleware.Guard, checks=[check for check in checks if callable(check)])
    app.add_middleware(middleware.Observation, metrics=backend.metrics)
    return app


def describe(app: FastAPI, *, token: bool) -> JsonObject:
    """Return the OpenAPI document of ``app``. ``token`` is true if requests need a bearer token."""
    document = FastAPI.openapi(app)
    schemas = document["components"]["schemas"]
    schemas |= {model.__name__: model.model_json_schema() for model in (Problem, VerifyBody)}
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    if token:
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for operations in document["paths"].values():
        for operation_ in operations.values():
            # FastAPI adds this response to every route with parameters
            if "HTTPValidationError" in str(operation_["responses"].get("422")):
                del operation_["responses"]["422"]
            if token and "401" in operation_["responses"]:
                operation_["security"] = [{"token": []}]
    return document


async def repeat(
    name: str,
    task: Callable[[], Awaitable[None]],
    interval: float,
    metrics: Metrics,
    pause: float = 5.0,
) -> None:
    """Run ``task`` for ever, with ``interval`` seconds between runs.

    After a failure, wait for ``pause`` seconds.
    """
    while True:
        try:
            await task()
            await asyncio.sleep(interval)
        except Exception as error:  # noqa: BLE001 - the next run may succeed
            said = str(error) if isinstance(error, DatabaseError) else type(error).__name__
            log.error("the background task %s failed and is started again: %s", name, said)
            metrics.failures.labels(name).inc()
            await asyncio.sleep(pause)


def _stop_with_the_terminal() -> None:
    """Stop the process at SIGHUP, which is sent when the terminal is closed.

    Under ``nohup``, SIGHUP is ignored as before.
    """
    hangup = getattr(signal, "SIGHUP", None)
    if hangup and signal.getsignal(hangup) is not signal.SIG_IGN:
        asyncio.get_running_loop().add_signal_handler(hangup, signal.raise_signal, signal.SIGTERM)


def _stop_with_the_parent() -> None:
    """Start a thread that stops this server process when the parent process has ended."""
    loop, parent = asyncio.get_running_loop(), multiprocessing.parent_process()

    def wait() -> None:
        if parent:
            parent.join()
            with suppress(RuntimeError):  # the event loop has already ended
                loop.call_soon_threadsafe(signal.raise_signal, signal.SIGTERM)

    Thread(target=wait, daemon=True).start()


async def _refused(request: Request, error: ProblemError) -> Response:
    return problem(error.status, error.detail, error.headers)


async def _without_store(request: Request, error: DatabaseError) -> Response:
    log.error("%s", error)
    refused = unrecorded(error)
    return problem(refused.status, refused.detail)


async def _unroutable(request: Request, error: HTTPException) -> Response:
    if error.status_code == 400 and error.__cause__:
        return problem(400, undecodable(error.__cause__))
    # a browser gets an HTML page, except at an address of the JSON interface
    is_browser = "text/html" in request.headers.get("accept", "")
    if error.status_code == 404 and is_browser and not request.url.path.startswith("/api/"):
        return HTMLResponse(
            rendering.render("missing.html", title="No such page", detail=NOT_FOUND), 404
        )
    if error.status_code == 405:  # the framework names only the methods of the first route
        routes = [
            route
            for route in request.app.routes
            if route.matches(request.scope)[0] is not Match.NONE
        ]
        allowed = ", ".join(
            sorted({method for route in routes for method in getattr(route, "methods", None) or ()})
        )
        return problem(
            405,
            f"This address does not support {request.method}; it supports {allowed}.",
            {"Allow": allowed},
        )
    return problem(
        error.status_code,
        NOT_FOUND if error.status_code == 404 else str(error.detail),
        error.headers,
    )


async def _invalid(request: Request, error: RequestValidationError) -> Response:
    errors = [explain(one) for one in error.errors()]
    detail = "; ".join(f"{one['field']} {one['message']}" for one in errors[:3])
    return problem(422, f"The request cannot be used: {detail}.", errors=errors[:20])
