"""The responses of each search engine in their true format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from citeproof.model.findings import Outcome
from citeproof.model.record import MatchKind
from citeproof.model.reference import Reference
from citeproof.online.search_engines import ENGINES
from citeproof.online.source import MAX_RECORDS

if TYPE_CHECKING:
    import httpx2

REFERENCE = Reference(
    "r", "Ribbon tables for cold storage", ("Winter, Ada", "Summer, Bela"), year=2011
)
LINK = "https://storage.example/papers/10.1234/ribbon.2011"


def answer(engine: str, title: str, text: str) -> dict[str, Any]:
    """Return a response of ``engine`` with one hit."""
    hit: dict[str, dict[str, Any]] = {
        "searxng": {
            "query": "q",
            "results": [
                {"url": LINK, "title": title, "content": text, "engine": "x", "publishedDate": None}
            ],
            "unresponsive_engines": [["google", "CAPTCHA"]],
        },
        "serpapi": {
            "search_metadata": {"status": "Success"},
            "organic_results": [
                {
                    "position": 0,
                    "title": title,
                    "link": LINK,
                    "snippet": "",
                    "publication_info": {"summary": text},
                }
            ],
        },
        "scrapingdog": {
            "scholar_results": [
                {"title": title, "title_link": LINK, "displayed_link": text, "snippet": ""}
            ],
        },
        "brave": {
            "type": "search",
            "web": {
                "results": [
                    {"title": f"<strong>{title}</strong>", "url": LINK, "description": text}
                ]
            },
        },
    }
    return hit[engine]


EMPTY: dict[str, dict[str, Any]] = {
    "searxng": {"query": "q", "results": [], "unresponsive_engines": []},
    "serpapi": {"error": "Google hasn't returned any results for this query."},
    "scrapingdog": {"scholar_results": []},
    "brave": {"type": "search", "query": {}},
}
BROKEN: dict[str, dict[str, Any]] = {
    "searxng": {"query": "q", "results": [], "unresponsive_engines": [["google", "CAPTCHA"]]},
    "serpapi": {"error": "Your account has run out of searches."},
    "scrapingdog": {"message": "limit"},
    "brave": {"type": "ErrorResponse"},
}


@pytest.mark.parametrize("name", ENGINES)
def test_search_returns_a_hit_with_author_and_year(engine: Any, name: str) -> None:
    found = engine(
        name, answer(name, REFERENCE.title, "A Winter, B Summer - Journal of Storage, 2011")
    ).search(REFERENCE)
    (candidate,) = found.candidates
    assert (candidate.match, candidate.similarity) == (MatchKind.WEB, 1.0)
    assert candidate.facts == ("author", "year")
    assert (candidate.record.url, candidate.record.source) == (LINK, name)
    assert (found.inquiries[0].outcome, found.inquiries[0].detail) == (
        Outcome.ANSWERED,
        "title agrees, and author, year",
    )


@pytest.mark.parametrize("name", ENGINES)
def test_search_returns_a_hit_without_facts_for_a_title_alone(engine: Any, name: str) -> None:
    (candidate,) = (
        engine(name, answer(name, REFERENCE.title, "Nobody, 1999")).search(REFERENCE).candidates
    )
    assert candidate.facts == ()


@pytest.mark.parametrize("name", ENGINES)
def test_search_ignores_another_title(engine: Any, name: str) -> None:
    found = engine(name, answer(name, "Ribbon tables for warm storage", "A Winter, 2011")).search(
        REFERENCE
    )
    assert found.candidates == ()
    assert found.inquiries[0].outcome is Outcome.ANSWERED


@pytest.mark.parametrize("name", ENGINES)
def test_search_without_hits_is_answered(engine: Any, name: str) -> None:
    found = engine(name, EMPTY[name]).search(REFERENCE)
    assert (found.candidates, found.inquiries[0].outcome) == ((), Outcome.ANSWERED)


@pytest.mark.parametrize("name", ENGINES)
def test_search_fails_on_an_error_and_shows_no_key(engine: Any, name: str) -> None:
    for content, status in ((BROKEN[name], 200), ([], 200), ({}, 500), (EMPTY[name], 404)):
        (inquiry,) = engine(name, content, status).search(REFERENCE).inquiries
        assert inquiry.outcome is Outcome.FAILED
        assert "s3cret" not in inquiry.detail


@pytest.mark.parametrize("name", ENGINES)
def test_search_sends_the_key(engine: Any, name: str) -> None:
    requests: list[httpx2.Request] = []
    engine(name, EMPTY[name], requests=requests).search(REFERENCE)
    (request,) = requests
    assert '"Ribbon tables for cold storage" winter' in (
        request.url.params.get("q") or request.url.params["query"]
    )
    with_key = "s3cret" in f"{request.url}{dict(request.headers)}"
    assert with_key == (name != "searxng")


def test_search_takes_an_identifier_in_the_url_for_a_fact(engine: Any) -> None:
    reference = Reference("r", REFERENCE.title, doi="10.1234/ribbon.2011")
    (candidate,) = (
        engine("brave", answer("brave", REFERENCE.title, "")).search(reference).candidates
    )
    assert candidate.facts == ("identifier",)


def test_search_is_skipped_without_a_title(engine: Any) -> None:
    requests: list[httpx2.Request] = []
    (inquiry,) = (
        engine("brave", EMPTY["brave"], requests=requests).search(Reference("r", raw="x")).inquiries
    )
    assert (inquiry.outcome, requests) == (Outcome.SKIPPED, [])


def test_search_reads_a_maximum_of_hits(engine: Any) -> None:
    hits = answer("scrapingdog", REFERENCE.title, "A Winter")["scholar_results"] * 3 * MAX_RECORDS
    found = engine("scrapingdog", {"scholar_results": hits}).search(REFERENCE)
    assert len(found.candidates) == MAX_RECORDS
