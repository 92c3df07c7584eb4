"""A reference that Python code hands in: what is plain is accepted, the rest refused with one clear
error.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from citeproof.model.errors import InputError
from citeproof.model.reference import Reference
from citeproof.readers.document import Document
from citeproof.readers.fields.from_python import accept
from citeproof.readers.formats.bibtex import read

EXAMPLES = Path(__file__).parents[3] / "examples" / "references.bib"


def given(**fields: Any) -> Reference:
    return accept(Reference("key", **fields))


@pytest.mark.parametrize(
    ("authors", "read"),
    [
        ("Ada Lovelace and Alan Turing", (("Ada Lovelace", "Alan Turing"), False)),
        ("Lovelace, Ada and others", (("Lovelace, Ada",), True)),
        (["Ada Lovelace", "Alan Turing"], (("Ada Lovelace", "Alan Turing"), False)),
        (("Ada Lovelace",), (("Ada Lovelace",), False)),
        ((name for name in ["Ada Lovelace"]), (("Ada Lovelace",), False)),
        ("", ((), False)),
        (None, ((), False)),
    ],
)
def test_authors_may_be_one_text_or_any_list(
    authors: Any, read: tuple[tuple[str, ...], bool]
) -> None:
    reference = given(authors=authors)
    assert (reference.authors, reference.and_others) == read


@pytest.mark.parametrize(
    ("year", "number"),
    [("2017", 2017), (" 2017 ", 2017), (2017, 2017), (2017.0, 2017), ("", None), (None, None)],
)
def test_accept_a_year_may_be_a_text(year: Any, number: int | None) -> None:
    assert given(year=year).year == number


@pytest.mark.parametrize(
    ("written", "doi"),
    [
        ("https://doi.org/10.1145/945445.945450", "10.1145/945445.945450"),
        ("doi:10.1/X", "doi:10.1/X"),
        (None, ""),
    ],
)
def test_accept_a_doi_may_be_an_address(written: Any, doi: str) -> None:
    assert given(doi=written).doi == doi


def test_accept_an_arxiv_id_may_be_an_address_with_a_version() -> None:
    assert given(arxiv_id="https://arxiv.org/abs/1706.03762v5").arxiv_id == "1706.03762"


def test_accept_an_absent_text_may_be_none_and_a_number_of_pages_a_number() -> None:
    reference = given(title=None, venue=None, volume=12)
    assert (reference.title, reference.venue, reference.volume) == ("", "", "12")


def test_accept_what_a_format_read_stays_as_it_is() -> None:
    references = read(Document.of_text(EXAMPLES.read_text("utf-8"), "references.bib")).references
    assert len(references) > 20
    assert [accept(reference) for reference in references] == list(references)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"authors": 7},
            (
                "reference 'key': authors is a list of names, or one text of names with 'and'"
                " between them"
            ),
        ),
        ({"authors": [7]}, "reference 'key': authors is a list of names"),
        ({"authors": {"family": "Lee"}}, "reference 'key': authors is a list of names"),
        ({"authors": b"Lee"}, "reference 'key': authors is a list of names"),
        (
            {"year": "MMXVII"},
            "reference 'key': year is a number such as 2017, or None, not str 'MMXVII'",
        ),
        ({"year": "20170"}, "reference 'key': year is a number"),
        ({"year": True}, "reference 'key': year is a number"),
        ({"year": float("inf")}, "reference 'key': year is a number"),
        ({"title": ["A", "B"]}, "reference 'key': title is a text, not list"),
        ({"venue": 1.5}, "reference 'key': venue is a text, not float '1.5'"),
    ],
)
def test_accept_what_cannot_be_understood_is_refused_by_the_name_of_its_field(
    fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as refused:
        given(**fields)
    assert str(refused.value).startswith(message)


def test_accept_only_a_reference_is_a_reference() -> None:
    with pytest.raises(InputError, match=r"^a citeproof\.Reference is needed, not dict"):
        accept({"title": "x"})
    assert accept(replace(Reference("x"))) == Reference("x")


@pytest.mark.parametrize(
    ("year", "said"),
    [
        (10_000, "int '10000'"),
        (20171, "int '20171'"),
        ("20171", "str '20171'"),
        ("in press", "str 'in press'"),
        (2017.5, "float '2017.5'"),
        (True, "bool 'True'"),
        (10**40 - 1, f"int '{'9' * 40}'"),
        (10**40, "an int of more than 40 digits"),
        pytest.param(10**5000, "an int of more than 40 digits", id="huge"),
        ("x" * 50, f"str '{'x' * 40}'"),
    ],
)
def test_accept_says_which_year_it_does_not_take(year: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        given(year=year)
    assert str(caught.value) == (
        f"reference 'key': year is a number such as 2017, or None, not {said}"
    )


@pytest.mark.parametrize(("year", "number"), [(9_999, 9_999), ("9999", 9_999), (-9_999, -9_999)])
def test_accept_takes_years_of_four_digits(year: Any, number: int) -> None:
    assert given(year=year).year == number
