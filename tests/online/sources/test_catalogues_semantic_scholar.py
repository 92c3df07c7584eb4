"""Semantic Scholar: empty responses and identifiers."""

from typing import Any

import httpx2
import pytest

from citeproof.model.findings import Outcome
from tests.online.works import PREPRINT, TABLES, cite


@pytest.mark.parametrize(
    "nothing",
    [
        {"total": 0, "offset": 0},
        {"data": []},
        httpx2.Response(404, json={"error": "Title match not found"}),
    ],
)
def test_records_reads_three_forms_of_an_empty_response(ask: Any, nothing: Any) -> None:
    asked = ask("semantic_scholar", nothing, key="s3cret")
    found = asked.source.search(cite(TABLES, doi=""))
    assert (found.candidates, found.inquiries[0].outcome) == ((), Outcome.ANSWERED)
    assert {request.headers["x-api-key"] for request in asked.requests} == {"s3cret"}


def test_queries_look_up_the_arxiv_identifier(ask: Any) -> None:
    paper = {
        "paperId": "1",
        "title": PREPRINT.title,
        "authors": [{"name": "Dora Spring"}],
        "year": 2021,
        "externalIds": {"ArXiv": "2105.01234"},
        "venue": "",
        "journal": None,
    }
    asked = ask("semantic_scholar", paper)
    (candidate,) = asked.source.search(cite(PREPRINT)).candidates
    assert asked.paths == ["/graph/v1/paper/ARXIV:2105.01234"]
    assert candidate.record.arxiv_id == "2105.01234"
