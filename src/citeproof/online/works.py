"""Make records from the JSON or XML in which OpenAlex, Crossref, doi.org and arXiv describe works.

The formats are described at https://developers.openalex.org,
https://www.crossref.org/documentation, https://info.arxiv.org/help/api (Atom) and
https://www.kaggle.com/datasets/Cornell-University/arxiv (the snapshot).
"""

import re
from collections.abc import Iterable
from typing import Any
from xml.etree.ElementTree import Element

from citeproof.model.record import Record
from citeproof.model.stored import JsonObject
from citeproof.text.identifiers import find_arxiv_id, find_doi

_PUBLICATION_TYPES = {
    "article": """
        journal-article article-journal article-magazine article-newspaper review letter editorial
        journal-editorial newspaper-article abstract erratum preprint posted-content
        peer-review serial""",
    "inproceedings": "proceedings-article paper-conference conference",
    "incollection": """
        book-chapter chapter book-section book-part book-track reference-entry inbook bookinbook
        suppbook inreference contribution""",
    "book": """
        monograph edited-book reference-book mvbook collection book-set book-series report-series
        reference mvreference""",
    "proceedings": "proceedings-series mvproceedings",
    "phdthesis": "dissertation thesis",
    "techreport": "report report-component standard working-paper",
    "data": "dataset data-file database software computer-program",
}
"""Map from a publication type of DBLP to the names that Crossref, citeproc, OpenAlex, BibTeX and
ISO 690 use for this type.
"""
_TYPE_OF_WORD = {word: kind for kind, words in _PUBLICATION_TYPES.items() for word in words.split()}


def publication_type(word: str) -> str:
    """Return DBLP's name for a publication type: ``article`` for ``journal-article``. A type that
    is not in the table is returned unchanged.
    """
    return _TYPE_OF_WORD.get(word, word)


def openalex_fields(work: JsonObject) -> dict[str, Any]:
    """Return the fields of a :class:`Record` for the JSON object ``work`` of OpenAlex.

    Raises KeyError if the object does not describe a work.
    """
    get = work.get
    biblio = get("biblio") or {}
    source = (get("primary_location") or {}).get("source") or {}
    first, last = biblio.get("first_page"), biblio.get("last_page")
    address, doi = work["id"], get("doi")
    arxiv_id = ""
    for location in get("locations") or ():
        arxiv_id = arxiv_id or find_arxiv_id(str(location.get("landing_page_url") or ""))
    return {
        "key": address.rsplit("/", 1)[-1],
        "title": str(get("title") or ""),
        "authors": tuple([entry["author"]["display_name"] for entry in get("authorships") or ()]),
        "year": get("publication_year"),
        "venue": str(source.get("display_name") or ""),
        "pub_type": publication_type(str(get("type") or "")),
        "doi": find_doi(str(doi)) if doi else "",
        "arxiv_id": arxiv_id,
        "pages": f"{first}-{last}" if first and last else str(first or last or ""),
        "volume": str(biblio.get("volume") or ""),
        "number": str(biblio.get("issue") or ""),
        "url": address,
        "retraction": address if get("is_retracted") else "",
    }


_RETRACTIONS = ("retraction", "partial_retraction", "removal", "withdrawal")
_UPDATES = {**dict.fromkeys(_RETRACTIONS, "retraction"), "expression_of_concern": "concern"}
"""Map from the type of a notice in Crossref to the field of :class:`Record` that gets the link to
the notice: ``removal`` to ``retraction``.
"""
_VARIABLES = {
    "venue": "container-title",
    "pages": "page",
    "volume": "volume",
    "number": "issue",
    "url": "URL",
}


def crossref_fields(work: JsonObject) -> dict[str, Any]:
    """Return the fields of a :class:`Record` for the JSON object ``work`` of Crossref or doi.org.

    Raises KeyError if the object has no DOI.
    """
    doi = _first_text(work["DOI"]).lower()
    title, subtitle = _first_text(work.get("title")), _first_text(work.get("subtitle"))
    if subtitle and subtitle.lower() not in title.lower():
        title = f"{title}: {subtitle}"
    names = map(_person_name, work.get("author") or work.get("editor") or ())
    return {
        "key": doi,
        "title": title,
        "authors": tuple(filter(None, names)),
        "year": _year(work),
        "pub_type": publication_type(_first_text(work.get("type"))),
        "doi": doi,
        **{name: _first_text(work.get(variable)) for name, variable in _VARIABLES.items()},
        **{_UPDATES[update["type"]]: _link(update) for update in _notices(work.get("updated-by"))},
    }


