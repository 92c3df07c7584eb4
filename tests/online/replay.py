"""The responses of each online source for a :class:`~tests.online.world.World`.

They have the formats of the sources, including missing and repeated fields.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from xml.sax.saxutils import escape
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.online.world import Work, World


ARXIV_DOI = "10.48550/arxiv."


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


def as_json(content: object, status: int = 200) -> Reply:
    return Reply(status, json.dumps(content).encode(), {"content-type": "application/json"})


def as_text(text: str, status: int, content_type: str = "text/plain") -> Reply:
    return Reply(status, text.encode(), {"content-type": content_type})


def number(work: Work) -> int:
    """Return a number derived from the work."""
    return crc32(f"{work.title}{work.doi}".encode())


def split_name(name: str) -> dict[str, str]:
    given, _, family = name.rpartition(" ")
    return {"given": given, "family": family}


# Crossref


def crossref(world: World, path: str, params: Mapping[str, str]) -> Reply:
    if path.startswith("/works/"):
        work = world.with_doi("crossref", unquote(path.removeprefix("/works/")))
        if work is None:
            return as_text("Resource not found.", 404)
        return as_json({"status": "ok", "message-type": "work", "message": crossref_work(work)})
    query = params.get("query.title") or params["query.bibliographic"]
    found = world.ranked("crossref", query, int(params["rows"]))
    items = [item for work in found for item in (notice_of(work), crossref_work(work)) if item]
    message = {
        "facets": {},
        "total-results": len(items),
        "items": items,
        "items-per-page": int(params["rows"]),
    }
    reply = as_json({"status": "ok", "message-type": "work-list", "message": message})
    return Reply(
        reply.status,
        reply.body,
        {**reply.headers, "x-rate-limit-limit": "3, 3", "x-rate-limit-interval": "1s, 1s"},
    )


def crossref_work(work: Work) -> dict[str, Any]:
    title, _, subtitle = work.title.partition(": ")
    described: dict[str, Any] = {
        "DOI": work.doi.upper() if work.year % 2 else work.doi,
        "type": {"article": "journal-article", "book": "book"}.get(
            work.kind, "proceedings-article"
        ),
        "title": [title] if subtitle else [work.title],
        "subtitle": [subtitle] if subtitle else [],
        "container-title": [work.venue],
        "author": [
            {**split_name(name), "sequence": "additional", "affiliation": []}
            for name in work.authors
        ],
        "issued": {"date-parts": [[None]]},
        "published": {"date-parts": [[work.year, 6]]},
        "relation": {},
    }
    if work.retracted_by:
        described["updated-by"] = [
            {"DOI": work.retracted_by, "type": "retraction", "label": "Retraction"}
        ]
    return described


def notice_of(work: Work) -> dict[str, Any] | None:
    if not work.retracted_by:
        return None
    update = {"DOI": work.doi, "type": "retraction", "label": "Retraction", "source": "publisher"}
    return {
        "DOI": work.retracted_by,
        "type": "journal-article",
        "title": [f"Retraction: {work.title}"],
        "update-to": [update],
        "issued": {"date-parts": [[work.year + 1]]},
    }


# doi.org


def doi_org(world: World, path: str, params: Mapping[str, str]) -> Reply:
    doi = unquote(path[1:])
    work = world.with_doi("doi_org", doi)
    if doi.startswith(ARXIV_DOI) and (
        preprint := world.with_arxiv_id("arxiv", doi.removeprefix(ARXIV_DOI))
    ):
        work = replace(preprint, doi=doi)  # DataCite describes the newest version
    if work is None:
        return as_text(
            "<!DOCTYPE html><title>Error: DOI Not Found</title>", 404, "text/html;charset=utf-8"
        )
    citation = {
        **crossref_work(work),
        "title": work.title,
        "subtitle": [],
        "container-title": work.venue,
    }
    return as_json(citation)


# OpenAlex


def openalex(world: World, path: str, params: Mapping[str, str]) -> Reply:
    if path.startswith("/works/doi:"):
        doi = path.removeprefix("/works/doi:")
        work = world.with_doi("openalex", doi)
        if work is None:
            return as_text(
                "<!doctype html>\n<title>404 Not Found</title>", 404, "text/html; charset=utf-8"
            )
        return as_json(openalex_work(work, world.lies.get(doi)))
    if "filter" in params:
        found = world.with_all_words(
            "openalex", params["filter"].removeprefix("title.search:"), int(params["per-page"])
        )
    else:
        found = world.ranked("openalex", params["search"], int(params["per-page"]))
    return as_json(
        {"meta": {"count": len(found)}, "results": [openalex_work(work) for work in found]}
    )


def openalex_work(work: Work, title: str | None = None) -> dict[str, Any]:
    places = (
        [{"landing_page_url": f"https://arxiv.org/abs/{work.arxiv_id}"}] if work.arxiv_id else []
    )
    return {
        "id": f"https://openalex.org/W{number(work)}",
        "doi": f"https://doi.org/{work.doi}" if work.doi else None,
        "title": title or work.title,
        "publication_year": work.year,
        "type": "article",
        "authorships": [
            {"author": {"display_name": name}, "raw_author_name": name} for name in work.authors
        ],
        "primary_location": {"source": {"display_name": work.venue}} if work.venue else None,
        "locations": places,
        "biblio": {"volume": None, "issue": None, "first_page": "1", "last_page": "9"},
        "is_retracted": bool(work.retracted_by),
    }


# Semantic Scholar


def semantic_scholar(world: World, path: str, params: Mapping[str, str]) -> Reply:
    if path.startswith("/paper/DOI:"):
        return _paper(world.with_doi("semantic_scholar", path.removeprefix("/paper/DOI:")), path)
    if path.startswith("/paper/ARXIV:"):
        return _paper(
            world.with_arxiv_id("semantic_scholar", path.removeprefix("/paper/ARXIV:")), path
        )
    if path == "/paper/search/match":
        work = world.best_title("semantic_scholar", params["query"])
        return (
            as_json({"data": [_s2(work)]})
            if work
            else as_json({"error": "Title match not found"}, 404)
        )
    found = world.ranked("semantic_scholar", params["query"], int(params["limit"]))
    if not found:
        return as_json({"total": 0, "offset": 0})
    return as_json({"total": len(found), "offset": 0, "data": [_s2(work) for work in found]})


def _paper(work: Work | None, path: str) -> Reply:
    return (
        as_json(_s2(work)) if work else as_json({"error": f"Paper with id {path} not found"}, 404)
    )


def _s2(work: Work) -> dict[str, Any]:
    identifiers = {"DOI": work.doi, "ArXiv": work.arxiv_id}
    return {
        "paperId": f"{number(work):040x}",
        "externalIds": {name: value for name, value in identifiers.items() if value},
        "url": "https://www.semanticscholar.org/paper/x",
        "title": work.title,
        "venue": work.venue,
        "year": work.year,
        "publicationTypes": None,
        "journal": {"pages": "1 - 9"},
        "authors": [{"authorId": "1", "name": name} for name in work.authors],
    }


# DBLP


def dblp(world: World, path: str, params: Mapping[str, str]) -> Reply:
    hits = [
        {"@score": "3", "@id": "1", "info": _dblp_info(w)}
        for w in world.with_all_words("dblp", params["q"], 100)
    ]
    counts: dict[str, Any] = {"@total": str(len(hits)), "@sent": str(len(hits)), "@first": "0"}
    if hits:
        counts["hit"] = hits
    return as_json(
        {"result": {"query": params["q"], "status": {"@code": "200", "text": "OK"}, "hits": counts}}
    )


def _dblp_info(work: Work) -> dict[str, Any]:
    people: list[Any] = [{"@pid": "1/1", "text": name} for name in work.authors]
    if work.year % 2:
        people = [f"{name} 0002" for name in work.authors]
    return {
        "authors": {"author": people[0] if len(people) == 1 else people},
        "title": escape(work.title) + ".",
        "venue": [work.venue, "Ser. Extra"] if work.kind == "incollection" else work.venue,
        "year": str(work.year),
        "type": "Journal Articles" if work.kind == "article" else "Conference and Workshop Papers",
        "key": f"journals/x/{number(work)}",
        "url": "https://dblp.org/rec/journals/x",
        **({"doi": work.doi.upper(), "ee": f"https://doi.org/{work.doi}"} if work.doi else {}),
    }


# arXiv


def arxiv(world: World, path: str, params: Mapping[str, str]) -> Reply:
    entries = []
    for arxiv_id in filter(None, params.get("id_list", "").split(",")):
        plain = arxiv_id.removesuffix("v1")
        if work := world.with_arxiv_id("arxiv", plain):
            entries.append(_entry(work, arxiv_id.endswith("v1")))
    phrase = params.get("search_query", "").removeprefix('ti:"').removesuffix('"')
    if phrase:
        entries += [
            _entry(work, False) for work in world.of("arxiv") if phrase in " ".join(work.words)
        ]
    feed = f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/x</id><title>arXiv Query</title>{"".join(entries)}
</feed>
"""
    return Reply(200, feed.encode(), {"content-type": "application/atom+xml; charset=utf-8"})


