"""Signatures of references, and references as JSON."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeproof.model.reference import Place, Reference
from citeproof.screen.bibliographies import describe, from_json

CITED = Reference(
    "vaswani",
    "Attention Is All You Need",
    ("Vaswani, Ashish", "Shazeer, Noam"),
    True,
    2017,
    "NeurIPS",
    "article",
    doi="10.1000/1",
    raw="@article{vaswani, ...}",
    place=Place("refs.bib", 12),
)


def signature(reference: Reference) -> bytes:
    return describe(reference)[0]


@pytest.mark.parametrize(
    "same",
    [
        replace(CITED, key="other"),
        replace(CITED, place=Place("other.bib", 3)),
        replace(CITED, raw="@article{other, ...}"),
        replace(CITED, title="Attention is all  you need."),
        replace(CITED, venue=" NeurIPS "),
    ],
)
def test_describe_ignores_differences_that_no_rule_sees(same: Reference) -> None:
    assert signature(same) == signature(CITED)


@pytest.mark.parametrize(
    "other",
    [
        replace(CITED, title="Attention: Is All You Need"),
        replace(CITED, title="Attention Is All We Need"),
        replace(CITED, authors=("Vaswani, Ashish",)),
        replace(CITED, and_others=False),
        replace(CITED, year=2018),
        replace(CITED, venue="ICML"),
        replace(CITED, doi=""),
        replace(CITED, from_text=True),
    ],
)
def test_describe_distinguishes_what_a_rule_sees(other: Reference) -> None:
    assert signature(other) != signature(CITED)


def test_describe_ignores_the_number_of_an_entry_of_running_text() -> None:
    one, other = (
        replace(CITED, from_text=True, raw=f"[{number}] A. Vaswani.") for number in (3, 41)
    )
    assert signature(one) == signature(other)
    assert signature(one) != signature(replace(one, raw="[3] B. Vaswani."))


_TEXT = st.text(max_size=20)


@settings(max_examples=50, deadline=None)
@given(
    st.builds(
        Reference,
        _TEXT,
        _TEXT,
        st.lists(_TEXT).map(tuple),
        st.booleans(),
        st.none() | st.integers(),
        _TEXT,
    )
)
def test_from_json_returns_a_reference_with_the_same_signature(reference: Reference) -> None:
    cited = replace(reference, string="[1] A. Vaswani.\nAttention", doubts=("cut",))
    back = from_json(describe(cited)[1])
    assert describe(back) == describe(cited)
    assert back.string == cited.string
    assert back.authors == tuple(" ".join(name.split()) for name in reference.authors)
