import json
from typing import Any

import pytest
from pydantic import ValidationError

from citeproof.store.runtime.jobs import JobDocument
from citeproof.web.api.shapes import OneReference, TitleSearch, VerifyBody, collapse, distinct


def test_collapse_leaves_single_spaces() -> None:
    assert collapse("  On\n the\u2003Sheep ") == "On the Sheep"


def test_distinct_keeps_the_first_of_equal_titles_with_its_position() -> None:
    titles = ["On Sheep", " ", "on  SHEEP", "On Goats", "\ufeff"]
    assert distinct(titles) == [(0, "On Sheep"), (3, "On Goats")]


@pytest.mark.parametrize(
    ("fields", "document"),
    [
        ({"text": "A. Lee. Ice."}, JobDocument(b"A. Lee. Ice.", pasted=True)),
        (
            {"text": "@misc{a}", "name": "a", "format": "bibtex"},
            JobDocument(b"@misc{a}", "a", "bibtex", pasted=True),
        ),
        ({"bibtex": "@misc{a}", "name": "a"}, JobDocument(b"@misc{a}", "a", "bibtex")),
        ({"references": ["Ice"]}, JobDocument(b'["Ice"]', "", "json-list")),
        ({"text": "\ud800"}, None),
    ],
)
def test_document_is_what_was_sent(fields: dict[str, Any], document: JobDocument | None) -> None:
    if document is None:
        with pytest.raises(ValidationError):
            VerifyBody.model_validate(fields)
    else:
        assert VerifyBody.model_validate(fields).document() == document


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"text": "a", "bibtex": "b"},
        {"references": []},
        {"text": ""},
        {"text": "a", "format": "word"},
        {"references": [5]},
    ],
)
def test_verify_body_has_exactly_one_document(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        VerifyBody.model_validate(fields)


def test_one_reference_is_sent_as_text_or_as_the_given_fields() -> None:
    text = OneReference.model_validate({"text": "Lee, Ice"})
    assert text.document() == JobDocument(b"Lee, Ice", pasted=True)
    sent = OneReference.model_validate({"title": "Ice", "year": 2016}).document()
    assert (json.loads(sent.data), sent.format) == ([{"title": "Ice", "year": 2016}], "json-list")
    nothing: list[dict[str, Any]] = [{}, {"venue": "ICS"}, {"title": " \u2003"}]
    for fields in nothing:
        with pytest.raises(ValidationError, match="has no reference"):
            OneReference.model_validate(fields)


@pytest.mark.parametrize(
    ("candidates", "accepted"), [(5, 5), (5.0, 5), (5.5, None), (0, None), ("5", None)]
)
def test_title_search_takes_whole_numbers_of_candidates(
    candidates: object, accepted: int | None
) -> None:
    fields = {"title": "On  Sheep", "max_candidates": candidates}
    if accepted is None:
        with pytest.raises(ValidationError):
            TitleSearch.model_validate(fields)
    else:
        search = TitleSearch.model_validate(fields)
        assert (search.title, search.max_candidates) == ("On Sheep", accepted)
