"""Each source: what it asks, and its quirks."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from citeproof.models import MatchKind, Outcome, Record, Reference
from citeproof.net.client import Client
from citeproof.net.service import Access
from citeproof.online.registry import SOURCES, chosen_sources
from citeproof.online.source import PROBE, compare
from tests.online.works import BOOK, PREPRINT, RETRACTED, TABLES, cite


class Asked:
    """A source whose server answers with ``answers`` in their order; the last stands for all that follow."""

    def __init__(self, clock: Any, name: str, *answers: Any, key: str = "", contact: str = "", **client: Any) -> None:
        self.requests: list[httpx2.Request] = []
        self._answers = list(answers)
        known = {"api.crossref.org"}
        self.client = Client(clock, transport=httpx2.MockTransport(self._handle), known_hosts=known, **client)
        self.source = SOURCES[name](self.client, clock, Access("", key, contact))

    def _handle(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, httpx2.Response):
            return answer
        if isinstance(answer, str):
            return httpx2.Response(200, text=answer, headers={"content-type": "application/atom+xml"})
        return httpx2.Response(200, json=answer)

    @property
    def paths(self) -> list[str]:
        return [request.url.path for request in self.requests]


@pytest.fixture
def ask(manual_clock: Any) -> Any:
    return lambda name, *answers, **options: Asked(manual_clock, name, *answers, **options)


def crossref_list(*works: dict[str, Any]) -> dict[str, Any]:
    return {"status": "ok", "message-type": "work-list", "message": {"items": list(works)}}


def crossref_work(**changes: Any) -> dict[str, Any]:
    authors = [{"given": "Ada", "family": "Winter"}, {"name": "The Ribbon Group"}]
    main, _, subtitle = TABLES.title.partition(": ")
    return {"DOI": "10.1234/RIBBON.2011", "title": [main], "subtitle": [subtitle], "author": authors, **changes}


def test_it_asks_by_identifier_then_by_title_then_by_author_and_words(ask: Any) -> None:
    asked = ask("crossref", httpx2.Response(404, text="Resource not found."), crossref_list())
    found = asked.source.search(cite(TABLES))
    assert asked.paths == ["/works/10.1234/ribbon.2011", "/works", "/works"]
    assert asked.requests[0].url.raw_path.startswith(b"/works/10.1234%2Fribbon.2011")
    assert asked.requests[1].url.params["query.title"] == TABLES.title
    assert asked.requests[2].url.params["query.bibliographic"] == "winter ribbon tables indexing beyond leaf"
    assert found.inquiries[0].outcome is Outcome.ANSWERED
    assert found.candidates == ()
    assert found.unknown_identifiers == (), "a DOI that Crossref does not hold may be another registrar's"


def test_it_stops_at_the_first_answer_that_brings_the_work(ask: Any) -> None:
    asked = ask("crossref", {"message": crossref_work()})
    (candidate,) = asked.source.search(cite(TABLES)).candidates
    assert len(asked.requests) == 1
    assert (candidate.match, candidate.similarity) == (MatchKind.DOI, 1.0)
    assert candidate.record.title == TABLES.title
    assert candidate.record.authors == ("Ada Winter", "The Ribbon Group")
    assert (candidate.record.doi, candidate.record.source) == ("10.1234/ribbon.2011", "crossref")


def test_it_goes_on_where_the_identifier_names_another_work(ask: Any) -> None:
    other = {"message": crossref_work(title=["Ribbon cables"], subtitle=[])}
    asked = ask("crossref", other, crossref_list(crossref_work(DOI="10.1234/new")))
    kinds = [candidate.match for candidate in asked.source.search(cite(TABLES)).candidates]
    assert kinds == [MatchKind.DOI, MatchKind.TITLE]
    assert asked.paths == ["/works/10.1234/ribbon.2011", "/works"]


def test_it_goes_on_where_other_people_have_the_title(ask: Any) -> None:
    strangers = crossref_work(author=[{"given": "Someone", "family": "Else"}], DOI="10.1234/other")
    asked = ask("crossref", crossref_list(strangers), crossref_list(crossref_work()))
    assert len(asked.source.search(cite(TABLES, doi="")).candidates) == 2


def test_all_hits_are_compared_not_only_the_first(ask: Any) -> None:
    wrong = crossref_work(title=["Ribbon cables"], subtitle=[], DOI="10.1234/cables")
    asked = ask("crossref", crossref_list(wrong, crossref_work()))
    kinds = {c.record.doi: c.match for c in asked.source.search(cite(TABLES, doi="")).candidates}
    assert kinds == {"10.1234/cables": MatchKind.NEARBY, "10.1234/ribbon.2011": MatchKind.TITLE}


def test_crossref_comes_late_for_what_only_arxiv_has(ask: Any) -> None:
    source = ask("crossref", {}).source
    preprint, published = cite(PREPRINT), cite(PREPRINT, doi=TABLES.doi)
    assert source.rank(published) < source.rank(preprint)
    assert source.rank(cite(PREPRINT, arxiv_id="", doi="10.48550/arXiv.2105.01234")) == source.rank(preprint)


def test_crossref_takes_part_in_the_polite_pool(ask: Any) -> None:
    asked = ask("crossref", crossref_list(), contact="me@example.org")
    asked.source.search(cite(TABLES))
    assert all(request.url.params["mailto"] == "me@example.org" for request in asked.requests)


@pytest.mark.parametrize(
    ("dates", "year"),
    [
        ({"issued": {"date-parts": [[2011, 3]]}}, 2011),
        ({"issued": {"date-parts": [[None]]}, "published-print": {"date-parts": [[2012]]}}, 2012),
        ({"issued": {"date-parts": [[None]]}}, None),
        ({}, None),
    ],
)
def test_crossref_years(ask: Any, dates: dict[str, Any], year: int | None) -> None:
    asked = ask("crossref", {"message": crossref_work(**dates)})
    assert asked.source.search(cite(TABLES)).candidates[0].record.year == year


def test_crossref_tells_of_retractions_in_both_directions(ask: Any) -> None:
    update = {"DOI": "10.1234/note", "type": "retraction"}
    asked = ask("crossref", {"message": crossref_work(**{"updated-by": [update]})})
    (candidate,) = asked.source.search(cite(TABLES)).candidates
    assert candidate.record.retraction == "https://doi.org/10.1234/note"

    notice = crossref_work(**{
        "DOI": "10.1234/concern", "title": [f"Expression of concern: {TABLES.title}"], "subtitle": [],
        "update-to": [{"DOI": "10.1234/ribbon.2011", "type": "expression_of_concern"}],
    })  # fmt: skip
    asked = ask("crossref", crossref_list(notice, crossref_work()))
    (candidate,) = asked.source.search(cite(TABLES, doi="")).candidates
    assert candidate.record.concern == "https://doi.org/10.1234/concern"


def test_crossref_knows_a_work_by_an_older_doi(ask: Any) -> None:
    asked = ask("crossref", {"message": crossref_work(DOI="10.1234/new", aliases=["10.1234/RIBBON.2011"])})
    (candidate,) = asked.source.search(cite(TABLES)).candidates
    assert (candidate.match, candidate.record.doi) == (MatchKind.DOI, TABLES.doi)


def test_the_record_of_another_doi_is_a_failure_of_the_registrar(ask: Any) -> None:
    (inquiry,) = ask("crossref", {"message": crossref_work(DOI="10.1234/new")}).source.search(cite(TABLES)).inquiries
    assert inquiry.outcome is Outcome.FAILED
    assert inquiry.detail == "answered about another work"


def test_a_source_that_merges_versions_may_answer_with_another_doi(ask: Any) -> None:
    found = ask("openalex", openalex_work(doi="https://doi.org/10.1234/preprint")).source.search(cite(TABLES))
    assert (found.inquiries[0].outcome, len(found.candidates)) == (Outcome.ANSWERED, 1)
    other = openalex_work(doi="https://doi.org/10.1234/preprint", title="Zymurgy", authorships=[])
    assert ask("openalex", other).source.search(cite(TABLES)).inquiries[0].outcome is Outcome.FAILED


class Notebook:
    """A memory that a test can look into."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], int] = {}

    def recall(self, source: str, query: str) -> None:
        """Remember nothing."""

    def keep(self, source: str, query: str, records: Any) -> None:
        self.kept[source, query] = len(records)


