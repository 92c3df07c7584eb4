"""OpenAlex: daily credits, and records with the title of another work."""

from typing import Any

import httpx2

from citeproof.model.findings import Outcome
from citeproof.model.record import MatchKind
from tests.online.asked import openalex_work
from tests.online.works import TABLES, cite


def test_rank_queries_without_a_key_are_look_ups_of_dois(ask: Any) -> None:
    asked = ask(
        "openalex",
        httpx2.Response(404, text="<h1>Not Found</h1>", headers={"content-type": "text/html"}),
    )
    assert asked.source.search(cite(TABLES)).inquiries[0].outcome is Outcome.ANSWERED
    assert asked.paths == [f"/works/doi:{TABLES.doi}"]
    assert asked.source.rank(cite(TABLES, doi="")) is None


def test_queries_with_a_key_include_searches(ask: Any) -> None:
    asked = ask("openalex", httpx2.Response(404), {"results": []}, key="s3cret")
    asked.source.search(cite(TABLES))
    assert len(asked.requests) == 3
    assert {request.url.params["api_key"] for request in asked.requests} == {"s3cret"}
    assert (
        asked.requests[1].url.params["filter"]
        == "title.search:ribbon tables indexing beyond the leaf"
    )


def test_search_does_not_trust_the_title_of_a_doi(ask: Any) -> None:
    asked = ask("openalex", openalex_work(title="Walled gardens of the early web"))
    (candidate,) = asked.source.search(cite(TABLES)).candidates
    assert candidate.match is MatchKind.NEARBY


def test_records_have_retractions_without_their_notice(ask: Any) -> None:
    (candidate,) = (
        ask("openalex", openalex_work(is_retracted=True)).source.search(cite(TABLES)).candidates
    )
    assert candidate.record.retraction == "https://openalex.org/W1"


def test_search_is_disabled_for_the_run_without_credits(ask: Any, manual_clock: Any) -> None:
    gone = httpx2.Response(
        429, headers={"retry-after": "54000"}, json={"error": "Rate limit exceeded"}
    )
    asked = ask("openalex", gone, key="k")
    details = [asked.source.search(cite(TABLES)).inquiries[0].detail for _ in range(2)]
    assert details[0].startswith("rate limited")
    assert details[1] == f"{details[0]} (not asked again in this run)"
    assert (len(asked.requests), manual_clock.slept) == (1, [])