def is_notice(work: JsonObject) -> bool:
    """Return whether the JSON object ``work`` of Crossref is a notice about another work, such as a
    retraction or an expression of concern.
    """
    return bool(_notices(work.get("update-to")))


def notices_for_others(work: JsonObject) -> dict[str, dict[str, Any]]:
    """Return what ``work``, a notice in Crossref, says about other works: a map from the DOI of
    each work to fields of its :class:`Record`.
    """
    updates = _notices(work.get("update-to"))
    return {
        _first_text(update.get("DOI")).lower(): {_UPDATES[update["type"]]: _link(work)}
        for update in updates
    }


def _notices(updates: Iterable[JsonObject] | None) -> list[JsonObject]:
    return [update for update in updates or () if update.get("type") in _UPDATES]


def _person_name(person: JsonObject) -> str:
    """Return the name of a person in a Crossref object as ``Given Family``, or the name of a
    group.
    """
    whole = f"{_first_text(person.get('given'))} {_first_text(person.get('family'))}".strip()
    return whole or _first_text(person.get("name")) or _first_text(person.get("literal"))


def _link(work: JsonObject) -> str:
    return f"https://doi.org/{_first_text(work.get('DOI')).lower()}"


def _year(work: JsonObject) -> int | None:
    for name in (
        "issued",
        "published",
        "published-print",
        "published-online",
        "published-other",
        "posted",
    ):
        parts = (work.get(name) or {}).get("date-parts") or [[]]
        if parts[0] and parts[0][0]:
            return int(parts[0][0])
    return None


def _first_text(value: object) -> str:
    """Return ``value`` as text. For a list, return its first item as text. For None and an empty
    list, return an empty text.
    """
    if isinstance(value, list):
        value = value[0] if value else None
    return "" if value is None else " ".join(str(value).split())


ATOM = "{http://www.w3.org/2005/Atom}"


def atom_record(entry: Element) -> Record:
    """Return the record of the paper that an entry of arXiv's Atom feed describes.

    Raises ValueError if the entry has no arXiv identifier.
    """
    found = re.fullmatch(r"https?://arxiv\.org/abs/(.+?)(v\d+)?", _element_text(entry, f"{ATOM}id"))
    if not found:
        raise ValueError("an entry without an arXiv id")
    arxiv_id, version = found[1], found[2] or ""
    return Record(
        key=arxiv_id + version,
        title=_element_text(entry, f"{ATOM}title"),
        authors=tuple(
            _element_text(author, f"{ATOM}name") for author in entry.iter(f"{ATOM}author")
        ),
        year=int(_element_text(entry, f"{ATOM}published")[:4]),
        venue="CoRR",
        pub_type="article",
        doi=_element_text(entry, "{http://arxiv.org/schemas/atom}doi").lower(),
        arxiv_id=arxiv_id,
        url=f"https://arxiv.org/abs/{arxiv_id}",
    )


def snapshot_record(work: JsonObject) -> Record:
    """Return the record of a work in arXiv's data set on Kaggle.

    Raises KeyError if ``id`` or ``title`` is missing.
    """
    arxiv_id = str(work["id"])
    first_version = (work.get("versions") or [{}])[0]
    date = str(first_version.get("created") or work.get("update_date") or "")
    year = re.search(r"\b(?:19|20)\d\d\b", date)
    authors = []
    for name in work.get("authors_parsed") or ():
        family, given, suffix = [*name, "", "", ""][:3]
        authors.append(" ".join(filter(None, (given, family, suffix))))
    return Record(
        key=arxiv_id,
        title=" ".join(str(work["title"]).split()),
        authors=tuple(authors),
        year=int(year[0]) if year else None,
        venue="CoRR",
        pub_type="article",
        doi=find_doi(str(work.get("doi") or "")),
        arxiv_id=arxiv_id,
        url=f"https://arxiv.org/abs/{arxiv_id}",
        publtype="informal",
    )


def _element_text(element: Element, tag: str) -> str:
    return " ".join((element.findtext(tag) or "").split())
