"""Each engine's answers in their true shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from citeproof.models import MatchKind, Outcome, Reference
from citeproof.net.answer import MOST_RECORDS
from citeproof.websearch.registry import ENGINES

if TYPE_CHECKING:
    import httpx2

REFERENCE = Reference("r", "Ribbon tables for cold storage", ("Winter, Ada", "Summer, Bela"), year=2011)
LINK = "https://storage.example/papers/10.1234/ribbon.2011"


def answer(engine: str, title: str, text: str) -> dict[str, Any]:
    """Return one hit as ``engine`` shows it."""
    hit: dict[str, dict[str, Any]] = {
        "searxng": {
            "query": "q",
            "results": [{"url": LINK, "title": title, "content": text, "engine": "x", "publishedDate": None}],
            "unresponsive_engines": [["google", "CAPTCHA"]],
        },
        "serpapi": {
            "search_metadata": {"status": "Success"},
            "organic_results": [
                {"position": 0, "title": title, "link": LINK, "snippet": "", "publication_info": {"summary": text}}
            ],
        },
        "scrapingdog": {
            "scholar_results": [{"title": title, "title_link": LINK, "displayed_link": text, "snippet": ""}],
        },
        "brave": {
            "type": "search",
            "web": {"results": [{"title": f"<strong>{title}</strong>", "url": LINK, "description": text}]},
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
def test_a_hit_with_author_and_year(engine: Any, name: str) -> None:
    found = engine(name, answer(name, REFERENCE.title, "A Winter, B Summer - Journal of Storage, 2011")).search(
        REFERENCE
    )
    (candidate,) = found.candidates
    assert (candidate.match, candidate.similarity) == (MatchKind.WEB, 1.0)
    assert candidate.facts == ("author", "year")
    assert (candidate.record.url, candidate.record.source) == (LINK, name)
    assert (found.inquiries[0].outcome, found.inquiries[0].detail) == (
        Outcome.ANSWERED,
        "title agrees, and author, year",
    )


@pytest.mark.parametrize("name", ENGINES)
def test_a_title_alone_has_no_facts(engine: Any, name: str) -> None:
    (candidate,) = engine(name, answer(name, REFERENCE.title, "Nobody, 1999")).search(REFERENCE).candidates
    assert candidate.facts == ()


@pytest.mark.parametrize("name", ENGINES)
def test_another_title_is_no_hit(engine: Any, name: str) -> None:
    found = engine(name, answer(name, "Ribbon tables for warm storage", "A Winter, 2011")).search(REFERENCE)
    assert found.candidates == ()
    assert found.inquiries[0].outcome is Outcome.ANSWERED


@pytest.mark.parametrize("name", ENGINES)
def test_no_hits_is_an_answer(engine: Any, name: str) -> None:
    found = engine(name, EMPTY[name]).search(REFERENCE)
    assert (found.candidates, found.inquiries[0].outcome) == ((), Outcome.ANSWERED)


@pytest.mark.parametrize("name", ENGINES)
def test_an_error_is_a_failure_and_shows_no_key(engine: Any, name: str) -> None:
    for content, status in ((BROKEN[name], 200), ([], 200), ({}, 500), (EMPTY[name], 404)):
        (inquiry,) = engine(name, content, status).search(REFERENCE).inquiries
        assert inquiry.outcome is Outcome.FAILED
        assert "s3cret" not in inquiry.detail


@pytest.mark.parametrize("name", ENGINES)
def test_the_key_goes_with_the_question(engine: Any, name: str) -> None:
    requests: list[httpx2.Request] = []
    engine(name, EMPTY[name], requests=requests).search(REFERENCE)
    (request,) = requests
    assert '"Ribbon tables for cold storage" winter' in (request.url.params.get("q") or request.url.params["query"])
    with_key = "s3cret" in f"{request.url}{dict(request.headers)}"
    assert with_key == (name != "searxng")


def test_an_identifier_in_the_link_is_a_fact(engine: Any) -> None:
    reference = Reference("r", REFERENCE.title, doi="10.1234/ribbon.2011")
    (candidate,) = engine("brave", answer("brave", REFERENCE.title, "")).search(reference).candidates
    assert candidate.facts == ("identifier",)


def test_without_a_title_nothing_is_asked(engine: Any) -> None:
    requests: list[httpx2.Request] = []
    (inquiry,) = engine("brave", EMPTY["brave"], requests=requests).search(Reference("r", raw="x")).inquiries
    assert (inquiry.outcome, requests) == (Outcome.SKIPPED, [])


def test_of_an_endless_answer_only_the_first_hits_are_looked_at(engine: Any) -> None:
    hits = answer("scrapingdog", REFERENCE.title, "A Winter")["scholar_results"] * 3 * MOST_RECORDS
    found = engine("scrapingdog", {"scholar_results": hits}).search(REFERENCE)
    assert len(found.candidates) == MOST_RECORDS
