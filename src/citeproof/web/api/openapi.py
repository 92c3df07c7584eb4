"""The OpenAPI document: what FastAPI derives from the routes, with the error shape and the token added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.openapi.utils import get_openapi

from citeproof.web.api.answer_schemas import Problem
from citeproof.web.api.job_schemas import VerifyBody

if TYPE_CHECKING:
    from fastapi import FastAPI

_DESCRIPTION = (
    "Verifies references against a bibliographic database, and looks titles up in it. Every answer carries "
    "`X-Request-ID`; every error is "
    "`application/problem+json`. `found` means at or above the similarity threshold."
)


def describe(app: FastAPI, *, token: bool) -> dict[str, Any]:
    """Return the document of ``app``; ``token`` says whether searches need one."""
    document = get_openapi(
        title=app.title, version=app.version, summary=app.summary, description=_DESCRIPTION, routes=app.routes
    )
    schemas = document["components"]["schemas"]
    schemas["Problem"] = Problem.model_json_schema()
    schemas["VerifyBody"] = VerifyBody.model_json_schema()
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    if token:
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for operations in document["paths"].values():
        for operation in operations.values():
            if "HTTPValidationError" in str(operation["responses"].get("422")):  # FastAPI adds it to any parameter
                del operation["responses"]["422"]
            if token and "401" in operation["responses"]:
                operation["security"] = [{"token": []}]
    return document
