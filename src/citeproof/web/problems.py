"""Errors as ``application/problem+json`` (RFC 9457), each with a sentence for people."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

MEDIA_TYPE = "application/problem+json"
"""Content type of an error."""

SENTENCES = {
    404: "There is nothing at this address.",
    405: "This address does not answer {method}; it answers {allowed}.",
}
"""Messages for requests that the web framework refuses, by status."""

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
"""Messages by pydantic's error type. None repeats the value, which may be confidential."""


class ProblemError(Exception):
    """Raised to end a request with an HTTP ``status``. ``detail`` is one sentence with cause and remedy."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers


def problem(
    status: int, detail: str, headers: Mapping[str, str] | None = None, errors: Sequence[Mapping[str, str]] = ()
) -> Response:
    """Return the answer to a failed request. ``errors`` has ``field`` and ``message`` of each invalid field."""
    title = HTTPStatus(status).phrase
    body: dict[str, Any] = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    if errors:
        body["errors"] = list(errors)
    return Response(json.dumps(body, ensure_ascii=False), status, dict(headers or {}), MEDIA_TYPE)


def explain(error: Mapping[str, Any]) -> dict[str, str]:
    """Return the field and the message of a validation error of pydantic."""
    place = [str(part) for part in error["loc"] if part not in ("body", "query")]
    if error["type"] == "json_invalid":
        place = []
    message = MESSAGES.get(error["type"])
    said = message.format(**error.get("ctx", {})) if message else error["msg"]
    return {"field": ".".join(place) or "body", "message": said}


def undecodable(error: BaseException) -> str:
    """Return a sentence on why a body cannot be decoded, and what to do."""
    if isinstance(error, UnicodeDecodeError):
        return f"The body is not UTF-8: byte {error.start + 1} begins no character. Send JSON in UTF-8."
    if isinstance(error, RecursionError):
        return "The body is nested too deeply. Send a JSON object as the documentation shows it."
    return "The body cannot be read as JSON. Send a JSON object in UTF-8, as the documentation shows it."
