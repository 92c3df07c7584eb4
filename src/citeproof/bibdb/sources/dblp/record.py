"""One element of DBLP's dump as a row. This runs for each of millions of records, so every line of it has a price."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.bibdb.schema import AUTHOR_SEPARATOR
from citeproof.text.identifiers import find_arxiv_id, find_doi

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from citeproof.bibdb.schema import Row

SOURCE = "dblp"

_YEAR_DIGITS = 5
"""More are not read: so many are wrong already, and the build leaves the record out."""
_HOMONYM = re.compile(r" \d{4}(?=;|$)")
"""The number that tells people of one name apart: ``Wei Wang 0001``."""
_PLAIN_DOI = re.compile(r"https?://(?:dx\.)?doi\.org/(10\.\d{4,9}/[A-Za-z0-9._-]*[A-Za-z0-9])", re.IGNORECASE)
"""The usual form, read without the care that :func:`find_doi` takes over the others."""


def row(element: Element) -> Row:
    """Return a publication as a row. Editors stand in for authors where there are none."""
    names: list[str] = []
    fields: dict[str, str | None] = {}
    more: list[tuple[str, str]] = []
    title = ""
    for child in element:
        tag = child.tag
        text = child.text
        if tag == "author":
            if text:
                names.append(text)
        elif tag == "title":
            title = "".join(child.itertext()) if len(child) else text or ""
        elif tag not in fields:
            fields[tag] = text
        elif text:
            more.append((tag, text))
    get = fields.get
    doi, arxiv_id = identifiers(get("ee"), [text for tag, text in more if tag == "ee"] if more else ())
    venue = get("journal") or get("booktitle") or get("school") or get("publisher")
    volume = get("volume")
    if venue == "CoRR" and volume:
        arxiv_id = find_arxiv_id(volume) or arxiv_id
    if not names and "editor" in fields:
        names = [name for name in (get("editor"), *(text for tag, text in more if tag == "editor")) if name]
    authors = AUTHOR_SEPARATOR.join(names)
    if " 0" in authors or " 1" in authors:
        authors = _HOMONYM.sub("", authors)
    digits = get("year")
    year = int(digits[:_YEAR_DIGITS]) if digits and digits.isdecimal() else None
    return (
        element.get("key", ""), SOURCE, clean_title(title), year, venue,
        element.tag, authors or None, doi, arxiv_id, get("pages"), volume, get("number"), get("ee"), get("crossref"),
        element.get("publtype"),
    )  # fmt: skip


def clean_title(text: str) -> str:
    """Return a title without the full stop that DBLP puts after it, on one line."""
    if "\n" in text or "  " in text:
        text = " ".join(text.split())
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def identifiers(link: str | None, more: list[str] | tuple[()]) -> tuple[str | None, str | None]:
    """Return the first DOI and the first arXiv identifier in the electronic editions (``ee``) of a work."""
    if not link:
        return None, None
    if not more and (found := _PLAIN_DOI.fullmatch(link)):
        doi = found[1].lower()
        return doi, (find_arxiv_id(link) or None) if doi.startswith("10.48550/") else None
    links = (link, *more)
    doi = next(filter(None, map(find_doi, links)), None)
    arxiv_id = next(filter(None, (find_arxiv_id(link) for link in links if "arxiv" in link.lower())), None)
    return doi, arxiv_id
