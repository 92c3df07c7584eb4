"""Works as Crossref describes them; doi.org's citeproc JSON is nearly the same, for other registrars too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citeproof.fields.publication_types import publication_type
from citeproof.models import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_UPDATES = {
    "retraction": "retraction",
    "partial_retraction": "retraction",
    "removal": "retraction",
    "withdrawal": "retraction",
    "expression_of_concern": "concern",
}
"""Crossref's types of updates that a reader must know of, and the field they fill; corrections are none."""

_DATES = ("issued", "published", "published-print", "published-online", "published-other", "posted")


def work_record(work: Mapping[str, Any]) -> Record:
    """Return the record in a Crossref work or a citeproc item; without a DOI it is neither."""
    return Record(**work_fields(work))


def work_fields(work: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of that record. A build takes millions of them as they are."""
    doi = _text(work["DOI"]).lower()
    title, subtitle = _text(work.get("title")), _text(work.get("subtitle"))
    if subtitle and subtitle.lower() not in title.lower():
        title = f"{title}: {subtitle}"
    kind = _text(work.get("type"))
    return {
        "key": doi,
        "title": title,
        "authors": tuple(filter(None, map(person_name, work.get("author") or work.get("editor") or ()))),
        "year": _year(work),
        "venue": _text(work.get("container-title")),
        "pub_type": publication_type(kind),
        "doi": doi,
        "pages": _text(work.get("page")),
        "volume": _text(work.get("volume")),
        "number": _text(work.get("issue")),
        "url": _text(work.get("URL")),
        **notices(work.get("updated-by")),
    }


def is_notice(work: Mapping[str, Any]) -> bool:
    """Whether the work is itself a retraction or the like of another, whose title it often repeats."""
    return any(update.get("type") in _UPDATES for update in work.get("update-to") or ())


def notices_for_others(work: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what this work, being a notice, says about others: by their DOI, the fields that it fills."""
    link = _link(work)
    return {
        _text(update.get("DOI")).lower(): {_UPDATES[update["type"]]: link}
        for update in work.get("update-to") or ()
        if update.get("type") in _UPDATES
    }


def notices(updates: Iterable[Mapping[str, Any]] | None) -> dict[str, str]:
    """Return the fields of a record that its ``updated-by`` fills."""
    return {_UPDATES[update["type"]]: _link(update) for update in updates or () if update.get("type") in _UPDATES}


def person_name(person: Mapping[str, Any]) -> str:
    """Return ``Given Family``, or the name of a group."""
    whole = f"{_text(person.get('given'))} {_text(person.get('family'))}".strip()
    return whole or _text(person.get("name")) or _text(person.get("literal"))


def _link(work: Mapping[str, Any]) -> str:
    return f"https://doi.org/{_text(work.get('DOI')).lower()}"


def _year(work: Mapping[str, Any]) -> int | None:
    for name in _DATES:
        parts = (work.get(name) or {}).get("date-parts") or [[]]
        if parts[0] and parts[0][0]:
            return int(parts[0][0])
    return None


def _text(value: object) -> str:
    """Return a field that may be missing, a text, a number or a list of texts."""
    if isinstance(value, list):
        value = value[0] if value else ""
    return " ".join(str(value if value is not None else "").split())
