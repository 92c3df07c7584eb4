"""Works as OpenAlex describes them (https://developers.openalex.org)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citeproof.fields.publication_types import publication_type
from citeproof.models import Record
from citeproof.text.identifiers import find_arxiv_id, find_doi

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def work_record(work: Mapping[str, Any]) -> Record:
    """Return the record in a work of OpenAlex's interface or snapshot; raise :class:`KeyError` for another object."""
    return Record(**work_fields(work))


def work_fields(work: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of that record. A build takes millions of them as they are."""
    get = work.get
    place, biblio = get("primary_location"), get("biblio")
    source = place.get("source") if place else None
    address = work["id"]
    doi, kind = get("doi"), str(get("type") or "")
    first, last = (biblio.get("first_page"), biblio.get("last_page")) if biblio else (None, None)
    return {
        "key": address.rsplit("/", 1)[-1],
        "title": str(get("title") or ""),
        "authors": tuple([entry["author"]["display_name"] for entry in get("authorships") or ()]),
        "year": get("publication_year"),
        "venue": str(source.get("display_name") or "") if source else "",
        "pub_type": publication_type(kind),
        "doi": find_doi(str(doi)) if doi else "",
        "arxiv_id": _arxiv_id(get("locations") or ()),
        "pages": f"{first}-{last}" if first and last else str(first or last or ""),
        "volume": str(biblio.get("volume") or "") if biblio else "",
        "number": str(biblio.get("issue") or "") if biblio else "",
        "url": address,
        "retraction": address if get("is_retracted") else "",
    }


def _arxiv_id(places: Iterable[Mapping[str, Any]]) -> str:
    """Return the first arXiv id in the addresses of ``places``."""
    for place in places:
        address = place.get("landing_page_url")
        if address and (found := find_arxiv_id(str(address))):
            return found
    return ""
