"""What a client may send; the same limits stand in the OpenAPI document."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, StrictInt, StringConstraints
from pydantic_core import PydanticCustomError

from citeproof.text.normalize import LONGEST_TITLE

MAX_TITLE_CHARACTERS = LONGEST_TITLE
MAX_CANDIDATES = 500_000
DEFAULT_CANDIDATES = 100_000
MAX_BATCH_TITLES = 200


VISIBLE = r"[^\s\x1c-\x1f\x85\ufeff]"
"""A character that is no white space, neither in Python's regular expressions nor in JavaScript's, nor in Rust's.

Each of them has its own idea of ``\\s``, and the schema is read by programs in all three.
"""


def collapse(title: str) -> str:
    """Return ``title`` trimmed, with single spaces."""
    return " ".join(title.split())


def _collapsed(value: Any) -> Any:
    """A title is trimmed before it is measured; what is no text is left to the check of types."""
    return collapse(value) if isinstance(value, str) else value


def _not_blank(title: str) -> str:
    if not re.search(VISIBLE, title):
        raise PydanticCustomError("string_too_short", "must not be empty")
    return title


def _integer(value: Any) -> Any:
    """JSON has one kind of number: 5.0 is an integer, as JSON Schema says."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Text = Annotated[str, StringConstraints(strict=True, max_length=MAX_TITLE_CHARACTERS), BeforeValidator(_collapsed)]
Title = Annotated[Text, AfterValidator(_not_blank), Field(json_schema_extra={"pattern": VISIBLE})]
Candidates = Annotated[
    StrictInt,
    Field(ge=1, le=MAX_CANDIDATES, description="The most titles that are compared with the one that is looked up."),
    BeforeValidator(_integer),
]


class TitleSearch(BaseModel):
    """One title to look up; other fields are ignored."""

    title: Annotated[Title, Field(description="At least one character that is not white space.")]
    max_candidates: Candidates = DEFAULT_CANDIDATES

    model_config = {"json_schema_extra": {"examples": [{"title": "Attention Is All You Need"}]}}


class TitleBatch(BaseModel):
    """Titles to look up one after another; other fields are ignored."""

    titles: Annotated[
        list[Text],
        Field(
            description=f"Blank titles and repeated ones (case aside) are dropped; at most {MAX_BATCH_TITLES} remain.",
            json_schema_extra={"contains": {"type": "string", "pattern": VISIBLE}},
        ),
    ]
    max_candidates: Candidates = DEFAULT_CANDIDATES

    model_config = {
        "json_schema_extra": {
            "examples": [{"titles": ["Attention Is All You Need", "Deep Residual Learning for Image Recognition"]}]
        }
    }


def distinct(titles: list[str]) -> list[tuple[int, str]]:
    """Return the titles that are neither blank nor repeated, case aside, each with its place in ``titles``."""
    first: dict[str, tuple[int, str]] = {}
    for place, title in enumerate(map(collapse, titles)):
        if re.search(VISIBLE, title):
            first.setdefault(title.casefold(), (place, title))
    return list(first.values())
