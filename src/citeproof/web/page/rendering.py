"""Render HTML pages from templates.

Serve ``/docs``, and below ``/static/`` the scripts and styles of the pages.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import PurePath
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, Response

from citeproof.model.stored import JsonObject
from citeproof.model.version import __version__
from citeproof.report.pictures import STYLE
from citeproof.web.backend import Backend
from citeproof.web.problems import NOT_FOUND, ProblemError

MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class StaticFile(NamedTuple):
    """Content, media type and ``ETag`` header of a file that HTML pages load, such as
    ``style.css``.
    """

    content: bytes
    media_type: str
    etag: str


def _static_files() -> Iterator[tuple[str, StaticFile]]:
    own = files("citeproof.web.page").joinpath("static").iterdir()
    for file in sorted(own, key=lambda file: file.name):
        if media_type := MEDIA_TYPES.get(PurePath(file.name).suffix):
            content = file.read_bytes()
            if file.name == "style.css":
                content = STYLE.encode() + content
            yield (
                file.name,
                StaticFile(content, media_type, f'"{hashlib.sha256(content).hexdigest()[:32]}"'),
            )


STATIC_FILES = dict(_static_files())
"""Map from a file name to the file, for the files in the folder ``static`` of this package."""
STATIC_VERSION = hashlib.sha256(
    "".join(file.etag for file in STATIC_FILES.values()).encode()
).hexdigest()[:12]
"""Hash of all static files.

The URLs of the files contain this hash, so browsers can cache the files for ever.
"""


def _code(text: str) -> Markup:
    """Return ``text`` as escaped HTML, in which text between backticks becomes a ``<code>``
    element.
    """
    # the text is escaped in the same line
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704


_templates = Environment(
    loader=PackageLoader("citeproof.web.page"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
_templates.filters["code"] = _code
_templates.globals.update(version=__version__, static=f"/static/{STATIC_VERSION}")


def render(name: str, **values: Any) -> str:
    """Return the HTML page made from the template ``name``, such as ``job.html``, and the variables
    ``values``.
    """
    defaults: dict[str, Any] = {
        "here": name.removesuffix(".html"),
        "text": "",
        "answers": (),
        "error": "",
        "asked": "",
    }
    return _templates.get_template(name).render(defaults | values)


def add_routes(router: APIRouter, backend: Backend) -> None:
    """Add the HTTP routes ``/docs`` and ``/static/{version}/{name}`` to ``router``."""

    @router.api_route("/static/{version}/{name}", methods=["GET", "HEAD"], include_in_schema=False)
    async def static(request: Request, version: str, name: str) -> Response:
        if not (file := STATIC_FILES.get(name)):
            raise ProblemError(404, NOT_FOUND)
        # browsers must revalidate a URL with another version
        caching = "max-age=31536000, immutable" if version == STATIC_VERSION else "no-cache"
        headers = {"ETag": file.etag, "Cache-Control": f"public, {caching}"}
        known = {
            tag.strip().removeprefix("W/")
            for tag in request.headers.get("if-none-match", "").split(",")
        }
        if file.etag in known or "*" in known:
            return Response(status_code=304, headers=headers)
        return Response(file.content, headers=headers, media_type=file.media_type)

    @router.get("/docs", include_in_schema=False)
    async def docs(request: Request) -> Response:
        document = request.app.openapi()
        return HTMLResponse(
            render("docs.html", document=document, operations=list(operations(document)))
        )


def operations(document: JsonObject) -> Iterator[JsonObject]:
    """Yield the variables of the template ``docs.html`` for each operation of an OpenAPI
    document.
    """
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            body = _schema(document, operation.get("requestBody"))
            yield {
                "id": operation["operationId"],
                "method": method.upper(),
                "path": path,
                "summary": operation["summary"],
                "description": operation.get("description", ""),
                "fields": _fields(body),
                "example": json.dumps(body["examples"][0], indent=2, ensure_ascii=False)
                if body
                else "",
                "answer": _fields(_schema(document, operation["responses"].get("200"))),
                "errors": {
                    s: r["description"]
                    for s, r in operation["responses"].items()
                    if s not in {"200", "204"}
                },
            }


def _schema(document: JsonObject, content: JsonObject | None) -> JsonObject:
    """Return the JSON schema of a request or response body. Empty if there is no body, or the body
    is not JSON.
    """
    reference = (
        (content or {})
        .get("content", {})
        .get("application/json", {})
        .get("schema", {})
        .get("$ref", "")
    )
    found: JsonObject = document["components"]["schemas"].get(reference.rpartition("/")[2], {})
    return found


def _fields(schema: JsonObject) -> list[dict[str, str]]:
    return [
        {"name": name, "type": _type(field), "description": field.get("description", "")}
        for name, field in schema.get("properties", {}).items()
    ]


def _type(field: JsonObject) -> str:
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    if "anyOf" in field:
        return " or ".join(map(_type, field["anyOf"]))
    if field.get("type") == "array":
        return f"list of {_type(field.get('items', {}))}"
    return str(field.get("type", "object" if "const" not in field else json.dumps(field["const"])))
