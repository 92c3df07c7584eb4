"""The search page.

``GET /`` looks up a title. ``POST /`` looks up titles or creates a job that verifies a document.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from citeproof.database.coverage import CoverageTable
from citeproof.database.lookup import SHOWN_FROM
from citeproof.model.errors import DatabaseError, InputError
from citeproof.model.record import Candidate
from citeproof.model.stored import JsonObject
from citeproof.model.verdict import Verdict
from citeproof.report.serialization import candidate_object, lookup_object
from citeproof.report.wording import IDENTIFIERS, RELATED
from citeproof.store.runtime.jobs import JobDocument
from citeproof.text.normalize import LONGEST_TITLE
from citeproof.text.similarity import differing_words
from citeproof.verification.explanation import ONLINE, named
from citeproof.web.api.lookup import search_batch, search_title
from citeproof.web.api.shapes import DEFAULT_CANDIDATES, TitleBatch, collapse
from citeproof.web.api.verify import document_of, start_job
from citeproof.web.backend import Backend
from citeproof.web.middleware import is_form
from citeproof.web.page.rendering import render
from citeproof.web.problems import ProblemError
from citeproof.web.searcher import Searches


def sources_asked(database: Mapping[str, Any]) -> str:
    """Return a phrase that names the sources of a database: ``a part of DBLP (computer science, to
    2024-12)``.
    """
    return named(CoverageTable({}, database.get("sources") or ()).all_sources())


def silence(verdict: Verdict) -> str:
    """Return a sentence that names the sources of the database in which the work was not found.

    Empty unless the verdict is UNVERIFIED.
    """
    return verdict.searched.replace(f"{ONLINE}.", "").strip()


NEEDS_TOKEN = "This service needs a token."  # noqa: S105 - a sentence
LOOK_UP, VERIFY = "lookup", "verify"
"""Values of the form field ``as``: look up titles, or verify references.

