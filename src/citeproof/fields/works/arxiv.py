"""Works as arXiv describes them: in the Atom of its interface, and in the JSON lines of its metadata snapshot.

The interface is https://info.arxiv.org/help/api, the snapshot https://www.kaggle.com/datasets/Cornell-University/arxiv.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from citeproof.models import Record
from citeproof.text.identifiers import find_doi

if TYPE_CHECKING:
    from collections.abc import Mapping
    from xml.etree.ElementTree import Element

ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_ENTRY = re.compile(r"https?://arxiv\.org/abs/(.+?)(v\d+)?$")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def atom_record(entry: Element) -> Record:
    """Return the record in an entry of a feed; raise :class:`ValueError` for one that describes no work."""
    found = _ENTRY.fullmatch(_text(entry, f"{ATOM}id"))
    if not found:
        raise ValueError("an entry without an arXiv id")
    arxiv_id, version = found[1], found[2] or ""
    return Record(
        key=arxiv_id + version,
        title=_text(entry, f"{ATOM}title"),
        authors=tuple(_text(author, f"{ATOM}name") for author in entry.iter(f"{ATOM}author")),
        year=int(_text(entry, f"{ATOM}published")[:4]),
        venue="CoRR",
        pub_type="article",
        doi=_text(entry, f"{_ARXIV}doi").lower(),
        arxiv_id=arxiv_id,
        url=f"https://arxiv.org/abs/{arxiv_id}",
    )


def snapshot_record(work: Mapping[str, Any]) -> Record:
    """Return the record in a line of the snapshot; raise :class:`KeyError` for another object.

    Its year is that of the first version. Names stand as family, given name, suffix.
    """
    arxiv_id = str(work["id"])
    versions = work.get("versions") or [{}]
    dated = _YEAR.search(str(versions[0].get("created") or work.get("update_date") or ""))
    names = work.get("authors_parsed") or ()
    return Record(
        key=arxiv_id,
        title=" ".join(str(work["title"]).split()),
        authors=tuple(" ".join(filter(None, (*name[1:2], *name[:1], *name[2:3]))) for name in names),
        year=int(dated[0]) if dated else None,
        venue="CoRR",
        pub_type="article",
        doi=find_doi(str(work.get("doi") or "")),
        arxiv_id=arxiv_id,
        url=f"https://arxiv.org/abs/{arxiv_id}",
        publtype="informal",
    )


def _text(element: Element, tag: str) -> str:
    return " ".join((element.findtext(tag) or "").split())
