"""Values that the page shows of one answer."""

from dataclasses import replace
from typing import Any

import pytest

from citeproof.model.record import Candidate, Lookup, MatchKind, Method, Record
from citeproof.report.serialization import lookup_object
from citeproof.web.page.rendering import render
from citeproof.web.page.search import answer_row

MISS = Lookup(
    "Deep Nets", 0.9, (), None, Method.INDEXED, "title_index", 0, complete=True, milliseconds=0.1
)
WORK = Record(
    "conf/x/1",
    "Deep Nets",
    ("Ada Author", "Bo Writer"),
    2017,
    "NIPS",
    "inproceedings",
    doi="10.1/x",
    arxiv_id="1706.03762",
    url="https://nips.example/1",
    source="dblp",
)


def row_of(lookup: Lookup, *nearest: Candidate) -> dict[str, Any]:
    return answer_row(lookup_object(lookup), nearest)


def shown(row: dict[str, Any]) -> str:
    page = render("page.html", answers=[row], counts="", alone=True)
    return page.replace("<mark>", "").replace("</mark>", "")


def works(count: int, title: str) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(Record(f"k{number}", title, ("Ada Author",), 2000), 1.0)
        for number in range(count)
    )


def test_answer_row_of_a_title_that_is_found_has_its_facts_and_links() -> None:
    row = row_of(
        replace(MISS, candidates=(Candidate(WORK, 1.0), Candidate(Record("k", "Deep Net"), 0.94)))
    )
    assert (row["kind"], row["label"], row["note"]) == ("found", "✓ Found", "")
    (work,) = row["works"]
    assert (work["similarity"], work["authors"]) == ("100.0 %", "Ada Author, Bo Writer")
    assert work["facts"] == ["NIPS", 2017, "conference or workshop paper"]
    assert work["links"] == [
        ("doi:10.1/x", "https://doi.org/10.1/x"),
        ("arXiv:1706.03762", "https://arxiv.org/abs/1706.03762"),
        ("dblp:conf/x/1", "https://dblp.org/rec/conf/x/1"),
    ]
    assert [work["similarity"] for work in row["further"]] == ["94.0 %"]
    page = shown(row)
    assert "100.0 % alike</span> · NIPS · 2017 · conference or workshop paper" in page
    assert "1 further record with a similar title" in page


def test_answer_row_of_a_best_match_leads_to_further_records() -> None:
    found = replace(MISS, query="Deep & Nets", candidates=(Candidate(WORK, 1.0),))
    link = '<a href="/?title=Deep%20%26%20Nets&amp;all=1">'
    assert link in shown(row_of(found))
    asked = shown(row_of(replace(found, every=True)))
    assert link not in asked
    assert "No further record has a similar title." in asked
    assert link not in shown(row_of(MISS))


def test_answer_row_of_a_title_with_other_words_is_near() -> None:
    row = row_of(replace(MISS, query="Deep Nests", candidates=(Candidate(WORK, 0.95),)))
    assert (row["kind"], row["words"]) == ("near", [("Deep", False), ("Nests", True)])
    assert row["works"][0]["title"] == [("Deep", False), ("Nets", True)]


def test_answer_row_shows_all_works_that_tie() -> None:
    row = row_of(replace(MISS, query="Letter", candidates=works(14, "Letter")))
    assert len(row["works"]) == 14
    assert row["note"] == "14 records have this title; the title alone does not say which is meant."


def test_answer_row_of_many_records_shows_a_hundred_and_counts_all() -> None:
    row = row_of(replace(MISS, query="Editorial", candidates=works(100, "Editorial"), more=7603))
    assert len(row["works"]) == 100
    assert row["note"].endswith("Of 7,703 records 100 are shown.")
    assert len(shown(row)) < 100_000


def test_answer_row_of_a_title_that_is_not_found_has_the_nearest_works_best_first() -> None:
    related = (Candidate(Record("r", "Deep Nets: A Survey"), 0.65, MatchKind.MAIN_TITLE),)
    nearest = (Candidate(Record("a", "Deep Sets"), 0.8), Candidate(Record("b", "Deep Pets"), 0.88))
    far = Candidate(Record("c", "Nothing like it"), 0.3)
    row = row_of(replace(MISS, related=related, nearest=nearest[1]), *nearest, far)
    assert (row["kind"], row["note"]) == ("missing", "The nearest works, best first:")
    assert [(work["similarity"], work["note"]) for work in row["works"]] == [
        ("65.0 %", "the same except for a subtitle"),
        ("88.0 %", ""),
        ("80.0 %", ""),
    ]
    assert row["proof"].startswith("It is proved that no title in the database is similar enough.")
    assert row_of(MISS)["note"] == "The database has no similar title."


@pytest.mark.parametrize("count", [1, 2])
def test_answer_row_of_an_identifier_is_found(count: int) -> None:
    related = tuple(
        Candidate(Record(f"k{n}", "Deep Nets", doi="10.1/x"), 0.0, MatchKind.DOI)
        for n in range(count)
    )
    row = row_of(replace(MISS, query="10.1/x", related=related))
    assert (row["kind"], row["works"][0]["note"]) == ("found", "has this DOI")
    assert row["note"] == ("" if count == 1 else "2 records have this identifier.")
    assert "0.0 %" not in shown(row)
    assert "Proved" not in shown(row)


def test_answer_row_of_a_look_up_that_failed_says_so() -> None:
    row = answer_row(
        {"query_title": "Deep Nets", "found": False, "error": "The look-up of this title failed."}
    )
    assert (row["kind"], row["note"]) == ("failed", "The look-up of this title failed.")
    assert "⚠ Failed" in shown(row)


def test_answer_row_links_no_address_but_of_the_web() -> None:
    record = Record("k", "Deep Nets", url="javascript:alert(1)", source="lab")
    page = shown(row_of(replace(MISS, candidates=(Candidate(record, 1.0),))))
    assert "javascript" not in page
    assert "lab:k" in page
