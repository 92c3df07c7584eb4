from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.online.language_model import Fields, ground

RAW = """[7] A. Winter and B. Summer-Frost, "Ribbon tables: index-
ing beyond the   leaf," Journal of Stor-
age, vol. 3, 2011a. doi:10.1234/Ribbon.2011 arXiv:2105.01234"""


def grounded(**fields: Any) -> Any:
    return ground(Fields(**fields), RAW)


def test_ground_keeps_fields_across_line_breaks() -> None:
    result = grounded(
        title="Ribbon tables: indexing beyond the leaf",
        authors=("Winter, A.", "Bela Summer-Frost", "B. Summer-Frost"),
        year=2011,
        venue="Journal of Storage",
        doi="https://doi.org/10.1234/ribbon.2011",
        arxiv_id="2105.01234",
    )
    assert result.title == "Ribbon tables: indexing beyond the leaf"
    assert result.authors == ("Winter, A.", "B. Summer-Frost")
    assert (result.year, result.venue) == (2011, "Journal of Storage")
    assert (result.doi, result.arxiv_id) == ("10.1234/ribbon.2011", "2105.01234")
    assert result.dropped == ("authors",)


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "Attention is all you need"},
        {"title": "Ribbon tables: indexing beyond the tree"},
        {"title": "ex"},
        {"title": "tables leaf"},
        {"venue": "Journal of Warehousing"},
        {"year": 2012},
        {"year": 2105},
        {"doi": "10.1234/ribbon.2012"},
        {"doi": "not a doi"},
        {"arxiv_id": "2105.01235"},
        {"arxiv_id": "none"},
        {"authors": ["Mallory, C."]},
    ],
)
def test_ground_drops_fields_that_do_not_occur(fields: dict[str, Any]) -> None:
    result = grounded(**fields)
    assert result.dropped == tuple(fields)
    assert not any(
        (result.title, result.venue, result.year, result.doi, result.arxiv_id, result.authors)
    )


@given(st.text(max_size=60), st.text(max_size=80))
def test_ground_returns_only_words_of_the_text(title: str, raw: str) -> None:
    from citeproof.text.normalize import normalize_title

    kept = ground(Fields(title=title), raw).title
    if kept:
        packed = normalize_title(kept).replace(" ", "")
        assert (
            packed in normalize_title(raw).replace(" ", "")
            or "-" in raw
            or "\u2010" in raw
            or "\u00ad" in raw
        )
