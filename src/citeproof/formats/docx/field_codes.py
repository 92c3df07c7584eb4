"""The references that Zotero, Mendeley and EndNote store in a Word document, behind what it prints.

Zotero: ``ADDIN ZOTERO_ITEM CSL_CITATION {...}``. Mendeley Desktop: ``ADDIN CSL_CITATION {...}``. Mendeley Cite: a tag
``MENDELEY_CITATION_v3_`` and JSON in Base64. All three hold CSL-JSON as ``itemData``. EndNote: ``ADDIN EN.CITE
<EndNote>...``, or the same XML in Base64 as the field's data.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from binascii import Error as NoBase64
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citeproof.formats.docx.parts import FieldCode

_CSL = "CSL_CITATION"
_MENDELEY = "MENDELEY_CITATION_v3_"
_ENDNOTE = re.compile(r"\s*ADDIN EN\.CITE(?:\.DATA)?\b")
_RECORD, _RECORD_END = "<record>", "</record>"


@dataclass(slots=True)
class Stored:
    """What a document stores, each work once, with the paragraph that cites it first."""

    items: dict[str, tuple[Any, int]] = field(default_factory=dict)
    """CSL items."""
    records: dict[str, int] = field(default_factory=dict)
    """EndNote's records, as XML."""
    broken: list[tuple[str, int]] = field(default_factory=list)
    """Codes of a program that is known, which cannot be read."""


def stored(codes: Iterable[FieldCode]) -> Stored:
    """Return the works that ``codes`` hold."""
    found = Stored()
    for code in codes:
        if _CSL in code.text or code.text.startswith(_MENDELEY):
            items = _items(code.text)
            if items is None:
                found.broken.append((code.text, code.paragraph))
            for identity, item in items or ():
                found.items.setdefault(identity, (item, code.paragraph))
        elif _ENDNOTE.match(code.text):
            for record in _records(code.text if _RECORD in code.text else _decoded(code.data)):
                found.records.setdefault(record, code.paragraph)
    return found


def _items(code: str) -> list[tuple[str, Any]] | None:
    """Return the items of one citation, each with what tells it from others; None where the code is no JSON."""
    text = _decoded(code.removeprefix(_MENDELEY)) if code.startswith(_MENDELEY) else code[max(code.find("{"), 0) :]
    try:
        said, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    cited = said.get("citationItems") if isinstance(said, dict) else None
    if not isinstance(cited, list):
        return None
    return [(_identity(one), one["itemData"]) for one in cited if isinstance(one, dict) and "itemData" in one]


def _identity(cited: dict[str, Any]) -> str:
    """Return the address of an item, which is the same wherever it is cited, else all that is stored of it."""
    for name in ("uris", "uri"):
        addresses = cited.get(name)
        if isinstance(addresses, list) and addresses and isinstance(addresses[0], str):
            return addresses[0]
    return json.dumps(cited["itemData"], sort_keys=True)


def _decoded(data: str) -> str:
    try:
        return b64decode("".join(data.split())).decode("utf-8", "replace")
    except (NoBase64, ValueError):
        return ""


def _records(xml: str) -> Iterator[str]:
    """Yield each ``<record>`` of ``xml``."""
    begin = xml.find(_RECORD)
    while begin >= 0:
        end = xml.find(_RECORD_END, begin)
        if end < 0:
            return
        yield xml[begin : end + len(_RECORD_END)]
        begin = xml.find(_RECORD, end)
