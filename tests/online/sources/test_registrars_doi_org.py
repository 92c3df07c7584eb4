"""doi.org and the registrars behind it."""

from typing import Any

import httpx2

from citeproof.model.findings import Outcome
from citeproof.model.record import MatchKind
from tests.online.asked import crossref_work
from tests.online.works import TABLES, cite


def test_search_follows_redirects_to_registrars_only(ask: Any) -> None:
    there = httpx2.Response(
        302,
        headers={"location": "https://api.crossref.org/v1/works/10.1234%2Fribbon.2011/transform"},
    )
    citation = {**crossref_work(), "title": TABLES.title, "subtitle": []}
    asked = ask("doi_org", there, citation)
    (candidate,) = asked.source.search(cite(TABLES)).candidates
    assert candidate.match is MatchKind.DOI
    assert asked.requests[0].headers["accept"] == "application/vnd.citationstyles.csl+json"

    elsewhere = httpx2.Response(302, headers={"location": "https://publisher.example/landing"})
    found = ask("doi_org", elsewhere).source.search(cite(TABLES))
    assert (found.inquiries[0].outcome, found.unknown_identifiers) == (Outcome.SKIPPED, ())
    assert "publisher.example" in found.inquiries[0].detail


def test_search_reports_an_unknown_doi_only_by_doi_org(ask: Any) -> None:
    nowhere = httpx2.Response(
        404, text="<title>DOI Not Found</title>", headers={"content-type": "text/html"}
    )
    found = ask("doi_org", nowhere).source.search(cite(TABLES))
    assert found.unknown_identifiers == (TABLES.doi,)

    there = httpx2.Response(302, headers={"location": "https://api.crossref.org/x"})
    found = ask("doi_org", there, httpx2.Response(404)).source.search(cite(TABLES))
    assert (found.inquiries[0].outcome, found.unknown_identifiers) == (Outcome.SKIPPED, ())
