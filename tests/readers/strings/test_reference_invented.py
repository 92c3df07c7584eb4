"""Invented reference strings, and the fields that they state.

``tests/data/lists/strings.jsonl`` has a string in each line, in one of seventeen styles or with the
title first. The strings were made from fields, and those were kept of which each shows a condition
that the others do not. Strings of theses, reports and web pages state no venue there.
``doubtful.jsonl`` has strings whose best reading is not what they were made from.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from citeproof.readers.strings.reference import likely_readings, reference_of_string

DATA = Path(__file__).parents[2] / "data" / "lists" / "strings.jsonl"
CASES = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]


def fields(text: str) -> dict[str, Any]:
    """Return what is read of ``text``, without empty fields."""
    found = reference_of_string(text)
    read = {
        "title": found.title,
        "authors": list(found.authors),
        "and_others": found.and_others,
        "year": found.year,
        "venue": found.venue,
        "doi": found.doi,
        "arxiv_id": found.arxiv_id,
        "url": found.url,
        "doubtful": bool(found.doubts),
    }
    return {name: value for name, value in read.items() if value}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40])
def test_reference_of_string_reads_what_an_invented_string_states(case: dict[str, Any]) -> None:
    found = fields(case["text"])
    if "venue" not in case["read"]:
        found.pop("venue", None)
    assert found == case["read"]


def test_reference_of_string_is_shown_strings_of_every_style() -> None:
    assert len(CASES) > 150
    assert len({case["style"] for case in CASES}) == 17


DOUBTFUL = [
    json.loads(line) for line in DATA.with_name("doubtful.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", DOUBTFUL, ids=lambda case: case["text"][:40])
def test_likely_readings_have_what_a_string_states_if_the_best_reading_has_not(
    case: dict[str, Any],
) -> None:
    """The reference is then not accused for the best reading alone."""
    best = reference_of_string(case["text"])
    stated = (case["title"], case["authors"], case["year"])
    others = [(one.title, list(one.authors), one.year) for one in likely_readings(best)]
    assert stated != (best.title, list(best.authors), best.year)
    assert stated in others
