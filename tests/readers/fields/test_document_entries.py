"""Entries that repeat another, and limits on entries and fields."""

import pytest

from citeproof.model.reference import Place, Reference
from citeproof.readers.fields.document_entries import Repeats, first_of

FIRST = Reference("a", "On sheep", ("Ann Lee",), year=2001, place=Place("refs.bib", 1))


def notes(*references: Reference) -> list[tuple[str, str]]:
    """Return code and message of each note on ``references``, which follow each other."""
    repeats = Repeats()
    return [(note.code, note.message) for one in references for note in repeats.of(one)]


def after_first(**fields: object) -> list[str]:
    """Return the codes of the notes on an entry with ``fields`` after the entry ``a``."""
    values: dict[str, object] = {
        "title": "On Sheep.",
        "authors": ("Ann Lee",),
        "year": 2001,
        **fields,
    }
    again = Reference("b", place=Place("refs.bib", 9), **values)  # type: ignore[arg-type]
    return [code.partition(".")[2] for code, _ in notes(FIRST, again)]


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({}, ["repeated_work"]),
        ({"authors": ("Bo Ray",)}, []),
        ({"authors": ()}, []),
        ({"year": 2002}, []),
        ({"title": "On goats"}, []),
        ({"title": ""}, []),
    ],
)
def test_of_finds_a_work_by_title_authors_and_year(
    fields: dict[str, object], codes: list[str]
) -> None:
    assert after_first(**fields) == codes


def test_of_finds_a_work_by_its_doi_once() -> None:
    one = Reference("a", "One", ("A",), doi="10.1/a", place=Place("refs.bib", 1))
    two = Reference("b", "Two", ("B",), doi="10.1/a", place=Place("refs.bib", 5))
    ((code, message),) = notes(one, two)
    assert code.endswith("repeated_work")
    assert message == "'b' seems to be the same work as 'a' in line 1"
    ((_, message),) = notes(one, Reference("", "One", ("A",), doi="10.1/a"))
    assert message == "this seems to be the same work as 'a' in line 1"


def test_of_takes_titles_without_authors_for_different_works() -> None:
    editorials = [Reference(key, "Editorial", year=2001) for key in "ab"]
    assert notes(*editorials) == []


def test_of_finds_repeated_keys_also_in_another_case() -> None:
    places = [Place("refs.bib", line) for line in (1, 5, 9)]
    keys = ("lee01", "lee01", "Lee01")
    entries = [
        Reference(key, f"Title {place.line}", place=place)
        for key, place in zip(keys, places, strict=True)
    ]
    assert [message for _, message in notes(*entries)] == [
        "the key 'lee01' is also that of the entry in line 1",
        "the key 'Lee01' is equal to that of 'lee01' in line 1, ignoring upper and lower case",
    ]
    assert notes(Reference("", "One"), Reference("", "Two")) == []


def test_first_of_skips_empty_texts() -> None:
    assert first_of({"a": "", "b": "B", "c": "C"}, ("a", "x", "b", "c")) == "B"
    assert first_of({"a": ""}, ("a",)) == ""
