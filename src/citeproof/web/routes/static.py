"""``GET /static/{version}/{name}``: a new version has a new address, so browsers may keep each for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import Response

from citeproof.web.problems import SENTENCES, ProblemError
from citeproof.web.static_files import STATIC_FILES, STATIC_VERSION

if TYPE_CHECKING:
    from citeproof.web.service import Service

_FOR_GOOD = "public, max-age=31536000, immutable"
_ASK_AGAIN = "public, no-cache"


def routes(service: Service) -> APIRouter:
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
