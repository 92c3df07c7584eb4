"""The application, put together from its effects."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI

from citeproof.version import __version__
from citeproof.web.api import batch, events, health, jobs, metrics, single, statistics, verify
from citeproof.web.api.openapi import describe
from citeproof.web.middleware.access_log import AccessLog
from citeproof.web.middleware.body_limit import BodyLimit
from citeproof.web.middleware.count_requests import CountRequests
from citeproof.web.middleware.failures import Failures
from citeproof.web.middleware.rate_limit import RateLimit
from citeproof.web.middleware.request_id import RequestId
from citeproof.web.middleware.security_headers import SecurityHeaders
from citeproof.web.middleware.token import Token
from citeproof.web.page import docs, job, search, static_files
from citeproof.web.problems import answer_problems

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import Lifespan

    from citeproof.web.backend import Backend

ROUTES = (search, job, single, batch, verify, jobs, events, health, statistics, metrics, docs, static_files)


def create_app(
    backend: Backend, *, token: str = "", rate_limit: int = 0, lifespan: Lifespan[FastAPI] | None = None
) -> FastAPI:
    """Return the application that answers with ``backend``; whoever made it closes it.

    An empty ``token`` asks for none; ``rate_limit`` is in searches a minute and client, 0 for no limit.
    """
    app = FastAPI(
        title="citeproof",
        version=__version__,
        summary="Do these works exist, and are they described as they are?",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    for module in ROUTES:
        app.include_router(module.routes(backend))
    answer_problems(app)
    app.openapi = _document(app, token=bool(token))  # type: ignore[method-assign]
    # The last one added is the outermost.
    app.add_middleware(BodyLimit)
    if rate_limit:
        app.add_middleware(RateLimit, per_minute=rate_limit)
    if token:
        app.add_middleware(Token, token=token)
    app.add_middleware(Failures)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(CountRequests, metrics=backend.metrics)
    app.add_middleware(AccessLog)
    app.add_middleware(RequestId)
    return app


def _document(app: FastAPI, *, token: bool) -> Callable[[], dict[str, Any]]:
    """Return what FastAPI calls for the OpenAPI document; it is made once."""
    return cache(lambda: describe(app, token=token))
