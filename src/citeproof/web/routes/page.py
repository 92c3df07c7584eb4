"""``GET /``: the title search page; with ``?title=`` it carries the answer, so it works without JavaScript."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from citeproof.reports.lookup import lookup_object
from citeproof.text.differences import differing_words
from citeproof.web.bodies import DEFAULT_CANDIDATES, MAX_TITLE_CHARACTERS
from citeproof.web.pages import render
from citeproof.web.problems import ProblemError
from citeproof.web.single import search_title

if TYPE_CHECKING:
    from citeproof.web.service import Service

_PATIENCE = 1.0
"""Seconds that a page waits for its view to be counted; the count itself is never lost."""


def routes(service: Service) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["page"], default_response_class=HTMLResponse)

    @router.get("/", summary="The title search page", include_in_schema=False)
    async def page(request: Request, title: str | None = None) -> Response:
        await asyncio.wait({asyncio.wrap_future(service.store.count_page_view())}, timeout=_PATIENCE)
        if title is None:
            return HTMLResponse(render("page.html"))
        status, result, error = 200, None, ""
        if not title.strip():
            status, error = 422, "Enter a title."
        elif len(title) > MAX_TITLE_CHARACTERS:
            status, error = 422, "A title has at most 2,000 characters."
        else:
            try:
                result = lookup_object(await search_title(service, request, title, DEFAULT_CANDIDATES))
            except ProblemError as problem:
                status, error = problem.status, problem.detail
        nearest = result and (result if result["found"] else result.get("nearest"))
        words = differing_words(title, nearest["title"])[1] if nearest else []
        return HTMLResponse(render("page.html", title=title, result=result, words=words, error=error), status)

    return router
