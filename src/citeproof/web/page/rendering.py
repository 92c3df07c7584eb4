"""Render the HTML pages from templates, and serve ``GET /static/{version}/{name}``, the files that they load.

The files are read once. Each version has its own address, so that browsers can cache them for ever.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import Response

from citeproof.model.version import __version__
from citeproof.web.problems import SENTENCES, ProblemError

if TYPE_CHECKING:
    from citeproof.web.backend import Backend

_FOR_GOOD = "public, max-age=31536000, immutable"
"""``Cache-Control`` of a file under the address of its version."""
_ASK_AGAIN = "public, no-cache"
"""``Cache-Control`` of a file under another address."""

MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file with its media type and its ``ETag``."""

    content: bytes
    media_type: str
    etag: str


def load_static_files() -> dict[str, StaticFile]:
    """Return the files of the package's ``static`` folder by name."""
    found = {}
    for file in sorted(files("citeproof.web.page").joinpath("static").iterdir(), key=lambda file: file.name):
        suffix = PurePath(file.name).suffix
        if suffix not in MEDIA_TYPES:
            continue
        content = file.read_bytes()
        etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        found[file.name] = StaticFile(content, MEDIA_TYPES[suffix], etag)
    return found


def version_of(static: dict[str, StaticFile]) -> str:
    """Return a hash of all files, which is a part of their addresses."""
    return hashlib.sha256("".join(file.etag for file in static.values()).encode()).hexdigest()[:12]


STATIC_FILES = load_static_files()
STATIC_VERSION = version_of(STATIC_FILES)

_templates = Environment(
    loader=PackageLoader("citeproof.web.page"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


def _code(text: str) -> Markup:
    """Return ``text`` as HTML, with parts in backticks as ``<code>``."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped just before


_templates.filters["code"] = _code
_templates.globals.update(version=__version__, static=f"/static/{STATIC_VERSION}")


def render(name: str, **values: Any) -> str:
    """Return the page from the template ``name``."""
    defaults: dict[str, Any] = {"here": name.removesuffix(".html"), "text": "", "answers": (), "error": ""}
    return _templates.get_template(name).render(defaults | values)


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["page"])

    @router.head("/static/{version}/{name}", include_in_schema=False)
    @router.get("/static/{version}/{name}", include_in_schema=False)
    async def static(request: Request, version: str, name: str) -> Response:
        file = STATIC_FILES.get(name)
        if not file:
            raise ProblemError(404, SENTENCES[404])
        headers = {"ETag": file.etag, "Cache-Control": _FOR_GOOD if version == STATIC_VERSION else _ASK_AGAIN}
        known = {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}
        if file.etag in known or "*" in known:
            return Response(status_code=304, headers=headers)
        return Response(file.content, headers=headers, media_type=file.media_type)

    return router
