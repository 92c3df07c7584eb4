"""The application, put together from its effects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import FastAPI

import citeproof
from citeproof.web.middleware.access_log import AccessLog
from citeproof.web.middleware.body_limit import BodyLimit
from citeproof.web.middleware.count_requests import CountRequests
from citeproof.web.middleware.failures import Failures
from citeproof.web.middleware.request_id import RequestId
from citeproof.web.middleware.security_headers import SecurityHeaders
from citeproof.web.problems import answer_problems
from citeproof.web.routes import health, page, single

if TYPE_CHECKING:
    from citeproof.web.service import Service

ROUTES = (page, health, single)


def create_app(service: Service) -> FastAPI:
    """Return the application that answers with ``service``; whoever made the service closes it."""
    app = FastAPI(
        title="citeproof",
        version=citeproof.__version__,
        summary="Looks titles up in a bibliographic database.",
        docs_url=None,
        redoc_url=None,
    )
    for module in ROUTES:
        app.include_router(module.routes(service))
    answer_problems(app)
    # The last one added is the outermost.
    app.add_middleware(BodyLimit)
    app.add_middleware(Failures)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(CountRequests, metrics=service.metrics)
    app.add_middleware(AccessLog)
    app.add_middleware(RequestId)
    return app