def test_answers_are_kept_and_failures_are_not(ask: Any, manual_clock: Any) -> None:
    answers = [httpx2.Response(404, text="Resource not found."), {"message": {"items": []}}, httpx2.Response(500)]
    asked = ask("crossref", *answers)
    notebook = Notebook()
    source = SOURCES["crossref"](asked.client, manual_clock, Access(), notebook)
    source.search(cite(TABLES))
    assert notebook.kept == {("crossref", f"doi:{TABLES.doi}"): 0, ("crossref", f"title:{TABLES.title}"): 0}


def test_doi_org_follows_the_registrar_and_no_one_else(ask: Any) -> None:
    there = httpx2.Response(
        302, headers={"location": "https://api.crossref.org/v1/works/10.1234%2Fribbon.2011/transform"}
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


def test_doi_org_alone_says_that_a_doi_does_not_exist(ask: Any) -> None:
    nowhere = httpx2.Response(404, text="<title>DOI Not Found</title>", headers={"content-type": "text/html"})
    found = ask("doi_org", nowhere).source.search(cite(TABLES))
    assert found.unknown_identifiers == (TABLES.doi,)

    there = httpx2.Response(302, headers={"location": "https://api.crossref.org/x"})
    found = ask("doi_org", there, httpx2.Response(404)).source.search(cite(TABLES))
    assert (found.inquiries[0].outcome, found.unknown_identifiers) == (Outcome.SKIPPED, ())


def openalex_work(**changes: Any) -> dict[str, Any]:
    return {
        "id": "https://openalex.org/W1", "doi": f"https://doi.org/{TABLES.doi}",
        "title": TABLES.title, "type": "article",
        "publication_year": 2011, "authorships": [{"author": {"display_name": "Ada Winter"}}], **changes,
    }  # fmt: skip


def test_openalex_without_a_key_is_asked_for_dois_alone(ask: Any) -> None:
    asked = ask("openalex", httpx2.Response(404, text="<h1>Not Found</h1>", headers={"content-type": "text/html"}))
    assert asked.source.search(cite(TABLES)).inquiries[0].outcome is Outcome.ANSWERED
    assert asked.paths == [f"/works/doi:{TABLES.doi}"]
    assert asked.source.rank(cite(TABLES, doi="")) is None


def test_openalex_with_a_key_is_asked_for_all(ask: Any) -> None:
    asked = ask("openalex", httpx2.Response(404), {"results": []}, key="s3cret")
    asked.source.search(cite(TABLES))
    assert len(asked.requests) == 3
    assert {request.url.params["api_key"] for request in asked.requests} == {"s3cret"}
    assert asked.requests[1].url.params["filter"] == "title.search:ribbon tables indexing beyond the leaf"


def test_openalex_is_no_authority_on_dois(ask: Any) -> None:
    asked = ask("openalex", openalex_work(title="Walled gardens of the early web"))
    (candidate,) = asked.source.search(cite(TABLES)).candidates
    assert candidate.match is MatchKind.NEARBY


def test_openalex_knows_retractions_without_their_notice(ask: Any) -> None:
    (candidate,) = ask("openalex", openalex_work(is_retracted=True)).source.search(cite(TABLES)).candidates
    assert candidate.record.retraction == "https://openalex.org/W1"


def test_openalex_with_its_budget_gone_is_out_for_the_run(ask: Any, manual_clock: Any) -> None:
    gone = httpx2.Response(429, headers={"retry-after": "54000"}, json={"error": "Rate limit exceeded"})
    asked = ask("openalex", gone, key="k")
    details = [asked.source.search(cite(TABLES)).inquiries[0].detail for _ in range(2)]
    assert details[0].startswith("rate limited")
    assert details[1] == f"{details[0]} (not asked again in this run)"
    assert (len(asked.requests), manual_clock.slept) == (1, [])


@pytest.mark.parametrize(
    "nothing",
    [
        {"total": 0, "offset": 0},
        {"data": []},
        httpx2.Response(404, json={"error": "Title match not found"}),
    ],
)
def test_semantic_scholar_says_nothing_found_in_three_ways(ask: Any, nothing: Any) -> None:
    asked = ask("semantic_scholar", nothing, key="s3cret")
    found = asked.source.search(cite(TABLES, doi=""))
    assert (found.candidates, found.inquiries[0].outcome) == ((), Outcome.ANSWERED)
    assert {request.headers["x-api-key"] for request in asked.requests} == {"s3cret"}


def test_semantic_scholar_is_asked_by_arxiv_id(ask: Any) -> None:
    paper = {
        "paperId": "1", "title": PREPRINT.title, "authors": [{"name": "Dora Spring"}], "year": 2021,
        "externalIds": {"ArXiv": "2105.01234"}, "venue": "", "journal": None,
    }  # fmt: skip
    asked = ask("semantic_scholar", paper)
    (candidate,) = asked.source.search(cite(PREPRINT)).candidates
    assert asked.paths == ["/graph/v1/paper/ARXIV:2105.01234"]
    assert candidate.record.arxiv_id == "2105.01234"


def dblp_hits(*infos: dict[str, Any]) -> dict[str, Any]:
    hits = {"@total": str(len(infos)), **({"hit": [{"info": info} for info in infos]} if infos else {})}
    return {"result": {"status": {"@code": "200"}, "hits": hits}}


def dblp_info(**changes: Any) -> dict[str, Any]:
    return {
        "key": "journals/x/WinterS11", "title": "Ribbon tables &amp; more: indexing beyond the leaf.", "year": "2011",
        "authors": {"author": {"@pid": "1", "text": "Ada Winter 0002"}}, "venue": "J. Storage", **changes,
    }  # fmt: skip


def test_dblp_shapes(ask: Any) -> None:
    strings = dblp_info(
        key="conf/y/W11", authors={"author": ["Ada Winter", "Bela Summer 0012"]}, venue=["Y", "LNCS"],
        ee=["https://arxiv.org/abs/2105.01234", "https://doi.org/10.1/x"],
    )  # fmt: skip
    asked = ask("dblp", dblp_hits(dblp_info(), strings))
    first, second = (candidate.record for candidate in asked.source.search(cite(TABLES)).candidates[:2])
    assert first.title == "Ribbon tables & more: indexing beyond the leaf"
    assert (first.authors, first.venue, first.year) == (("Ada Winter",), "J. Storage", 2011)
    assert (second.authors, second.venue) == (("Ada Winter", "Bela Summer"), "Y, LNCS")
    assert second.arxiv_id == "2105.01234"


def test_dblp_asks_for_many_hits_without_operators(ask: Any) -> None:
    asked = ask("dblp", dblp_hits())
    found = asked.source.search(Reference("r", "C++ -- or: A|B $ in O(n)", ("O'Neil, Pat",)))
    assert found.inquiries[0].outcome is Outcome.ANSWERED
    assert asked.requests[0].url.params["h"] == "100"
    assert not set("|$-:()") & set(asked.requests[0].url.params["q"])


def test_dblp_may_answer_with_one_hit_outside_a_list(ask: Any) -> None:
    answer = dblp_hits(dblp_info())
    answer["result"]["hits"]["hit"] = answer["result"]["hits"]["hit"][0]
    assert ask("dblp", answer).source.search(cite(TABLES)).candidates


def feed(*entries: tuple[str, str]) -> str:
    inside = "".join(
        f"<entry><id>http://arxiv.org/abs/{arxiv_id}</id><title>{title}</title><published>2021-05-03T00:00:00Z</published>"
        "<author><name>Dora Spring</name></author></entry>"
        for arxiv_id, title in entries
    )
    return f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv Query</title>{inside}</feed>'


def test_arxiv_brings_the_first_versions_title_too(ask: Any) -> None:
    asked = ask("arxiv", feed(("2105.01234v3", PREPRINT.title), ("2105.01234v1", PREPRINT.first_title)))
    found = asked.source.search(cite(PREPRINT, title=PREPRINT.first_title))
    assert asked.requests[0].url.params["id_list"] == "2105.01234,2105.01234v1"
    assert {c.record.title for c in found.candidates} == {PREPRINT.title, PREPRINT.first_title}
    assert {c.match for c in found.candidates} == {MatchKind.ARXIV_ID}
    assert len(asked.requests) == 1


def test_arxiv_leaves_unknown_ids_out(ask: Any) -> None:
    found = ask("arxiv", feed()).source.search(cite(PREPRINT))
    assert found.unknown_identifiers == ("2105.01234",)
    assert found.inquiries[0].detail == "does not know 2105.01234"


@pytest.mark.parametrize(
    "body",
    [
        feed(("api/errors#incorrect_id", "Error")).replace("http://arxiv.org/abs/", "https://arxiv.org/"),
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry>",
        "<rss></rss>",
        '<!DOCTYPE x [<!ENTITY a "aaaa">]><feed xmlns="http://www.w3.org/2005/Atom">&a;</feed>',
        "Rate exceeded.",
    ],
)
def test_arxiv_answers_that_are_no_answers(ask: Any, body: str) -> None:
    assert ask("arxiv", body).source.search(cite(PREPRINT)).inquiries[0].outcome is Outcome.FAILED


def test_europe_pmc_knows_notices(ask: Any) -> None:
    result = {
        "id": "7", "source": "MED", "title": f"{RETRACTED.title}.", "doi": RETRACTED.doi, "pubYear": "2014",
        "authorList": {"author": [{"firstName": "Hanna", "lastName": "Gale"}, {"collectiveName": "X"}]},
        "commentCorrectionList": {"commentCorrection": [{"id": "9", "source": "MED", "type": "Retraction in"}]},
    }  # fmt: skip
    asked = ask("europe_pmc", {"resultList": {"result": [result]}})
    (candidate,) = asked.source.search(cite(RETRACTED)).candidates
    assert asked.requests[0].url.params["query"] == f'DOI:"{RETRACTED.doi}"'
    assert candidate.record.title == RETRACTED.title
    assert candidate.record.authors == ("Hanna Gale", "X")
    assert candidate.record.retraction == "https://europepmc.org/article/MED/9"


def test_open_library_has_a_record_for_each_edition_year(ask: Any) -> None:
    book = {
        "key": "/works/OL1W", "title": "The shepherd's compiler", "subtitle": "a practical guide",
        "author_name": ["Gerda Mist"], "first_publish_year": 1985, "publish_year": [1995, 1985],
    }  # fmt: skip
    found = ask("open_library", {"docs": [book]}).source.search(cite(BOOK))
    assert [(c.record.year, c.record.key) for c in found.candidates] == [
        (1985, "/works/OL1W"),
        (1995, "/works/OL1W#1995"),
    ]
    assert found.candidates[0].similarity == 1.0


def test_open_library_is_asked_for_books_alone(ask: Any) -> None:
    source = ask("open_library", {}).source
    assert source.rank(cite(BOOK)) is not None
    assert source.rank(cite(TABLES)) is None


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("content", [{}, [], {"message": []}, {"results": [None]}, {"result": {"hits": {"hit": "x"}}}])
def test_a_shape_that_the_source_never_had_is_a_failure(ask: Any, name: str, content: Any) -> None:
    (inquiry,) = ask(name, json.dumps(content), key="k").source.search(PROBE).inquiries
    assert inquiry.outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("cited", "recorded", "match"),
    [
        ("Ribbon tables", "Ribbon Tables.", MatchKind.TITLE),
        ("BERT", "BERT: pre-training of deep transformers", MatchKind.MAIN_TITLE),
        ("BERT: pre-training of deep transformers", "BERT", MatchKind.MAIN_TITLE),
        ("BERT: pre-training of deep transformers", "BERT: a muppet on its own", MatchKind.NEARBY),
        ("Tables made of ribbons for keeps", "For keeps: tables of made ribbons", MatchKind.SAME_WORDS),
        (": x", ": y", MatchKind.NEARBY),
    ],
)
def test_how_titles_agree(cited: str, recorded: str, match: MatchKind) -> None:
    assert compare(Reference("r", cited), Record("k", recorded)).match is match


