"""Which references are one: those whose fields are the same once they are normalised. They share one verdict.

A field is normalised only as far as no rule can see the difference, so that every place gets the verdict that it would
get by itself. Titles are equal in their normal form, with and without subtitle; spaces never count; what tells one
entry of a bibliography from another (key, place) is left out.
"""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, dataclass, fields
from hashlib import blake2b
from typing import Any

from citeproof.bibdb.title_index.keys import main_title
from citeproof.models import Reference
from citeproof.text.normalize import normalize_title

_LABEL = re.compile(r"^\s*(?:\[\w{1,12}\]|\d{1,4}[.)])\s*")
"""The number of an entry in its list, before the text of the entry: ``[12]``, ``12.``"""
_DEFAULTS = {
    field.name: field.default
    for field in fields(Reference)
    if field.default is not MISSING and field.name not in {"place", "raw", "string"}
}


@dataclass(frozen=True, slots=True)
class Described:
    """A reference without what belongs to one place alone."""

    signature: bytes
    """16 bytes that are the same for references that are one, and differ for all others."""
    fields: str
    """In JSON, without those that say nothing."""


def describe(reference: Reference) -> Described:
    """Return what tells ``reference`` from others, and what is needed to check it."""
    values = _values(reference)
    text = json.dumps(values)
    values["title"] = [normalize_title(reference.title), main_title(reference.title)]
    values.pop("string", None)
    told = json.dumps(values, sort_keys=True).encode()
    return Described(blake2b(told, digest_size=16).digest(), text)


def from_json(text: str) -> Reference:
    """Return the reference whose fields :func:`describe` wrote."""
    return _reference(json.loads(text))


def _values(reference: Reference) -> dict[str, Any]:
    values = {
        name: _plain_spaces(value)
        for name, default in _DEFAULTS.items()
        if (value := getattr(reference, name)) != default
    }
    if reference.from_text:
        values["raw"] = _plain_spaces(_LABEL.sub("", reference.raw))
    if reference.string:
        values["string"] = reference.string
    return {name: value for name, value in values.items() if value}


def _plain_spaces(value: Any) -> Any:
    if isinstance(value, str):
        return " ".join(value.split())
    return [" ".join(each.split()) for each in value] if isinstance(value, tuple) else value


def _reference(values: dict[str, Any]) -> Reference:
    known: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    return Reference("", **known)
