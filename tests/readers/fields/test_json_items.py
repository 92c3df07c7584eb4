import base64
import json
from typing import Any

import pytest

from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers.fields.document_entries import LONGEST_RAW
from citeproof.readers.fields.json_items import (
    MENDELEY,
    base64_text,
    begins_json,
    cited_works,
    reference_of_item,
    references_in,
    text_of,
)

ITEM = {
    "id": "alma21",
    "type": "article-journal",
    "title": "Counting <i>sheep</i> &amp; goats",
    "author": [{"family": "Alma", "given": "Ann"}, {"literal": "Wool Group"}],
    "container-title": ["J. Wool", "JW"],
    "issued": {"date-parts": [[2021, 6]]},
    "DOI": "10.1145/1.2",
    "page": "11-29",
    "volume": 7,
    "issue": "3",
}


def read(text: str) -> list[Reference | Diagnostic]:
    return list(references_in(text, "a.json", "csl", reference_of_item))


def told(text: str) -> list[str]:
    return [
        one.key if isinstance(one, Reference) else f"{one.code}: {one.message}"
        for one in read(text)
    ]


def test_reference_of_item_takes_every_variable() -> None:
    reference = reference_of_item(ITEM)
    assert reference
    assert (reference.key, reference.title) == ("alma21", "Counting sheep & goats")
    assert reference.authors == ("Alma, Ann", "Wool Group")
    assert (reference.year, reference.venue, reference.doi) == (2021, "J. Wool", "10.1145/1.2")
    assert (reference.pages, reference.volume, reference.number) == ("11-29", "7", "3")


@pytest.mark.parametrize(
    ("issued", "year"),
    [
        ({"date-parts": [[2021]]}, 2021),
        ({"date-parts": [["2021", "6"]]}, 2021),
        ({"raw": "June 2021"}, 2021),
        ({"literal": "2021"}, 2021),
        ([{"year": "2021"}], 2021),
        ("2021-06-01", 2021),
        (2021, 2021),
        ({"date-parts": []}, None),
        ([], None),
        (None, None),
    ],
)
def test_reference_of_item_reads_the_year_in_every_form(issued: object, year: int | None) -> None:
    reference = reference_of_item(ITEM | {"issued": issued})
    assert reference
    assert reference.year == year


@pytest.mark.parametrize(
    ("changes", "authors"),
    [
        ({"author": [], "editor": [{"family": "Berg", "given": "Bo"}]}, ("Berg, Bo",)),
        ({"author": {"family": "Berg", "given": "Bo"}}, ("Berg, Bo",)),
        ({"author": ["Bo Berg"]}, ("Bo Berg",)),
        (
            {"author": [{"family": "Berg", "given": "Bo", "non-dropping-particle": "van der"}]},
            ("van der Berg, Bo",),
        ),
        ({"author": [{"name": "Wool Group"}]}, ("Wool Group",)),
        ({"author": 7}, ()),
    ],
)
def test_reference_of_item_names_people(changes: dict[str, Any], authors: tuple[str, ...]) -> None:
    reference = reference_of_item(ITEM | changes)
    assert reference
    assert reference.authors == authors


def test_reference_of_item_takes_the_arxiv_id_of_an_archive() -> None:
    reference = reference_of_item({"title": "On sheep", "archive": "arXiv", "number": "2101.00001"})
    assert reference
    assert reference.arxiv_id == "2101.00001"
    other = reference_of_item({"title": "On sheep", "archive": "JSTOR", "number": "2101.00001"})
    assert other
    assert other.arxiv_id == ""


@pytest.mark.parametrize("said", [{}, {"id": "a"}, {"type": "book"}, [], "On sheep", None])
def test_reference_of_item_is_none_without_a_work(said: object) -> None:
    assert reference_of_item(said) is None


def test_references_in_reads_arrays_objects_and_lines() -> None:
    one, two = json.dumps(ITEM), json.dumps(ITEM | {"id": "b"})
    assert told(f"[{one}, {two}]") == ["alma21", "b"]
    assert told(one) == ["alma21"]
    assert told(f"\ufeff{one}\n{two}\n") == ["alma21", "b"]
    assert told(f"{json.dumps(ITEM, indent=2)}\n{two}") == ["alma21", "b"]
    assert told("[]") == told("") == []


def test_references_in_states_the_place_of_each_item() -> None:
    text = f"[\n{json.dumps(ITEM)},\n{json.dumps(ITEM | {'id': 'b'})}\n]"
    first, second = read(text)
    assert isinstance(first, Reference)
    assert isinstance(second, Reference)
    assert (first.place.line, second.place.line) == (2, 3)
    assert second.place.span
    assert text[second.place.span.start : second.place.span.end] == second.raw
    assert json.loads(second.raw)["id"] == "b"


