"""DBLP: single hits, prefix search and entities."""

from typing import Any

from citeproof.model.findings import Outcome
from citeproof.model.reference import Reference
from tests.online.works import TABLES, cite


def dblp_hits(*infos: dict[str, Any]) -> dict[str, Any]:
    hits = {
        "@total": str(len(infos)),
        **({"hit": [{"info": info} for info in infos]} if infos else {}),
    }
    return {"result": {"status": {"@code": "200"}, "hits": hits}}


def dblp_info(**changes: Any) -> dict[str, Any]:
    return {
        "key": "journals/x/WinterS11",
        "title": "Ribbon tables &amp; more: indexing beyond the leaf.",
        "year": "2011",
        "authors": {"author": {"@pid": "1", "text": "Ada Winter 0002"}},
        "venue": "J. Storage",
        **changes,
    }


def test_records_reads_the_shapes_of_dblp(ask: Any) -> None:
    strings = dblp_info(
        key="conf/y/W11",
        authors={"author": ["Ada Winter", "Bela Summer 0012"]},
        venue=["Y", "LNCS"],
        ee=["https://arxiv.org/abs/2105.01234", "https://doi.org/10.1/x"],
    )
    asked = ask("dblp", dblp_hits(dblp_info(), strings))
    first, second = (
        candidate.record for candidate in asked.source.search(cite(TABLES)).candidates[:2]
    )
    assert first.title == "Ribbon tables & more: indexing beyond the leaf"
    assert (first.authors, first.venue, first.year) == (("Ada Winter",), "J. Storage", 2011)
    assert (second.authors, second.venue) == (("Ada Winter", "Bela Summer"), "Y, LNCS")
    assert second.arxiv_id == "2105.01234"


def test_queries_requests_many_hits_without_operators(ask: Any) -> None:
    asked = ask("dblp", dblp_hits())
    found = asked.source.search(Reference("r", "C++ -- or: A|B $ in O(n)", ("O'Neil, Pat",)))
    assert found.inquiries[0].outcome is Outcome.ANSWERED
    assert asked.requests[0].url.params["h"] == "100"
    assert not set("|$-:()") & set(asked.requests[0].url.params["q"])


def test_records_reads_a_single_hit_outside_a_list(ask: Any) -> None:
    answer = dblp_hits(dblp_info())
    answer["result"]["hits"]["hit"] = answer["result"]["hits"]["hit"][0]
    assert ask("dblp", answer).source.search(cite(TABLES)).candidates
