"""Which references are one: those whose fields are the same once they are normalised. They share one verdict.

A field is normalised only as far as no rule can see the difference, so that every place gets the verdict that it would
get by itself. Titles are equal in their normal form, with and without subtitle; spaces never count; what tells one
entry of a bibliography from another (key, place) is left out.
"""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, fields, replace
from hashlib import blake2b
from typing import Any

from citeproof.bibdb.title_index.keys import main_title
from citeproof.models import NOWHERE, Reference
from citeproof.text.normalize import normalize_title

_LABEL = re.compile(r"^\s*(?:\[\w{1,12}\]|\d{1,4}[.)])\s*")
"""The number of an entry in its list, before the text of the entry: ``[12]``, ``12.``"""
_DEFAULTS = {
    field.name: field.default for field in fields(Reference) if field.default is not MISSING and field.name != "place"
}


def plain(reference: Reference) -> Reference:
    """Return ``reference`` without what belongs to one place alone."""
    raw = _LABEL.sub("", reference.raw) if reference.from_text else ""
    readings = tuple(map(plain, reference.readings))
    return replace(reference, key="", place=NOWHERE, raw=raw, readings=readings)


def signature(reference: Reference) -> bytes:
    """Return 16 bytes that are the same for references that are one, and differ for all others."""
    values = _values(plain(reference)) | {"title": [normalize_title(reference.title), main_title(reference.title)]}
    return blake2b(json.dumps(values, sort_keys=True).encode(), digest_size=16).digest()


def to_json(reference: Reference) -> str:
    """Return the fields of ``reference`` that say something, without key and place."""
    return json.dumps(_values(plain(reference)))


def from_json(text: str) -> Reference:
    """Return the reference that :func:`to_json` wrote."""
    return _reference(json.loads(text))


def _values(reference: Reference) -> dict[str, Any]:
    values = {name: _plain_spaces(getattr(reference, name)) for name in _DEFAULTS}
    values["readings"] = tuple(_values(reading) for reading in reference.readings)
    return {name: value for name, value in values.items() if value != _DEFAULTS[name]}


def _plain_spaces(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_plain_spaces, value))
    return " ".join(value.split()) if isinstance(value, str) else value


def _reference(values: dict[str, Any]) -> Reference:
    known: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    readings = tuple(map(_reference, known.pop("readings", ())))
    return Reference("", readings=readings, **known)
