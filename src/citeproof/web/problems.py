"""HTTP error responses in the format ``application/problem+json`` (RFC 9457)."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel, Field
from starlette.responses import Response

from citeproof.model.stored import JsonObject

MEDIA_TYPE = "application/problem+json"
NOT_FOUND = "There is no page at this address."
_MESSAGES = {
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
}  # map from an error type of pydantic to a message; messages never quote the invalid value


class ProblemError(Exception):
    """Raised to answer a request with the HTTP error ``status``. ``detail`` is a sentence that
    names cause and remedy.
    """

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers


def problem(
    status: int,
    detail: str,
    headers: Mapping[str, str] | None = None,
    errors: Sequence[Mapping[str, str]] = (),
) -> Response:
    """Return an HTTP error response with this ``status``.

    ``detail`` is a sentence that names cause and remedy.

    ``errors`` has one dictionary with ``field`` and ``message`` for each invalid field.
    """
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    body |= {"errors": list(errors)} if errors else {}
    return Response(json.dumps(body, ensure_ascii=False), status, dict(headers or {}), MEDIA_TYPE)


def explain(error: Mapping[str, Any]) -> dict[str, str]:
    """Convert a validation error of pydantic to a dictionary: ``{"field": "title", "message": "is
    missing"}``.
    """
    place = [
        str(part)
        for part in error["loc"]
        if part not in ("body", "query") and error["type"] != "json_invalid"
    ]
    message = _MESSAGES.get(error["type"], "{msg}").format(msg=error["msg"], **error.get("ctx", {}))
    return {"field": ".".join(place) or "body", "message": message}


def undecodable(error: BaseException) -> str:
    """Return a sentence that says why a request body is not valid JSON in UTF-8, and what to do."""
    if isinstance(error, UnicodeDecodeError):
        return (
            f"The body is not UTF-8: no character begins at byte {error.start + 1}. Send "
            "JSON in UTF-8."
        )
    if isinstance(error, RecursionError):
        return "The body is nested too deeply. Send a JSON object as the documentation shows it."
    return (
        "The body cannot be read as JSON. Send a JSON object in UTF-8, as the documentation"
        " shows it."
    )


class Problem(BaseModel):
    """An error in the format of RFC 9457."""

    type: str
    title: str
    status: int
    detail: str = Field(
        description="The cause of the error, and what to do about it, for a person."
    )
    errors: list[dict[str, str]] = Field(
        [], description="With 422: `field` and `message` of each invalid field."
    )


ERRORS = {
    400: "The body cannot be decoded, or the batch is empty or too long.",
    401: "The bearer token is missing or wrong.",
    404: "The database file does not exist; or there is no such job or report.",
    408: "The body did not arrive in time.",
    409: (
        "The job has not ended yet; or the database was replaced after the verdict and now "
        "gives another verdict."
    ),
    413: (
        "The body is larger than 1 MiB; a document is larger than 32 MiB, or larger than 4 MiB "
        "as JSON."
    ),
    422: "A field is missing, of the wrong type or out of range.",
    429: "Too many requests from this client; `Retry-After` says when to try again.",
    500: "The look-up failed, or the runtime store stayed locked or cannot be written.",
    503: "Nothing can be looked up, or the queue is full.",
}
"""Map from an HTTP status to the description of the error in the OpenAPI document."""


def problems(*statuses: int) -> dict[int | str, JsonObject]:
    """Return the OpenAPI object ``responses`` that describes the error ``statuses`` of a route."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": ERRORS[status], "content": content} for status in statuses}