def test_references_in_names_what_is_no_reference() -> None:
    one = json.dumps(ITEM)
    assert told(f'{one}\n7\n{{"id": "b"}}') == [
        "alma21",
        "csl.not_a_reference: this item is neither an object nor a text",
        "csl.no_fields: this item has no field of a reference",
    ]


def test_references_in_goes_on_with_the_next_line_after_a_broken_one() -> None:
    one, two = json.dumps(ITEM), json.dumps(ITEM | {"id": "b"})
    first, broken, last = told(f'{one}\n{{"id": \n{two}')
    assert (first, last) == ("alma21", "b")
    assert broken.startswith("csl.malformed: this item is not JSON: ")


def test_references_in_an_array_ends_at_its_first_broken_item() -> None:
    one = json.dumps(ITEM)
    first, broken = told(f"[{one}, {{, {one}]")
    assert first == "alma21"
    assert broken.startswith("csl.malformed: this item is not JSON: ")
    assert told(f"[{one}")[1:] == [
        "csl.malformed: this item is not JSON: the file ends inside the array"
    ]
    assert told(f"[{one}] {one}")[1:] == [
        "csl.malformed: this item is not JSON: more text after the end of the array"
    ]


def test_references_in_a_text_that_is_no_json_is_one_diagnostic_of_the_document() -> None:
    (message,) = told("{broken")
    assert message.startswith("document.malformed: not JSON: ")


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ('{"id": 1}', True),
        (' \ufeff[{"id": 1}]', True),
        ('["A. Lee. On sheep."]', True),
        ("[]", True),
        ("{}", True),
        ("[", True),
        ("[1] A. Lee. On sheep.", False),
        ("{a}", False),
        ("A. Lee", False),
    ],
)
def test_begins_json_tells_json_from_a_numbered_list(text: str, *, begins: bool) -> None:
    assert begins_json(text) is begins


@pytest.mark.parametrize(
    ("value", "text"),
    [(" a ", "a"), (7, "7"), (1.5, "1.5"), (True, ""), (None, ""), ([1], ""), ("\ud800x", "?x")],
)
def test_text_of_takes_texts_and_numbers(value: object, text: str) -> None:
    assert text_of(value) == text


CITED = {"citationItems": [{"itemData": ITEM, "uris": ["http://z/1"]}, {"itemData": {}}, {"id": 1}]}


def test_cited_works_reads_the_fields_of_word_processors_each_work_once() -> None:
    coded = base64.b64encode(json.dumps(CITED).encode()).decode()
    zotero = f"ADDIN ZOTERO_ITEM CSL_CITATION {json.dumps(CITED)} more"
    work, nothing, broken = cited_works(
        "a.docx", "docx", [(zotero, 3), (MENDELEY + coded, 4), ("ADDIN EN.CITE", 5)]
    )
    assert isinstance(work, Reference)
    assert (work.key, work.title, work.place.line) == ("alma21", "Counting sheep & goats", 3)
    assert isinstance(nothing, Diagnostic)
    assert (nothing.code, nothing.place.line) == ("csl-json.no_fields", 3)
    assert isinstance(broken, Diagnostic)
    assert (broken.code, broken.place.line) == ("docx.broken_field", 5)


@pytest.mark.parametrize("code", ['{"citationItems": 7}', '{"other": []}', "[]", "{", ""])
def test_cited_works_names_a_field_that_cannot_be_read(code: str) -> None:
    (broken,) = cited_works("a.docx", "docx", [(code, 1)])
    assert isinstance(broken, Diagnostic)
    assert broken.code == "docx.broken_field"


def test_base64_text_is_empty_for_other_text() -> None:
    assert base64_text("c2hl\nZXA=") == "sheep"
    assert base64_text("c2hlZXA") == ""


def test_references_in_says_where_a_text_behind_an_array_begins() -> None:
    text = f"[{json.dumps(ITEM)}] and more"
    good, rest = read(text)
    assert isinstance(good, Reference)
    assert isinstance(rest, Diagnostic)
    assert rest.place.span
    assert (rest.place.span.start, rest.place.span.end) == (text.index("and"), len(text))
    deep = "[" * 100_000
    (fault,) = read(f"[{deep}")
    assert isinstance(fault, Diagnostic)
    assert "nested too deeply or too large" in fault.message
    assert fault.place.span
    assert fault.place.span.end - fault.place.span.start <= LONGEST_RAW


def test_reference_of_item_names_editors_if_there_are_no_authors() -> None:
    said = {"title": "On ice", "editor": {"family": "Lee", "given": "Ann"}}
    found = reference_of_item(said)
    assert found
    assert found.authors == ("Lee, Ann",)
    both = reference_of_item(said | {"author": ["Bo Ray"]})
    assert both
    assert both.authors == ("Bo Ray",)
