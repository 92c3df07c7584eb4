"""CSL-JSON in the dialects that programs write."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.model.reference import Diagnostic, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.formats import csl_json

ZOTERO = {
    "id": "http://zotero.org/1",
    "citation-key": "lee2019",
    "type": "article-journal",
    "title": "On <i>E. coli</i>: a study",
    "container-title": "Journal of X",
    "DOI": "10.1000/XYZ",
    "URL": "https://example.org/x",
    "page": "1-9",
    "volume": "3",
    "issue": "2",
    "author": [
        {"family": "Gogh", "given": "Vincent", "non-dropping-particle": "van"},
        {"family": "King", "given": "M. L.", "suffix": "Jr."},
        {"literal": "The Big and Small Consortium"},
    ],
    "issued": {"date-parts": [["2019", 5, 1]]},
}


@pytest.mark.parametrize(
    "title",
    [
        'On <span class="nocase">winter</span> and snow',
        'On <span style="font-variant:small-caps;">winter</span> and snow<br/>',
        "<title>On winter and snow</title>",
        'On <mml:math xmlns:mml="http://example.org/m"><mml:mi>winter</mml:mi></mml:math> and snow',
        "On &lt;i&gt;winter&lt;/i&gt; and&#x0D; snow",
        "<jats:title>On winter and snow</jats:title>",
    ],
)
def test_read_titles_with_markup(title: str) -> None:
    item = {
        "title": title,
        "published-print": {"date-parts": [[2017]]},
        "issued": {"date-parts": [[None]]},
    }
    (reference,) = csl_json.read(Document.of_text(json.dumps([item]))).references
    assert (reference.title, reference.year) == ("On winter and snow", 2017)


def test_read_an_item_of_zotero() -> None:
    (reference,) = csl_json.read(Document.of_text(json.dumps([ZOTERO]), "f.json")).references
    assert reference == Reference(
        key="http://zotero.org/1",
        title="On E. coli: a study",
        authors=("van Gogh, Vincent", "King, M. L. Jr.", "The Big and Small Consortium"),
        year=2019,
        venue="Journal of X",
        entry_type="article-journal",
        doi="10.1000/xyz",
        pages="1-9",
        volume="3",
        number="2",
        url="https://example.org/x",
        raw=json.dumps(ZOTERO),
        place=Place("f.json", 1, span=Span(1, len(json.dumps(ZOTERO)) + 1)),
    )


@pytest.mark.parametrize(
    ("issued", "year"),
    [
        ({"date-parts": [[2019]]}, 2019),
        ({"date-parts": [["2019", "5"]]}, 2019),
        ({"date-parts": [[None]]}, None),
        ({"raw": "May 2019"}, 2019),
        ({"literal": "c2019"}, 2019),
        ("2019-05", 2019),
        (2019, 2019),
        ({}, None),
        ({"date-parts": []}, None),
    ],
)
def test_read_dates(issued: object, year: int | None) -> None:
    (reference,) = csl_json.read(
        Document.of_text(json.dumps([{"title": "T", "issued": issued}]))
    ).references
    assert reference.year == year


def test_read_crossref_lists_arxiv_and_editors() -> None:
    items: list[dict[str, Any]] = [
        {
            "DOI": "10.1000/X",
            "title": ["T"],
            "container-title": ["V", "W"],
            "author": [{"name": "Group"}],
        },
        {"title": "T", "archive": "arXiv", "archive_location": "1706.03762v2"},
        {"title": "T", "number": "arXiv:1706.03762"},
        {"title": "T", "editor": [{"family": "Lee", "given": "Ann"}]},
    ]
    first, second, third, fourth = csl_json.read(Document.of_text(json.dumps(items))).references
    assert (first.key, first.title, first.venue, first.authors) == (
        "10.1000/X",
        "T",
        "V",
        ("Group",),
    )
    assert second.arxiv_id == third.arxiv_id == "1706.03762"
    assert fourth.authors == ("Lee, Ann",)


def test_read_every_item_has_its_line_and_what_is_wrong_is_said() -> None:
    text = '[\n {"title": "A"},\n 5,\n {}, {"title":\n"B"},\n {oops}, {"title": "C"}]'
    entries = csl_json.read(Document.of_text(text, "f")).entries
    assert [(entry.line, getattr(entry, "code", "")) for entry in entries] == [
        (2, ""),
        (3, "csl-json.not_a_reference"),
        (4, "csl-json.no_fields"),
        (4, ""),
        (6, "csl-json.malformed"),
    ]
    assert isinstance(entries[-1], Diagnostic)
    assert "C" in entries[-1].raw


def test_read_an_array_that_is_cut_is_said() -> None:
    entries = csl_json.read(Document.of_text('[{"title": "One", "issued": 1},\n\n')).entries
    assert [getattr(entry, "code", "") for entry in entries] == ["", "csl-json.malformed"]
    assert [entry.line for entry in entries] == [1, 3]


def test_read_one_object_and_json_lines() -> None:
    assert len(csl_json.read(Document.of_text('{"title": "A"}')).references) == 1
    entries = csl_json.read(
        Document.of_text('{"title": "A"}\n{"title": \n{"title": "C"}\n')
    ).entries
    assert [(entry.line, isinstance(entry, Reference)) for entry in entries] == [
        (1, True),
        (2, False),
        (3, True),
    ]


@pytest.mark.parametrize(
    "text", ["nonsense", "[" * 100_000, '[{"a": ' * 50_000, "[1" + "0" * 5000 + "]"]
)
def test_read_no_json_at_all_is_refused(text: str) -> None:
    (diagnostic,) = csl_json.read(Document.of_text(text, "f.json")).entries
    assert isinstance(diagnostic, Diagnostic)
    assert diagnostic.of_document
    assert "f.json:1: not JSON" in str(diagnostic)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["title", "author", "issued", "date-parts", "family", "DOI", "id"]),
            inner,
        )
    ),
    max_leaves=20,
)


@given(st.lists(JSON, min_size=1, max_size=5))
def test_read_any_json_is_read_and_accounted_for(items: list[object]) -> None:
    entries = csl_json.read(Document.of_text(json.dumps(items))).entries
    assert len(entries) == len(items)
    for entry in entries:
        if isinstance(entry, Reference):
            "".join((entry.title, entry.key, entry.doi, *entry.authors)).encode("utf-8")
