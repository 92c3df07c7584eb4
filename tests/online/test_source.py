"""The base class of sources: queries, comparison, cache and failures."""

import json
from typing import Any

import httpx2
import pytest

from citeproof.model.findings import Outcome
from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.online.net.service import Access
from citeproof.online.source import MAX_RECORDS, PROBE, compare
from citeproof.online.sources import SOURCES
from citeproof.store.cache import AnswerCache
from citeproof.verification.validation.identity import is_surely_of
from tests.online.asked import crossref_list, crossref_work, openalex_work
from tests.online.works import TABLES, cite


def test_search_looks_up_the_identifier_then_searches_title_then_words(ask: Any) -> None:
    asked = ask("crossref", httpx2.Response(404, text="Resource not found."), crossref_list())
    found = asked.source.search(cite(TABLES))
    assert asked.paths == ["/works/10.1234/ribbon.2011", "/works", "/works"]
    assert asked.requests[0].url.raw_path.startswith(b"/works/10.1234%2Fribbon.2011")
    assert asked.requests[1].url.params["query.title"] == TABLES.title
    assert (
        asked.requests[2].url.params["query.bibliographic"]
        == "winter ribbon tables indexing beyond leaf"
    )
    assert found.inquiries[0].outcome is Outcome.ANSWERED
    assert found.candidates == ()
    assert found.unknown_identifiers == (), (
        "a DOI that Crossref does not hold may be another registrar's"
    )


def test_search_ends_with_the_first_query_that_finds_the_work(ask: Any) -> None:
    asked = ask("crossref", {"message": crossref_work()})
    (candidate,) = asked.source.search(cite(TABLES)).candidates
    assert len(asked.requests) == 1
    assert (candidate.match, candidate.similarity) == (MatchKind.DOI, 1.0)
    assert candidate.record.title == TABLES.title
    assert candidate.record.authors == ("Ada Winter", "The Ribbon Group")
    assert (candidate.record.doi, candidate.record.source) == ("10.1234/ribbon.2011", "crossref")


def test_search_continues_if_the_identifier_is_of_another_work(ask: Any) -> None:
    other = {"message": crossref_work(title=["Ribbon cables"], subtitle=[])}
    asked = ask("crossref", other, crossref_list(crossref_work(DOI="10.1234/new")))
    kinds = [candidate.match for candidate in asked.source.search(cite(TABLES)).candidates]
    assert kinds == [MatchKind.DOI, MatchKind.TITLE]
    assert asked.paths == ["/works/10.1234/ribbon.2011", "/works"]


def test_search_continues_if_other_authors_have_the_title(ask: Any) -> None:
    strangers = crossref_work(author=[{"given": "Someone", "family": "Else"}], DOI="10.1234/other")
    asked = ask("crossref", crossref_list(strangers), crossref_list(crossref_work()))
    assert len(asked.source.search(cite(TABLES, doi="")).candidates) == 2


def test_search_compares_all_hits(ask: Any) -> None:
    wrong = crossref_work(title=["Ribbon cables"], subtitle=[], DOI="10.1234/cables")
    asked = ask("crossref", crossref_list(wrong, crossref_work()))
    kinds = {c.record.doi: c.match for c in asked.source.search(cite(TABLES, doi="")).candidates}
    assert kinds == {"10.1234/cables": MatchKind.NEARBY, "10.1234/ribbon.2011": MatchKind.TITLE}


def test_search_fails_if_the_registrar_returns_another_doi(ask: Any) -> None:
    (inquiry,) = (
        ask("crossref", {"message": crossref_work(DOI="10.1234/new")})
        .source.search(cite(TABLES))
        .inquiries
    )
    assert inquiry.outcome is Outcome.FAILED
    assert inquiry.detail == "answered about another work"


def test_search_accepts_another_doi_of_the_work_from_other_sources(ask: Any) -> None:
    found = ask("openalex", openalex_work(doi="https://doi.org/10.1234/preprint")).source.search(
        cite(TABLES)
    )
    assert (found.inquiries[0].outcome, len(found.candidates)) == (Outcome.ANSWERED, 1)
    other = openalex_work(doi="https://doi.org/10.1234/preprint", title="Zymurgy", authorships=[])
    assert ask("openalex", other).source.search(cite(TABLES)).inquiries[0].outcome is Outcome.FAILED


