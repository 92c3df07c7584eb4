"""Europe PMC: works of the life sciences, with all of PubMed and preprints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.online.coverage import cited_doi
from citeproof.online.net.service import Pace, Response
from citeproof.online.source import MAX_HITS, Query, Source
from citeproof.text.normalize import normalize_title
from citeproof.text.words import distinctive_words, family_name

_NOTICES = {"Retraction in": "retraction", "Expression of concern in": "concern"}
"""Fields of a record by Europe PMC's type of notice."""


class EuropePmc(Source):
    """The REST search: by DOI, by title, then by author and words."""

    name = "europe_pmc"
    title = "Europe PMC"
    home = "https://www.ebi.ac.uk/europepmc/webservices/rest"
    pace = Pace(5, connections=2)
    """Five requests per second, as clients of EBI's services usually send. Europe PMC states no limit."""
    position = 30
    """Its position is after the sources of all fields of research."""

    def queries(self, reference: Reference) -> Iterable[Query]:
        """Search for the DOI, the title, then for author and words."""
        if doi := cited_doi(reference):
            yield self._query(MatchKind.DOI, doi, f'DOI:"{doi}"', ("doi",))
        if words := normalize_title(reference.title):
            yield self._query(MatchKind.TITLE, words, f"TITLE:({words})", ("title",))
        if reference.authors:
            words = " ".join(distinctive_words(reference.title))
            author = family_name(reference.authors[0])
            if words and author:
                search = f'AUTH:"{author}" AND TITLE:({words})'
                yield self._query(MatchKind.TITLE, f"{author} {words}", search, ("authors", "title"))

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the hits. Without any the list is empty."""
        content = response.json_object()
        return [_record(result) for result in content["resultList"]["result"]]

    @staticmethod
    def _query(kind: MatchKind, text: str, query: str, fields: tuple[str, ...]) -> Query:
        params = {"query": query, "format": "json", "resultType": "core", "pageSize": str(MAX_HITS)}
        return Query(kind, text, "/search", params, fields)


def _record(result: Mapping[str, Any]) -> Record:
    info = result.get("journalInfo") or {}
    people = (result.get("authorList") or {}).get("author") or ()
    year = str(result.get("pubYear") or "")
    return Record(
        key=f"{result['source']}/{result['id']}",
        title=str(result.get("title") or "").removesuffix("."),
        authors=tuple(filter(None, map(_name, people))),
        year=int(year) if year.isdigit() else None,
        venue=str((info.get("journal") or {}).get("title") or ""),
        pub_type="article",
        doi=str(result.get("doi") or "").lower(),
        pages=str(result.get("pageInfo") or ""),
        volume=str(info.get("volume") or ""),
        number=str(info.get("issue") or ""),
        url=f"https://europepmc.org/article/{result['source']}/{result['id']}",
        **_notices(result),
    )


def _name(person: Mapping[str, Any]) -> str:
    whole = f"{person.get('firstName') or ''} {person.get('lastName') or ''}".strip()
    return whole or str(person.get("fullName") or person.get("collectiveName") or "")


def _notices(result: Mapping[str, Any]) -> dict[str, str]:
    corrections = (result.get("commentCorrectionList") or {}).get("commentCorrection") or ()
    return {
        _NOTICES[correction["type"]]: f"https://europepmc.org/article/{correction['source']}/{correction['id']}"
        for correction in corrections
        if correction.get("type") in _NOTICES
    }
