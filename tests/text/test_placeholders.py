"""Placeholders for names, and similar names of people."""

import pytest

from citeproof.text.placeholders import is_placeholder

PLACEHOLDERS = [
    "Anonymous",
    "Anonymous Authors",
    "John Doe",
    "Doe, Jane",
    "Firstname Lastname",
    "Author One",
    "First Author",
]
PEOPLE = ["John Doerr", "Jane Smith", "Ann Author-Smith", "Donald E. Knuth", "Name Lee", "Ibn Sina"]


@pytest.mark.parametrize("name", PLACEHOLDERS)
def test_is_placeholder_accepts_placeholders(name: str) -> None:
    assert is_placeholder(name)


@pytest.mark.parametrize("name", PEOPLE)
def test_is_placeholder_refuses_people(name: str) -> None:
    assert not is_placeholder(name)
