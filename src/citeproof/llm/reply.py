"""What a model may answer: the fields of one reference, and nothing else."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from citeproof.net.failure import Kind, SourceError

_MOST_AUTHORS = 200
_LONGEST = 1000


class Fields(BaseModel):
    """The fields that are read out of a raw reference; an absent one is empty."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(default="", max_length=_LONGEST)
    authors: list[str] = Field(default_factory=list, max_length=_MOST_AUTHORS)
    year: int | None = Field(default=None, ge=1000, le=2999)
    venue: str = Field(default="", max_length=_LONGEST)
    doi: str = Field(default="", max_length=_LONGEST)
    arxiv_id: str = Field(default="", max_length=_LONGEST)


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "authors": {"type": "array", "items": {"type": "string"}},
        "year": {"type": ["integer", "null"]},
        "venue": {"type": "string"},
        "doi": {"type": "string"},
        "arxiv_id": {"type": "string"},
    },
    "required": ["title", "authors", "year", "venue", "doi", "arxiv_id"],
    "additionalProperties": False,
}
"""The same as a JSON schema, in the subset that services with strict schemas accept."""


def read_reply(content: dict[str, Any]) -> Fields:
    """Return the fields in a chat completion; raises :class:`SourceError` where there are none."""
    try:
        text = content["choices"][0]["message"]["content"]
        return Fields.model_validate(json.loads(text))
    except (KeyError, IndexError, TypeError, ValueError, ValidationError) as error:
        raise SourceError(Kind.BAD_ANSWER, "not the fields of a reference") from error
