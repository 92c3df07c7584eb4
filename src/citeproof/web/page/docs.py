"""``GET /docs``: the OpenAPI document as a page with examples to try. It loads nothing from other hosts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from citeproof.web.page.rendering import render

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.web.backend import Backend


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["page"])

    @router.get("/docs", include_in_schema=False)
    async def docs(request: Request) -> Response:
        document = request.app.openapi()
        return HTMLResponse(render("docs.html", document=document, operations=list(operations(document))))

    return router


def operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the values that the page shows of each operation: address, texts, example body, answer fields, errors."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            body = _schema(document, operation.get("requestBody"))
            answer = _schema(document, operation["responses"].get("200"))
            yield {
                "id": operation["operationId"],
                "method": method.upper(),
                "path": path,
                "can_be_tried": "{" not in path,
                "summary": operation["summary"],
                "description": operation.get("description", ""),
                "fields": _fields(body),
                "example": json.dumps(body["examples"][0], indent=2, ensure_ascii=False) if body else "",
                "answer": _fields(answer),
                "errors": {s: r["description"] for s, r in operation["responses"].items() if s not in {"200", "204"}},
            }


def _schema(document: dict[str, Any], content: dict[str, Any] | None) -> dict[str, Any]:
    reference = (content or {}).get("content", {}).get("application/json", {}).get("schema", {}).get("$ref")
    if not reference:  # no body, or a body that is not JSON
        return {}
    schema: dict[str, Any] = document["components"]["schemas"][reference.rpartition("/")[2]]
    return schema


def _fields(schema: dict[str, Any]) -> list[dict[str, str]]:
    return [
        {"name": name, "type": _type(field), "description": field.get("description", "")}
        for name, field in schema.get("properties", {}).items()
    ]


def _type(field: dict[str, Any]) -> str:
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    if "anyOf" in field:
        return " or ".join(map(_type, field["anyOf"]))
    if field.get("type") == "array":
        return f"list of {_type(field.get('items', {}))}"
    return str(field.get("type", "object" if "const" not in field else json.dumps(field["const"])))
