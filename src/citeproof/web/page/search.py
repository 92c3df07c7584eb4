"""``GET /``: the page with the input box, or with the answer to ``?title=``; ``POST /``: the text or file of the box.

A title is looked up, a list of titles is a batch, and other input becomes a verification job. All of it works without
JavaScript.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from citeproof.database.coverage import CoverageTable
from citeproof.model.errors import DatabaseError, InputError
from citeproof.report.serialization import lookup_object
from citeproof.verification.validation.searched import ONLINE, named
from citeproof.web.api.bodies import DEFAULT_CANDIDATES, MAX_TITLE_CHARACTERS, TitleBatch, collapse
from citeproof.web.api.titles import search_batch, search_title
from citeproof.web.api.verify import document_of, start_job
from citeproof.web.middleware.body_limit import is_form
from citeproof.web.page.answer import LABELS, answer_row
from citeproof.web.page.rendering import render
from citeproof.web.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citeproof.model.verdict import Verdict
    from citeproof.store.runtime.jobs import JobDocument
    from citeproof.web.backend import Backend


def sources_asked(database: Mapping[str, Any]) -> str:
    """Return the sources of a database with field and date: ``a part of DBLP (computer science, to 2024-12)``.

    ``database`` is its description as a JSON object. The text is empty if its sources declare no coverage.
    """
    return named(CoverageTable({}, database.get("sources") or ()).held())


def silence(verdict: Verdict) -> str:
    """Return the local sources that were searched for the title of ``verdict``, and their coverage."""
    return verdict.searched.replace(f"{ONLINE}.", "").strip()


NEEDS_TOKEN = "This service asks for a token, which the page can send only with JavaScript."  # noqa: S105 - a sentence
LOOK_UP, VERIFY = "lookup", "verify"
"""Values of the form's field ``as``, which says how to read the text. Empty means to detect it."""
MOST_LOOKED_UP = 200_000
"""Maximum bytes of a text that can be a list of titles."""
_PATIENCE = 1.0
"""Maximum time that a page waits until its view is counted. A later count is not lost."""


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter()

    @router.head("/", include_in_schema=False)
    @router.get("/", include_in_schema=False)
    async def page(request: Request, title: str | None = None) -> Response:
        if request.method == "GET":
            await asyncio.wait({asyncio.wrap_future(backend.store.count_page_view())}, timeout=_PATIENCE)
        if title is None:
            return HTMLResponse(render("page.html"))
        return await _answered(backend, request, [title], title)

    @router.post("/", include_in_schema=False)
    async def sent(request: Request) -> Response:
        try:
            if not request.scope.get("authorized", True):
                raise ProblemError(401, NEEDS_TOKEN)
            document = await document_of(request)
            chosen = (await request.form()).get("as") if is_form(request.headers.get("content-type", "")) else ""
            if titles := await _titles(backend, document, str(chosen or "")):
                return await _answered(backend, request, titles, document.data.decode("utf-8", "replace"))
            if chosen == VERIFY and document.pasted:
                document = replace(document, format=document.format or "text")
            job = await start_job(backend, document)
        except ProblemError as error:
            return HTMLResponse(render("page.html", error=error.detail), error.status, error.headers)
        return RedirectResponse(f"/jobs/{job.job_id}", 303)

    return router


async def _titles(backend: Backend, document: JobDocument, chosen: str) -> list[str]:
    """Return the titles to look up; an empty list for a document to verify."""
    if not document.pasted or document.format or chosen == VERIFY or len(document.data) > MOST_LOOKED_UP:
        return []
    if chosen == LOOK_UP:
        return [line for line in document.data.decode("utf-8", "replace").splitlines() if line.strip()]
    try:
        return list(await backend.searcher.titles(document))
    except InputError:  # the job says why
        return []
    except DatabaseError as error:
        raise ProblemError(500, str(error)) from None


async def _answered(backend: Backend, request: Request, titles: list[str], text: str) -> Response:
    """Return the page with the answer to each of ``titles``; ``text`` is the content of the box."""
    try:
        rows = await _rows(backend, request, titles)
    except ProblemError as error:
        return HTMLResponse(render("page.html", text=text, error=error.detail), error.status)
    return HTMLResponse(render("page.html", text=text, answers=rows, counts=_counts(rows), alone=len(titles) == 1))


async def _rows(backend: Backend, request: Request, titles: list[str]) -> list[dict[str, Any]]:
    if not titles[0].strip():
        raise ProblemError(422, "Enter a title.")
    if any(len(collapse(title)) > MAX_TITLE_CHARACTERS for title in titles):
        raise ProblemError(422, "A title has at most 2,000 characters.")
    if not request.scope.get("authorized", True):
        raise ProblemError(401, NEEDS_TOKEN)
    if len(titles) > 1:
        batch = TitleBatch.model_construct(titles=titles, max_candidates=DEFAULT_CANDIDATES)
        answer = await search_batch(backend, request, batch)
        return [answer_row(item) for item in answer["items"]]
    lookup = await search_title(backend, request, titles[0], DEFAULT_CANDIDATES)
    if lookup.found:
        return [answer_row(lookup_object(lookup))]
    nearest, asked = await asyncio.gather(backend.nearest(titles[0]), asyncio.to_thread(_sources, backend))
    return [answer_row(lookup_object(lookup), nearest, asked)]


def _counts(rows: list[dict[str, Any]]) -> str:
    """Return the number of titles by answer: ``2 found, 1 near, 1 not found``."""
    kinds = Counter(row["kind"] for row in rows)
    return ", ".join(f"{kinds[kind]} {label[2:].lower()}" for kind, label in LABELS.items() if kinds[kind])


def _sources(backend: Backend) -> str:
    with suppress(DatabaseError), backend.database.borrow() as database:
        return sources_asked(database.describe())
    return ""
