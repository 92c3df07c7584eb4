"""Europe PMC: the life sciences, all of PubMed and preprints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from citeproof.models import MatchKind, Record
from citeproof.net.pace import Pace
from citeproof.net.service import Access, Service
from citeproof.online.identifiers import cited_doi
from citeproof.online.source import HITS, Question, Source
from citeproof.text.normalize import normalize_title
from citeproof.text.words import distinctive_words, family_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from citeproof.models import Reference
    from citeproof.net.answer import Answer

_NOTICES = {"Retraction in": "retraction", "Expression of concern in": "concern"}


class EuropePmc(Source):
    """Asks the search by DOI, by title, then by author and words."""

    name: ClassVar[str] = "europe_pmc"
    title: ClassVar[str] = "Europe PMC"
    home: ClassVar[str] = "https://www.ebi.ac.uk/europepmc/webservices/rest"

    def service(self, access: Access) -> Service:
        """It states no limit beyond fair use; five a second is what clients of EBI's services keep to."""
        return Service(self.name, access.base_url or self.home, {"": Pace(5, connections=2)})

    def rank(self, reference: Reference) -> int | None:
        """After the general sources."""
        return 30

    def questions(self, reference: Reference) -> Iterable[Question]:
        """By DOI, by title, by author and words."""
        if doi := cited_doi(reference):
            yield self._question(MatchKind.DOI, doi, f'DOI:"{doi}"', ("doi",))
        if words := normalize_title(reference.title):
            yield self._question(MatchKind.TITLE, words, f"TITLE:({words})", ("title",))
        if reference.authors:
            words = " ".join(distinctive_words(reference.title))
            author = family_name(reference.authors[0])
            if words and author:
                query = f'AUTH:"{author}" AND TITLE:({words})'
                yield self._question(MatchKind.TITLE, f"{author} {words}", query, ("authors", "title"))

    def records(self, answer: Answer, question: Question) -> Sequence[Record]:
        """Nothing found is an empty list."""
        content = answer.json_object()
        return [_record(result) for result in content["resultList"]["result"]]

    @staticmethod
    def _question(about: MatchKind, text: str, query: str, fields: tuple[str, ...]) -> Question:
        params = {"query": query, "format": "json", "resultType": "core", "pageSize": str(HITS)}
        return Question(about, text, "/search", params, fields)


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
