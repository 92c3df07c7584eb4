"""What the page shows of one answer: the match, what it is, and the records beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citeproof.models import Candidate, Lookup, MatchKind, Method, Record
from citeproof.web.page.rendering import render
from citeproof.web.page.result_row import result_row

MISS = Lookup("Deep Nets", 0.9, (), None, Method.INDEXED, "title_index", 0, complete=True, milliseconds=0.1)


def works(count: int, title: str) -> tuple[Candidate, ...]:
    return tuple(Candidate(Record(f"k{number}", title, ("Ada Author",), 2000), 1.0) for number in range(count))


def test_of_many_records_with_one_title_a_hundred_are_shown_and_all_are_counted() -> None:
    row = result_row(replace(MISS, query="Editorial", candidates=works(7703, "Editorial")))
    assert row["further"]["count"] == 7702
    assert len(row["further"]["shown"]) == 100
    page = render("page.html", title="Editorial", answer=row)
    assert "7,702 further records, 100 of them shown" in page
    assert len(page) < 100_000


@pytest.mark.parametrize(
    ("kind", "note"),
    [
        (MatchKind.MAIN_TITLE, "The same title but for a subtitle."),
        (MatchKind.SAME_WORDS, "The same words in another order."),
    ],
)
def test_a_related_title_is_shown_as_near_and_says_how(kind: MatchKind, note: str) -> None:
    related = (Candidate(Record("k", "Deep Nets: A Survey"), 0.6, kind),)
    row = result_row(replace(MISS, related=related, nearest=Candidate(Record("n", "Deep Net"), 0.88)))
    assert (row["kind"], row["label"], row["note"]) == ("near", "Near", note)
    page = render("page.html", title=MISS.query, answer=row)
    assert note in page
    assert "Deep Nets:" in page.replace("<mark>", "").replace("</mark>", "")


def test_the_work_with_an_identifier_is_found() -> None:
    related = (Candidate(Record("k", "Deep Nets", doi="10.1/x"), 0.0, MatchKind.DOI),)
    row = result_row(replace(MISS, query="10.1/x", related=related))
    assert (row["kind"], row["note"]) == ("found", "The work with this DOI.")
    page = render("page.html", title="10.1/x", answer=row)
    assert "0.0 %" not in page
    assert "Proved: no title" not in page
