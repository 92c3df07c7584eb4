"""Works as OpenAlex describes them (https://developers.openalex.org)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citeproof.fields.publication_types import publication_type
from citeproof.models import Record
from citeproof.text.identifiers import find_arxiv_id, find_doi

if TYPE_CHECKING:
    from collections.abc import Mapping


def work_record(work: Mapping[str, Any]) -> Record:
    """Return the record in a work of OpenAlex's interface or snapshot; raise :class:`KeyError` for another object."""
    source = (work.get("primary_location") or {}).get("source") or {}
    biblio = work.get("biblio") or {}
    pages = [str(page) for page in (biblio.get("first_page"), biblio.get("last_page")) if page]
    addresses = [str(place.get("landing_page_url") or "") for place in work.get("locations") or ()]
    kind = str(work.get("type") or "")
    return Record(
        key=work["id"].rsplit("/", 1)[-1],
        title=str(work.get("title") or ""),
        authors=tuple(entry["author"]["display_name"] for entry in work.get("authorships") or ()),
        year=work.get("publication_year"),
        venue=str(source.get("display_name") or ""),
        pub_type=publication_type(kind),
        doi=find_doi(str(work.get("doi") or "")),
        arxiv_id=next(filter(None, map(find_arxiv_id, addresses)), ""),
        pages="-".join(pages),
        volume=str(biblio.get("volume") or ""),
        number=str(biblio.get("issue") or ""),
        url=work["id"],
        retraction=work["id"] if work.get("is_retracted") else "",
    )
