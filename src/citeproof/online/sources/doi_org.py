"""doi.org: redirects a DOI to its registrar, which returns metadata by content negotiation."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from citeproof.model.findings import Outcome
from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.online.coverage import ARXIV_DOI, requestable_doi
from citeproof.online.net.service import Kind, Pace, Response, SourceError
from citeproof.online.source import Query, Source
from citeproof.readers.works import crossref_record

_NO_METADATA = frozenset({Kind.UNKNOWN_HOST, Kind.NOT_DESCRIBED})


class DoiOrg(Source):
    """Look-up by DOI, as CSL JSON. Only doi.org can say that a DOI does not exist."""

    name = "doi_org"
    title = "doi.org"
    home = "https://doi.org"
    redirects = (
        "dx.doi.org",
        "api.crossref.org",
        "data.crossref.org",
        "data.crosscite.org",
        "data.datacite.org",
        "api.datacite.org",
        "data.medra.org",
    )
    authority = frozenset({MatchKind.DOI})
    registers = frozenset({MatchKind.DOI})
    accept = "application/vnd.citationstyles.csl+json"
    pace = Pace(3, connections=3)
    """Three requests per second, Crossref's limit, because most DOIs redirect to Crossref. doi.org states no limit."""

    def rank(self, reference: Reference) -> int | None:
        """Return None for a reference without a DOI."""
        return 10 if requestable_doi(reference) else None

    def queries(self, reference: Reference) -> Iterable[Query]:
        """Look up the DOI, also one of arXiv."""
        if doi := requestable_doi(reference):
            yield Query(MatchKind.DOI, doi, "/" + quote(doi, safe="/"), fields=("doi",))

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the work, which is CSL JSON."""
        return (crossref_record(response.json_object()),)

    def not_found(self, response: Response, query: Query) -> None:
        """Accept status 404 of doi.org, which means that the DOI does not exist, and not that of a registrar."""
        if response.host != self._service.host:
            raise SourceError(Kind.NOT_DESCRIBED, f"{response.host} has no metadata for it")

    def is_authoritative(self, query: Query) -> bool:
        """Return False for DOIs of arXiv, whose metadata has the newest title only: an older version may be cited."""
        return not query.text.startswith(ARXIV_DOI)

    def outcome_of(self, error: SourceError) -> Outcome:
        """Return SKIPPED for a redirect to a host without metadata: the DOI exists, and its work is unknown."""
        return Outcome.SKIPPED if error.kind in _NO_METADATA else Outcome.FAILED
