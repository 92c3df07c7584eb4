"""Tables of references."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from citeproof.formats import csv
from citeproof.inputs.document import Document


def test_the_separator_is_the_one_of_the_header() -> None:
    for sign in "\t;,":
        text = sign.join(("Title", "Author", "Year")) + "\n" + sign.join(("On winter", "Ann Lee", "2019")) + "\n"
        (one,) = csv.read(Document.of_text(text)).references
        assert (one.title, one.authors, one.year) == ("On winter", ("Ann Lee",), 2019)


def test_a_table_without_a_title_is_named() -> None:
    document = Document.of_text("name,age\nAnn,7\n", "people.csv")
    assert csv.accepts(document) == 0
    (entry,) = csv.read(document).entries
    assert (entry.line, getattr(entry, "code", "")) == (1, "csv.no_header")


def test_a_row_that_is_too_long_for_a_table_costs_itself() -> None:
    text = "title,year\nOne,2001\n" + "x" * 200_000 + ",2002\nThree,2003\n"
    one, two, three = csv.read(Document.of_text(text)).entries
    assert [getattr(one, "title", ""), getattr(three, "title", "")] == ["One", "Three"]
    assert (getattr(two, "code", ""), two.line) == ("csv.malformed", 3)


@given(st.lists(st.sampled_from(["a", ",", '"', "\n", " ", ";"]), max_size=60))
def test_every_row_is_within_the_document_and_in_order(pieces: list[str]) -> None:
    document = Document.of_text("title,authors\n" + "".join(pieces))
    spans = [entry.place.span for entry in csv.read(document).entries]
    starts = [span.start for span in spans if span]
    assert len(starts) == len(spans)
    assert starts == sorted(set(starts))
    assert all(span and span.end <= len(document.text) for span in spans)