def _entry(work: Work, first: bool) -> str:
    version = "v1" if first or not work.first_title else "v3"
    title = work.first_title if first and work.first_title else work.title
    people = "".join(f"<author><name>{escape(name)}</name></author>" for name in work.authors)
    return f"""
  <entry><id>http://arxiv.org/abs/{work.arxiv_id}{version}</id><title>{escape(title)}</title>
    <published>{work.year}-05-26T17:59:46Z</published>{people}</entry>"""


# Europe PMC


def europe_pmc(world: World, path: str, params: Mapping[str, str]) -> Reply:
    query = params["query"]
    if query.startswith("DOI:"):
        work = world.with_doi("europe_pmc", query.removeprefix("DOI:").strip('"'))
        found = [work] if work else []
    else:
        words = query.replace("AUTH:", " ").replace("TITLE:", " ").replace(" AND ", " ")
        found = world.with_all_words("europe_pmc", words, int(params["pageSize"]))
    results = [_epmc(work) for work in found]
    return as_json({"version": "6.9", "hitCount": len(found), "resultList": {"result": results}})


def _epmc(work: Work) -> dict[str, Any]:
    people = [
        {"fullName": n, "firstName": split_name(n)["given"], "lastName": split_name(n)["family"]}
        for n in work.authors
    ]
    described: dict[str, Any] = {
        "id": str(number(work)),
        "source": "MED",
        "title": f"{work.title}.",
        "authorList": {"author": people},
        "journalInfo": {
            "volume": "1",
            "journal": {"title": work.venue},
            "yearOfPublication": work.year,
        },
        "pubYear": str(work.year),
        "pageInfo": "1-9",
    }
    if work.doi:
        described["doi"] = work.doi
    if work.retracted_by:
        correction = {"id": "12345678", "source": "MED", "type": "Retraction in"}
        described["commentCorrectionList"] = {"commentCorrection": [correction]}
    return described


# Open Library


def open_library(world: World, path: str, params: Mapping[str, str]) -> Reply:
    query = params.get("title") or params["q"]
    docs = [
        {
            "key": "/works/OL1W",
            "title": work.title.partition(": ")[0],
            **({"subtitle": work.title.partition(": ")[2]} if ": " in work.title else {}),
            "author_name": list(work.authors),
            "first_publish_year": work.year - 10,
            "publish_year": [work.year, work.year - 10],
            "publisher": [work.venue],
        }
        for work in world.with_all_words("open_library", query, int(params["limit"]))
    ]
    return as_json({"numFound": len(docs), "start": 0, "docs": docs})


SOURCES: dict[str, Callable[[World, str, Mapping[str, str]], Reply]] = {
    "crossref": crossref,
    "openalex": openalex,
    "semantic_scholar": semantic_scholar,
    "dblp": dblp,
    "arxiv": arxiv,
    "doi_org": doi_org,
    "europe_pmc": europe_pmc,
    "open_library": open_library,
}
