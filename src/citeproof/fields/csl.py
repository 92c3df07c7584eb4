"""Items of the Citation Style Language, as JSON and YAML hold them.

Names are those of the CSL-JSON schema 1.0.2 (https://github.com/citation-style-language/schema).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citeproof.fields.authors import arrange_authors
from citeproof.fields.bibtex import reference_of
from citeproof.fields.json_items import text_of

if TYPE_CHECKING:
    from citeproof.models import Reference

_FIELDS = {
    "title": ("title", "title-short"),
    "journal": ("container-title", "event-title", "event", "container-title-short", "collection-title"),
    "doi": ("DOI", "doi"),
    "url": ("URL", "url"),
    "pages": ("page",),
    "volume": ("volume",),
    "number": ("issue", "number"),
    "publisher": ("publisher",),
    "note": ("note",),
}
"""Field of a reference to the variables it is read from, the first that says something."""


def reference_of_item(said: Any) -> Reference | None:
    """Return the item ``said`` as a reference; None where it says nothing."""
    if not isinstance(said, dict):
        return None
    fields = {name: _first(said, variables) for name, variables in _FIELDS.items()}
    if _first(said, ("archive",)).lower() == "arxiv":
        fields["eprint"] = _first(said, ("archive_location", "number"))
        fields["eprinttype"] = "arxiv"
    authors, others = arrange_authors(_names(said.get("author")) or _names(said.get("editor")))
    if not any(fields.values()) and not authors:
        return None
    fields["year"] = _year(said.get("issued"))
    key = _first(said, ("id", "citation-key", "DOI"))
    kind = _text(said.get("type"))
    return reference_of(key, kind, fields, authors=(authors, others))


def _first(said: dict[str, Any], variables: tuple[str, ...]) -> str:
    return next((text for variable in variables if (text := _text(said.get(variable)))), "")


def _text(value: object) -> str:
    """Return a value as text; of a list, which Crossref writes for titles, its first."""
    return text_of(value[0] if isinstance(value, list) and value else value)


def _names(people: object) -> list[str]:
    """Return CSL's name objects as ``Family, Given``; plain texts are names too."""
    if isinstance(people, dict | str):
        people = [people]
    return [_name(person) for person in people] if isinstance(people, list) else []


def _name(person: object) -> str:
    if not isinstance(person, dict):
        return _text(person)
    if literal := _text(person.get("literal")) or _text(person.get("name")):
        return literal
    particles = (_text(person.get(name)) for name in ("dropping-particle", "non-dropping-particle", "family"))
    family = " ".join(part for part in particles if part)
    given = " ".join(part for name in ("given", "suffix") if (part := _text(person.get(name))))
    return f"{family}, {given}" if family and given else family or given


def _year(issued: object) -> str:
    """Return the year of a CSL date: ``date-parts``, ``raw`` or ``literal``, or EDTF as plain text.

    pandoc's older YAML has a list of dates, each with its ``year``; the first counts.
    """
    if isinstance(issued, list):
        issued = issued[0] if issued else ""
    if isinstance(issued, dict):
        parts = issued.get("date-parts")
        while isinstance(parts, list) and parts:
            parts = parts[0]
        return _text(parts) or _first(issued, ("raw", "literal", "year"))
    return _text(issued)
