"""arXiv: versions, unknown identifiers and invalid feeds."""

from typing import Any

import pytest

from citeproof.model.findings import Outcome
from citeproof.model.record import MatchKind
from tests.online.works import PREPRINT, cite


def feed(*entries: tuple[str, str]) -> str:
    inside = "".join(
        f"<entry><id>http://arxiv.org/abs/{arxiv_id}</id><title>{title}</title><published>2021-05-03T00:00:00Z</published><author><name>Dora"
        " Spring</name></author></entry>"
        for arxiv_id, title in entries
    )
    return (
        '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv'
        f" Query</title>{inside}</feed>"
    )


def test_search_returns_the_first_version_too(ask: Any) -> None:
    asked = ask(
        "arxiv", feed(("2105.01234v3", PREPRINT.title), ("2105.01234v1", PREPRINT.first_title))
    )
    found = asked.source.search(cite(PREPRINT, title=PREPRINT.first_title))
    assert asked.requests[0].url.params["id_list"] == "2105.01234,2105.01234v1"
    assert {c.record.title for c in found.candidates} == {PREPRINT.title, PREPRINT.first_title}
    assert {c.match for c in found.candidates} == {MatchKind.ARXIV_ID}
    assert len(asked.requests) == 1


def test_search_reports_unknown_identifiers(ask: Any) -> None:
    found = ask("arxiv", feed()).source.search(cite(PREPRINT))
    assert found.unknown_identifiers == ("2105.01234",)
    assert found.inquiries[0].detail == "does not know 2105.01234"


@pytest.mark.parametrize(
    "body",
    [
        feed(("api/errors#incorrect_id", "Error")).replace(
            "http://arxiv.org/abs/", "https://arxiv.org/"
        ),
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry>",
        "<rss></rss>",
        '<!DOCTYPE x [<!ENTITY a "aaaa">]><feed xmlns="http://www.w3.org/2005/Atom">&a;</feed>',
        "Rate exceeded.",
    ],
)
def test_search_fails_on_an_error_of_arxiv(ask: Any, body: str) -> None:
    assert ask("arxiv", body).source.search(cite(PREPRINT)).inquiries[0].outcome is Outcome.FAILED
