"""Recognise references that are the same once normalised; they share one verdict.

Fields are normalised only where no rule sees the difference, so each entry gets the verdict that it would get alone.
Titles are compared in their normal form, with and without subtitle; white space, key and place do not count.
"""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, dataclass, fields
from hashlib import blake2b
from typing import Any

from citeproof.database.title_index.exact import main_title
from citeproof.model.reference import Reference
from citeproof.text.normalize import normalize_title

_LABEL = re.compile(r"^\s*(?:\[\w{1,12}\]|\d{1,4}[.)])\s*")
"""Regex of the number before the text of an entry: ``[12]``, ``12.``"""
_DEFAULTS = {
    field.name: field.default
    for field in fields(Reference)
    if field.default is not MISSING and field.name not in {"place", "raw", "string"}
}


@dataclass(frozen=True, slots=True)
class Described:
    """A reference without its key and place."""

    signature: bytes
    """Hash of 16 bytes, equal for references that share a verdict."""
    fields: str
    """The fields that are not empty, in JSON."""


def describe(reference: Reference) -> Described:
    """Return the signature of ``reference`` and the fields that a check needs."""
    values = _values(reference)
    text = json.dumps(values)
    values["title"] = [normalize_title(reference.title), main_title(reference.title)]
    values.pop("string", None)
    told = json.dumps(values, sort_keys=True).encode()
    return Described(blake2b(told, digest_size=16).digest(), text)


def from_json(text: str) -> Reference:
    """Return the reference whose fields :func:`describe` wrote."""
    values = json.loads(text)
    known: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    return Reference("", **known)


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
