"""Crossref: rank, rate limits, years, retractions and aliases."""

from typing import Any

import pytest

from citeproof.model.record import MatchKind
from tests.online.asked import crossref_list, crossref_work
from tests.online.works import PREPRINT, TABLES, cite


def test_rank_is_late_for_preprints_of_arxiv(ask: Any) -> None:
    source = ask("crossref", {}).source
    preprint, published = cite(PREPRINT), cite(PREPRINT, doi=TABLES.doi)
    assert source.rank(published) < source.rank(preprint)
    assert source.rank(cite(PREPRINT, arxiv_id="", doi="10.48550/arXiv.2105.01234")) == source.rank(
        preprint
    )


def test_paces_are_those_of_the_polite_pool_with_a_contact(ask: Any) -> None:
    asked = ask("crossref", crossref_list(), contact="me@example.org")
    asked.source.search(cite(TABLES))
    assert {request.url.params["mailto"] for request in asked.requests} == {"me@example.org"}


@pytest.mark.parametrize(
    ("dates", "year"),
    [
        ({"issued": {"date-parts": [[2011, 3]]}}, 2011),
        ({"issued": {"date-parts": [[None]]}, "published-print": {"date-parts": [[2012]]}}, 2012),
        ({"issued": {"date-parts": [[None]]}}, None),
        ({}, None),
    ],
)
def test_records_have_the_earliest_year(ask: Any, dates: dict[str, Any], year: int | None) -> None:
    asked = ask("crossref", {"message": crossref_work(**dates)})
    assert asked.source.search(cite(TABLES)).candidates[0].record.year == year


def test_records_have_retractions_of_both_directions(ask: Any) -> None:
    update = {"DOI": "10.1234/note", "type": "retraction"}
    asked = ask("crossref", {"message": crossref_work(**{"updated-by": [update]})})
    (candidate,) = asked.source.search(cite(TABLES)).candidates
    assert candidate.record.retraction == "https://doi.org/10.1234/note"

    notice = crossref_work(
        **{
            "DOI": "10.1234/concern",
            "title": [f"Expression of concern: {TABLES.title}"],
            "subtitle": [],
            "update-to": [{"DOI": "10.1234/ribbon.2011", "type": "expression_of_concern"}],
        }
    )
    asked = ask("crossref", crossref_list(notice, crossref_work()))
    (candidate,) = asked.source.search(cite(TABLES, doi="")).candidates
    assert candidate.record.concern == "https://doi.org/10.1234/concern"


def test_records_keep_an_older_doi(ask: Any) -> None:
    asked = ask(
        "crossref", {"message": crossref_work(DOI="10.1234/new", aliases=["10.1234/RIBBON.2011"])}
    )
    (candidate,) = asked.source.search(cite(TABLES)).candidates
    assert (candidate.match, candidate.record.doi) == (MatchKind.DOI, TABLES.doi)
