"""Errors as ``application/problem+json`` (RFC 9457), each with a sentence that a person understands."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.routing import Match

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.routing import BaseRoute

MEDIA_TYPE = "application/problem+json"

SENTENCES = {
    404: "There is nothing at this address.",
    405: "This address does not answer {method}; it answers {allowed}.",
}
"""What is said where the framework, not a route, refuses a request."""

MESSAGES = {
    "missing": "is missing",
    "json_invalid": "is not valid JSON",
    "string_type": "must be a string",
    "string_unicode": "must be valid Unicode",
    "string_too_long": "must not be longer than {max_length:,} characters",
    "string_too_short": "must not be empty",
    "int_type": "must be an integer",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "list_type": "must be a list of strings",
    "model_type": "must be a JSON object",
    "model_attributes_type": "must be a JSON object, sent with Content-Type: application/json",
}
"""Pydantic's error types in plain words, with its limits; none repeats the value, which may be confidential."""


class ProblemError(Exception):
    """A request ends with ``status``; ``detail`` says why and what to do."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers


def problem(
    status: int, detail: str, headers: Mapping[str, str] | None = None, errors: Sequence[Mapping[str, str]] = ()
) -> Response:
    """Return the answer for one problem; ``errors`` lists the fields that are at fault."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if errors:
        body["errors"] = list(errors)
    return Response(json.dumps(body, ensure_ascii=False), status, dict(headers or {}), MEDIA_TYPE)


def explain(error: Mapping[str, Any]) -> dict[str, str]:
    """Return the field and the message of one of pydantic's errors."""
    place = [str(part) for part in error["loc"] if part not in ("body", "query")]
    if error["type"] == "json_invalid":
        place = []
    message = MESSAGES.get(error["type"])
    said = message.format(**error.get("ctx", {})) if message else error["msg"]
    return {"field": ".".join(place) or "body", "message": said}


def _undecodable(error: BaseException) -> str:
    """Return why a body could not be taken for JSON at all, and what to do."""
    if isinstance(error, UnicodeDecodeError):
        return f"The body is not UTF-8: byte {error.start + 1} begins no character. Send JSON in UTF-8."
    if isinstance(error, RecursionError):
        return "The body is nested too deeply. Send a JSON object as the documentation shows it."
    return "The body cannot be read as JSON. Send a JSON object in UTF-8, as the documentation shows it."


def _wants_page(request: Request) -> bool:
    """Whether a browser asks, and not for something of the interface: it is answered with a page."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")


def _methods(request: Request) -> str:
    """Return the methods of an address, for ``Allow``: the framework names those of its first route only."""
    found = {
        method
        for route in _routes(request.app.router.routes)
        if route.matches(request.scope)[0] is not Match.NONE
        for method in getattr(route, "methods", None) or ()
    }
    return ", ".join(sorted(found))


def _routes(routes: Iterable[BaseRoute]) -> Iterator[BaseRoute]:
    """Yield all of ``routes``, those of routers that FastAPI keeps as one route among them."""
    for route in routes:
        included = getattr(route, "original_router", None)
        if included is None:
            yield route
        else:
            yield from _routes(included.routes)


def answer_problems(app: FastAPI) -> None:
    """Make ``app`` answer every refusal in this form."""

    @app.exception_handler(ProblemError)
    async def refused(request: Request, error: ProblemError) -> Response:
        return problem(error.status, error.detail, error.headers)

    @app.exception_handler(HTTPException)
    async def unroutable(request: Request, error: HTTPException) -> Response:
        if error.status_code == 400 and error.__cause__:
            return problem(400, _undecodable(error.__cause__))
        if error.status_code == 404 and _wants_page(request):
            from citeproof.web.page.rendering import render

            return HTMLResponse(render("missing.html", title="No such page", detail=SENTENCES[404]), 404)
        if error.status_code == 405:
            allowed = _methods(request)
            return problem(405, SENTENCES[405].format(method=request.method, allowed=allowed), {"Allow": allowed})
        return problem(error.status_code, SENTENCES.get(error.status_code, str(error.detail)), error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        errors = [explain(one) for one in error.errors()]
        detail = "; ".join(f"{one['field']} {one['message']}" for one in errors[:3])
        return problem(422, f"The request cannot be used: {detail}.", errors=errors[:20])