If the field is empty, the choice depends on the text.
"""
# maximum number of bytes of a text that is read as a list of titles
_MOST_LOOKED_UP = 200_000
# first bytes of formats whose text may be one long line, such as JSON
_MARKUP = (b"@", b"[", b"{", b"<")
_TOO_LONG = (
    f"A list of titles has at most {_MOST_LOOKED_UP:,} bytes, with one title per line. Send a"
    " longer document as a file."
)
_PATIENCE = 1.0  # maximum seconds for which a page waits until the page view is recorded


def add_routes(router: APIRouter, backend: Backend) -> None:
    """Add the HTTP routes of the search page to ``router``."""

    @router.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(
        request: Request,
        title: str | None = None,
        every: Annotated[bool, Query(alias="all")] = False,
    ) -> Response:
        if request.method == "GET":
            await asyncio.wait(
                {asyncio.wrap_future(backend.store.count_page_view())}, timeout=_PATIENCE
            )
        if title is None:
            asked = await asyncio.to_thread(_database, backend)
            return HTMLResponse(render("page.html", asked=asked))
        return await _answered(backend, request, [title], title, every=every)

    @router.post("/", include_in_schema=False)
    async def sent(request: Request) -> Response:
        try:
            if not request.scope.get("authorized", True):
                raise ProblemError(401, NEEDS_TOKEN)
            document = await document_of(request)
            chosen = (
                (await request.form()).get("as")
                if is_form(request.headers.get("content-type", ""))
                else ""
            )
            if titles := await _titles(backend, document, str(chosen or "")):
                return await _answered(
                    backend, request, titles, document.data.decode("utf-8", "replace")
                )
            if chosen == VERIFY and document.pasted:
                document = replace(document, format=document.format or "text")
            job = await start_job(backend, document)
        except ProblemError as error:
            return HTMLResponse(
                render("page.html", error=error.detail), error.status, error.headers
            )
        return RedirectResponse(f"/jobs/{job.job_id}", 303)


async def _titles(backend: Backend, document: JobDocument, chosen: str) -> list[str]:
    """Return the titles in ``document``, or an empty list if ``document`` should be verified
    instead.

    ``chosen`` is the user's choice, :data:`LOOK_UP` or :data:`VERIFY`. If it is empty, the choice
    depends on the text.
    """
    if not document.pasted or document.format or chosen == VERIFY:
        return []
    if len(document.data) > _MOST_LOOKED_UP:
        text = document.data.strip()
        if chosen == LOOK_UP or (b"\n" not in text and not text.startswith(_MARKUP)):
            raise ProblemError(422, _TOO_LONG)
        return []
    if chosen == LOOK_UP:
        return [
            line for line in document.data.decode("utf-8", "replace").splitlines() if line.strip()
        ]
    try:
        return list(await backend.searcher.ask(Searches.titles, document))
    except InputError:  # the job will state the reason
        return []
    except DatabaseError as error:
        raise ProblemError(500, str(error)) from None


async def _answered(
    backend: Backend, request: Request, titles: list[str], text: str, *, every: bool = False
) -> Response:
    """Look up ``titles`` and return the HTML page with the results.

    ``text`` is shown in the input box. If ``every`` is true, the page shows all records that reach
    the threshold instead of only the best.
    """
    try:
        rows = await _rows(backend, request, titles, every=every)
    except ProblemError as error:
        return HTMLResponse(render("page.html", text=text, error=error.detail), error.status)
    kinds = Counter(row["kind"] for row in rows)
    counts = ", ".join(
        f"{kinds[kind]} {label[2:].lower()}" for kind, label in LABELS.items() if kinds[kind]
    )
    return HTMLResponse(
        render("page.html", text=text, answers=rows, counts=counts, alone=len(titles) == 1)
    )


async def _rows(
    backend: Backend, request: Request, titles: list[str], *, every: bool
) -> list[dict[str, Any]]:
    if not titles[0].strip():
        raise ProblemError(422, "Enter a title.")
    if any(len(collapse(title)) > LONGEST_TITLE for title in titles):
        raise ProblemError(422, "A title has at most 2,000 characters.")
    if not request.scope.get("authorized", True):
        raise ProblemError(401, NEEDS_TOKEN)
    if len(titles) > 1:
        batch = TitleBatch.model_construct(titles=titles, max_candidates=DEFAULT_CANDIDATES)
        return [answer_row(item) for item in (await search_batch(backend, request, batch))["items"]]
    lookup = await search_title(
        backend, request, collapse(titles[0]), DEFAULT_CANDIDATES, every=every
    )
    if lookup.found:
        return [answer_row(lookup_object(lookup))]
    nearest, asked = await asyncio.gather(
        backend.nearest(titles[0]), asyncio.to_thread(_sources, backend)
    )
    return [answer_row(lookup_object(lookup), nearest, asked)]


def _sources(backend: Backend) -> str:
    with suppress(DatabaseError), backend.database.borrow() as database:
        return sources_asked(database.describe())
    return ""


def _database(backend: Backend) -> str:
    """Return a phrase that describes the database: ``a part of DBLP (...), 2,366,268 records``.
    Empty if the database cannot be opened.
    """
    with suppress(DatabaseError), backend.database.borrow() as database:
        described = database.describe()
        return f"{sources_asked(described)}, {described['records']:,} records".lstrip(", ")
    return ""


LABELS = {"found": "✓ Found", "near": "≈ Near", "missing": "? Not found", "failed": "⚠ Failed"}
"""Map from the kind of a search result to the label that the page shows."""
_KINDS = {
    "article": "article in a journal or report series",
    "inproceedings": "conference or workshop paper",
    "incollection": "chapter of a book",
    "proceedings": "proceedings",
    "book": "book",
    "phdthesis": "doctoral thesis",
    "mastersthesis": "master's thesis",
    "data": "dataset or software",
    "rfc": "RFC",
}  # map from a type of publication to its name for users; other types are shown unchanged
_INDEXES = {"title_index": "Title index", "word_index": "Word index", "": "Every title"}


def answer_row(
    item: JsonObject, nearest: Iterable[Candidate] = (), asked: str = ""
) -> dict[str, Any]:
    """Return the variables of the template ``answer.html``, which shows the search result for one
    title.

    ``item`` is the response of the JSON interface to the search. If the title was not found, the
    page shows the works ``nearest`` with similar titles, and the names of the searched sources in
    ``asked``. If the best match differs from the title in words, the variable ``kind`` is "near"
    instead of "found".
    """
    query = str(item["query_title"])
    row: dict[str, Any] = {
        "title": query,
        "words": [(query, False)],
        "works": [],
        "further": [],
        "every": None,
        "proof": "",
    }
    if item.get("error"):
        return row | {"kind": "failed", "label": LABELS["failed"], "note": item["error"]}
    works = _works(item, nearest)
    kind, shown = "missing", works
    if identified := [work for work in works if work["match"] in IDENTIFIERS]:
        kind, shown = "found", identified
    elif item["found"]:
        kind, shown = (
            "found",
            [work for work in works if work["similarity"] == works[0]["similarity"]],
        )
        if item.get("near"):
            kind, row["words"] = "near", differing_words(query, works[0]["title"])[0]
    return row | {
        "kind": kind,
        "label": LABELS[kind],
        "note": _summary(kind, shown, item),
        "works": [_shown(query, work) for work in shown],
        "further": [_shown(query, work) for work in works if work not in shown],
        "every": item.get("all"),
        "proof": _proof(item, kind, asked),
    }


def _works(item: JsonObject, nearest: Iterable[Candidate]) -> list[dict[str, Any]]:
    """Return the records that the page shows for a title, best match first, without duplicates.

    ``item`` is the response of the JSON interface. ``nearest`` are works with similar titles, which
    are shown if the title was not found.
    """
    if item["found"]:
        return [dict(item), *item["others"]]
    near = [item["nearest"]] if item.get("nearest") else []
    alike = sorted((*near, *map(candidate_object, nearest)), key=lambda work: -work["similarity"])
    every = (*item.get("related", ()), *alike)
    return list(
        {
            one["key"]: one
            for one in every
            if one["match"] in RELATED or one["similarity"] >= SHOWN_FROM
        }.values()
    )


def _summary(kind: str, shown: Sequence[JsonObject], item: JsonObject) -> str:
    """Return a sentence that introduces the works ``shown``: ``2 records have this identifier.``
    The sentence may be empty.
    """
    if kind == "missing":
        return "The nearest works, best first:" if shown else "The database has no similar title."
    if len(shown) == 1:
        return ""
    if not item["found"]:
        return f"{len(shown)} records have this identifier."
    title = "this title" if kind == "found" else "a title that is nearly this one"
    listed = 1 + len(item["others"])
    more = (
        f" Of {item['total']:,} records {listed} are shown."
        if item["total"] > listed == len(shown)
        else ""
    )
    return f"{len(shown)} records have {title}; the title alone does not say which is meant.{more}"


def _shown(query: str, work: JsonObject) -> dict[str, Any]:
    identified, kind = work["match"] in IDENTIFIERS, work["pub_type"]
    whole = [(word, False) for word in work["title"].split()]
    concern = "An expression of concern was published about this work." if work["concern"] else ""
    return {
        "similarity": "" if identified else f"{100 * work['similarity']:.1f} %",
        "note": RELATED.get(work["match"], ""),
        "title": whole if identified else differing_words(query, work["title"])[1],
        "authors": ", ".join(work["authors"]),
        "facts": list(filter(None, (work["venue"], work["year"], _KINDS.get(kind, kind)))),
        "links": _links(work),
        "notice": "This work was retracted." if work["retraction"] else concern,
    }


def _links(work: JsonObject) -> list[tuple[str, str]]:
    links = []
    if work["doi"]:
        links.append((f"doi:{work['doi']}", f"https://doi.org/{work['doi']}"))
    if work["arxiv_id"]:
        links.append((f"arXiv:{work['arxiv_id']}", f"https://arxiv.org/abs/{work['arxiv_id']}"))
    if work["source"] == "dblp":
        links.append((f"dblp:{work['key']}", f"https://dblp.org/rec/{work['key']}"))
    elif work["key"]:
        links.append((f"{work['source']}:{work['key']}".strip(":"), ""))
    if work["url"].startswith(("https://", "http://")) and work["url"] not in {
        address for _, address in links
    }:
        links.append((work["url"], work["url"]))
    return links


def _proof(item: JsonObject, kind: str, asked: str) -> str:
    index = _INDEXES.get(item["index_used"], item["index_used"])
    how = f"{index}, {item['candidates_examined']:,} compared, {item['duration_ms']:.1f} ms."
    if kind != "missing":
        return how
    proved = "It is proved that no title in the database is similar enough."
    unproved = (
        "It is not proved that the database lacks the title: the search was stopped early, or "
        "the index cannot prove it."
    )
    return f"{proved if item['complete'] else unproved} {f'Asked: {asked}. ' if asked else ''}{how}"
