"""doi.org: the DOI system itself, which leads to the registrar's own description by content negotiation."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

from citeproof.fields.works.crossref import work_record
from citeproof.models import MatchKind, Outcome
from citeproof.net.failure import Kind, SourceError
from citeproof.net.pace import Pace
from citeproof.net.service import Access, Service
from citeproof.online.identifiers import ARXIV_DOI, askable_doi
from citeproof.online.source import Question, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citeproof.models import Record, Reference
    from citeproof.net.answer import Answer

_NOT_DESCRIBED = frozenset({Kind.UNKNOWN_HOST, Kind.NOT_DESCRIBED})


class DoiOrg(Source):
    """Asks for a DOI as citeproc JSON; it alone can say that a DOI was never registered."""

    name: ClassVar[str] = "doi_org"
    title: ClassVar[str] = "doi.org"
    home: ClassVar[str] = "https://doi.org"
    redirects: ClassVar[tuple[str, ...]] = (
        "dx.doi.org",
        "api.crossref.org",
        "data.crossref.org",
        "data.crosscite.org",
        "data.datacite.org",
        "api.datacite.org",
        "data.medra.org",
    )
    states: ClassVar[frozenset[MatchKind]] = frozenset({MatchKind.DOI})
    registers: ClassVar[frozenset[MatchKind]] = frozenset({MatchKind.DOI})
    accept: ClassVar[str] = "application/vnd.citationstyles.csl+json"

    def service(self, access: Access) -> Service:
        """It states no limit; three a second are Crossref's, to whom most DOIs lead."""
        return Service(self.name, access.base_url or self.home, {"": Pace(3, connections=3)})

    def rank(self, reference: Reference) -> int | None:
        """It knows DOIs and nothing else."""
        return 10 if askable_doi(reference) else None

    def questions(self, reference: Reference) -> Iterable[Question]:
        """By DOI, arXiv's among them."""
        if doi := askable_doi(reference):
            yield Question(MatchKind.DOI, doi, "/" + quote(doi, safe="/"), fields=("doi",), lane="work")

    def records(self, answer: Answer, question: Question) -> Sequence[Record]:
        """One work in citeproc JSON."""
        return (work_record(answer.json_object()),)

    def missing(self, answer: Answer, question: Question) -> None:
        """404 means that a DOI does not exist only where doi.org itself says so, not a registrar behind it."""
        if answer.host != self._service.host:
            raise SourceError(Kind.NOT_DESCRIBED, f"{answer.host} knows nothing of it")

    def is_authoritative(self, question: Question) -> bool:
        """arXiv's DOIs are described by their newest version alone; arXiv knows the titles of the others."""
        return not question.text.startswith(ARXIV_DOI)

    def outcome_of(self, error: SourceError) -> Outcome:
        """A DOI that leads to a host that describes nothing exists; that is neither an answer nor a failure."""
        return Outcome.SKIPPED if error.kind in _NOT_DESCRIBED else Outcome.FAILED
