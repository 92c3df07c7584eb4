"""Validation of records from sources."""

from dataclasses import replace
from typing import Any

import pytest

from citeproof.model.record import Record
from citeproof.text.queries import well_formed

RECORD = Record("k", "A title", ("Ada Winter",), 2011, "V", doi="10.1/x")


def test_well_formed_returns_a_good_record_unchanged() -> None:
    assert well_formed([RECORD, replace(RECORD, year=None, authors=())]) == [
        RECORD,
        replace(RECORD, year=None, authors=()),
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"title": None},
        {"title": ["A title"]},
        {"doi": 10},
        {"retraction": True},
        {"venue": {}},
        {"authors": ("Ada", None)},
        {"authors": None},
        {"authors": 3},
        {"year": "2011"},
        {"year": True},
        {"year": 2011.0},
        {"year": [2011]},
        {"year": 10**30},
        {"year": -1},
        {"title": "x" * 100_000},
        {"authors": ("Ada Winter",) * 100_000},
    ],
)
def test_well_formed_refuses_values_of_other_types(changes: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        well_formed([RECORD, replace(RECORD, **changes)])


@pytest.mark.parametrize(
    ("inside", "shown"),
    [("\x1b[2J", " [2J"), ("\x00", " "), ("\x9b31m", " 31m"), ("\ud800", " "), ("\r\n", " ")],
)
def test_well_formed_replaces_unprintable_characters(inside: str, shown: str) -> None:
    (record,) = well_formed(
        [replace(RECORD, title=f"A{inside}title", authors=(f"Ada{inside}Winter",))]
    )
    assert (record.title, record.authors) == (f"A{shown}title", (f"Ada{shown}Winter",))


def test_well_formed_limits_the_number_of_authors() -> None:
    crowd = replace(RECORD, authors=("Ada Winter",) * 15_000)
    assert len(well_formed([crowd] * 10)) == 4
    assert len(well_formed([RECORD] * 100)) == 100