@pytest.mark.parametrize("title", [[], [""], ["..."], None])
def test_a_record_without_a_title_says_nothing(ask: Any, title: Any) -> None:
    found = ask("crossref", {"message": crossref_work(title=title, subtitle=[])}, crossref_list()).source.search(
        Reference("r", TABLES.title, doi=TABLES.doi)
    )
    assert found.candidates == ()


@pytest.mark.parametrize("name", SOURCES)
def test_nothing_to_ask_by_is_no_answer(ask: Any, name: str) -> None:
    asked = ask(name, {}, key="k")
    (inquiry,) = asked.source.search(Reference("r")).inquiries
    assert (inquiry.outcome, asked.requests) == (Outcome.SKIPPED, [])


@pytest.mark.parametrize("name", SOURCES)
def test_the_probe_carries_nothing_of_the_users(ask: Any, name: str) -> None:
    asked = ask(name, httpx2.Response(500), key="k")
    with pytest.raises(Exception, match="server error"):
        asked.source.probe()
    assert asked.requests


def test_sources_are_chosen_by_name_or_by_key() -> None:
    assert "semantic_scholar" not in chosen_sources("", ())
    assert "semantic_scholar" in chosen_sources("", {"semantic_scholar"})
    assert chosen_sources(" dblp, open-library,", ()) == ("dblp", "open_library")