class BestEffortWrites(AnswerCache):
    """A cache that is always empty and records what is stored."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], int] = {}

    def recall(self, source: str, query: str) -> None:
        return None

    def keep(self, source: str, query: str, records: Any) -> None:
        self.kept[source, query] = len(records)


def test_search_caches_responses_and_no_failures(ask: Any, manual_clock: Any) -> None:
    answers = [
        httpx2.Response(404, text="Resource not found."),
        {"message": {"items": []}},
        httpx2.Response(500),
    ]
    asked = ask("crossref", *answers)
    writes = BestEffortWrites()
    source = SOURCES["crossref"](asked.client, manual_clock, Access(), writes, is_surely_of)
    source.search(cite(TABLES))
    assert writes.kept == {
        ("crossref", f"doi:{TABLES.doi}"): 0,
        ("crossref", f"title:{TABLES.title}"): 0,
    }


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize(
    "content", [{}, [], {"message": []}, {"results": [None]}, {"result": {"hits": {"hit": "x"}}}]
)
def test_search_fails_on_an_unexpected_shape(ask: Any, name: str, content: Any) -> None:
    (inquiry,) = ask(name, json.dumps(content), key="k").source.search(PROBE).inquiries
    assert inquiry.outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("cited", "recorded", "match"),
    [
        ("Ribbon tables", "Ribbon Tables.", MatchKind.TITLE),
        ("BERT", "BERT: pre-training of deep transformers", MatchKind.MAIN_TITLE),
        ("BERT: pre-training of deep transformers", "BERT", MatchKind.MAIN_TITLE),
        ("BERT: pre-training of deep transformers", "BERT: a muppet on its own", MatchKind.NEARBY),
        (
            "Tables made of ribbons for keeps",
            "For keeps: tables of made ribbons",
            MatchKind.SAME_WORDS,
        ),
        (": x", ": y", MatchKind.NEARBY),
    ],
)
def test_compare_grades_the_agreement_of_titles(
    cited: str, recorded: str, match: MatchKind
) -> None:
    assert compare(Reference("r", cited), Record("k", recorded)).match is match


@pytest.mark.parametrize("title", [[], [""], ["..."], None])
def test_search_ignores_a_record_without_a_title(ask: Any, title: Any) -> None:
    found = ask(
        "crossref", {"message": crossref_work(title=title, subtitle=[])}, crossref_list()
    ).source.search(Reference("r", TABLES.title, doi=TABLES.doi))
    assert found.candidates == ()


@pytest.mark.parametrize("name", SOURCES)
def test_search_is_skipped_without_anything_to_search_for(ask: Any, name: str) -> None:
    asked = ask(name, {}, key="k")
    (inquiry,) = asked.source.search(Reference("r")).inquiries
    assert (inquiry.outcome, asked.requests) == (Outcome.SKIPPED, [])


@pytest.mark.parametrize("name", SOURCES)
def test_probe_sends_nothing_of_the_users(ask: Any, name: str) -> None:
    asked = ask(name, httpx2.Response(500), key="k")
    with pytest.raises(Exception, match="server error"):
        asked.source.probe()
    assert asked.requests


def test_search_fails_on_a_year_of_infinity(ask: Any) -> None:
    endless = {"message": crossref_work(issued={"date-parts": [[float("inf")]]})}
    asked = ask("crossref", httpx2.Response(200, content=json.dumps(endless)))
    (inquiry,) = asked.source.search(cite(TABLES)).inquiries
    assert (inquiry.outcome, inquiry.detail) == (
        Outcome.FAILED,
        "unusable answer: not in the shape of this source",
    )


def test_search_reads_a_maximum_of_hits(ask: Any) -> None:
    others = [
        crossref_work(title=["Ribbon cables"], subtitle=[], DOI=f"10.1234/{n}")
        for n in range(3 * MAX_RECORDS)
    ]
    asked = ask("crossref", crossref_list(crossref_work(), *others), crossref_list())
    candidates = asked.source.search(cite(TABLES, doi="")).candidates
    assert len(candidates) == MAX_RECORDS
    assert candidates[0].record.title == TABLES.title
