"""JSON lists: titles, objects with fields of their own, objects with BibTeX's fields."""

import json
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.model.reference import NOWHERE, Reference
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex, json_list


def test_read_texts_are_titles() -> None:
    entries = json_list.read(Document.of_text('["A \\u00e9",\n "B", "", 7]', "f")).entries
    assert [
        (getattr(entry, "title", ""), entry.line, getattr(entry, "code", "")) for entry in entries
    ] == [
        ("A é", 1, ""),
        ("B", 2, ""),
        ("", 2, "json-list.no_fields"),
        ("", 2, "json-list.not_a_reference"),
    ]


@pytest.mark.parametrize(
    "people",
    [
        ["Lee, Ann", "Bob Ray", "et al."],
        [{"name": "Lee, Ann"}, {"name": "Bob Ray"}, "others"],
        [{"family": "Lee", "given": "Ann"}, "Bob Ray", {"name": "et al"}],
        [{"last": "Lee", "first": "Ann"}, "Bob Ray", "others"],
        [["Lee, Ann"], ["Bob", "Ray"], ["others"]],
        "Lee, Ann and Bob Ray and others",
    ],
)
def test_authors_in_every_shape(people: object) -> None:
    (reference,) = json_list.read(
        Document.of_text(json.dumps([{"title": "T", "authors": people}]))
    ).references
    assert (reference.authors, reference.and_others) == (("Lee, Ann", "Bob Ray"), True)


def test_read_escaped_control_characters_and_half_characters_are_not_passed_on() -> None:
    (reference,) = json_list.read(
        Document.of_text('["red \\u001b[31m \\ud800 \\u00e9"]')
    ).references
    assert reference.title == "red [31m ? é"


def test_fields_in_any_case_and_under_any_of_their_names() -> None:
    item = {
        "ID": "k",
        "ENTRYTYPE": "article",
        "Title": "T",
        "publication_date": "2019-05-01",
        "Journal": "J",
        "DOI": "https://doi.org/10.1000/X",
        "arXiv": "1706.03762v1",
        "page": "1-2",
        "issue": 3,
        "link": "http://a",
    }
    (reference,) = json_list.read(Document.of_text(json.dumps(item))).references
    assert (reference.key, reference.entry_type, reference.title, reference.year) == (
        "k",
        "article",
        "T",
        2019,
    )
    assert (reference.venue, reference.doi, reference.arxiv_id) == ("J", "10.1000/x", "1706.03762")
    assert (reference.pages, reference.number, reference.url) == ("1-2", "3", "http://a")


def test_read_bibtex_fields_inside_an_object_are_read_as_a_bib_file_is() -> None:
    item = {
        "bibtex_key": "k",
        "bibtex_type": "inproceedings",
        "fields": {
            "author": 'G{\\"o}del, K. and others',
            "Title": "T",
            "booktitle": "B",
            "year": 2001,
        },
    }
    (ours,) = json_list.read(Document.of_text(json.dumps(item))).references
    (same,) = bibtex.read(
        Document.of_text(
            '@inproceedings{k, author = {G{\\"o}del, K. and others}, title = {T}, booktitle = {B},'
            " year = 2001}"
        )
    ).references
    assert replace(ours, raw="", place=NOWHERE) == replace(same, raw="", place=NOWHERE)


def test_read_a_reference_that_was_written_out_is_read_back() -> None:
    (first,) = bibtex.read(
        Document.of_text(
            "@article{k, author={Ann Lee and others}, title={T}, journal={J}, year=2001,"
            " eprint={1706.03762}, doi={10.1000/x}, pages={1--2}, volume=3, number=4,"
            " url={http://a}, publisher={P}, note={N}}"
        )
    ).references
    (again,) = json_list.read(Document.of_text(json.dumps([asdict(first)]))).references
    assert replace(again, raw="", place=NOWHERE) == replace(first, raw="", place=NOWHERE)


ITEM = st.dictionaries(
    st.sampled_from(["title", "authors", "year", "fields", "doi", "key"]),
    st.text()
    | st.none()
    | st.integers()
    | st.lists(st.text())
    | st.dictionaries(st.text(), st.text()),
)


@given(st.lists(ITEM | st.text() | st.none() | st.lists(st.integers()), min_size=1))
def test_read_any_item_is_a_reference_or_a_diagnostic(items: list[object]) -> None:
    entries = json_list.read(
        Document.of_text("\n".join(json.dumps(item) for item in [{"title": "T"}, *items]))
    ).entries
    assert len(entries) == len(items) + 1
    assert [entry.line for entry in entries] == list(range(1, len(items) + 2))
    for entry in entries:
        if isinstance(entry, Reference):
            "".join((entry.title, entry.key, entry.doi, *entry.authors)).encode("utf-8")
