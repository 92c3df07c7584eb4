"""Papers of arXiv, fetched to check their references."""

from typing import Any

import httpx2
import pytest

from citeproof.online.net.client import Client
from citeproof.online.net.service import MAX_BODY, SourceError
from citeproof.online.papers import fetch_paper

HOME = "https://export.arxiv.org"


def client(clock: Any, response: httpx2.Response) -> Client:
    def answer(request: httpx2.Request) -> httpx2.Response:
        assert str(request.url) == f"{HOME}/e-print/1706.03762"
        return response

    return Client(clock, transport=httpx2.MockTransport(answer))


def test_fetch_paper_takes_more_than_an_answer_may_have(manual_clock: Any) -> None:
    data = b"%PDF-" + b" " * MAX_BODY
    asked = client(manual_clock, httpx2.Response(200, content=data))
    assert fetch_paper(asked, HOME, "1706.03762") == data
    (sent,) = asked.outgoing.by_host()
    assert (sent.host, sent.requests, sent.fields) == ("export.arxiv.org", 1, ("arxiv_id",))


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (httpx2.Response(404), "arXiv has no such paper"),
        (httpx2.Response(200, html="<html>"), "HTML instead of data"),
    ],
)
def test_fetch_paper_says_why_it_fails(
    manual_clock: Any, response: httpx2.Response, reason: str
) -> None:
    with pytest.raises(SourceError, match=reason):
        fetch_paper(client(manual_clock, response), HOME, "1706.03762")
