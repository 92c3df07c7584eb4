"""Sources that register identifiers and describe the identified works: Crossref, arXiv and
doi.org.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from xml.etree import ElementTree

from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.online.coverage import cited_arxiv_id, cited_doi, requestable_doi
from citeproof.online.net.service import Access, Kind, Pace, Response, SourceError, http_host
from citeproof.online.source import (
    ARXIV_ID,
    AUTHOR_AND_WORDS,
    DOI,
    MAX_HITS,
    PLAIN_TITLE,
    TITLE,
    Query,
    Source,
)
from citeproof.online.works import (
    ATOM,
    atom_record,
    crossref_fields,
    is_notice,
    notices_for_others,
)

_POLITE = {"work": Pace(10, connections=3), "search": Pace(3, connections=3)}
_PUBLIC = {"work": Pace(5, connections=1), "search": Pace(1, connections=1)}
"""Rate limits of Crossref since December 2025 for users without a contact address. ``_POLITE`` has
the limits for users with an address.
"""


class Crossref(Source):
    """The DOI registrar of most publishers of journals, proceedings and books."""

    name = "crossref"
    title = "Crossref"
    home = "https://api.crossref.org"
    contact_param = "mailto"
    authority = frozenset({MatchKind.DOI})
    requests = (
        Query(DOI, "/works/{whole}", group="work"),
        Query(TITLE, "/works", {"query.title": "{}", "rows": MAX_HITS}, "search"),
        Query(
            AUTHOR_AND_WORDS, "/works", {"query.bibliographic": "{}", "rows": MAX_HITS}, "search"
        ),
    )

    def paces(self, access: Access) -> dict[str, Pace]:
        """Return the rate limits of Crossref. They are higher if the user has set a contact
        address.
        """
        return _POLITE if access.contact else _PUBLIC

    def rank(self, reference: Reference) -> int | None:
        """Return the first position. For references with an arXiv identifier and no other DOI,
        return a late position, because Crossref does not have arXiv's preprints.
        """
        return 20 if cited_arxiv_id(reference) and not cited_doi(reference) else 0

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the works in the response. A retraction notice is not returned as a work, but
        becomes a field of the record of the retracted work.
        """
        message = response.json_object()["message"]
        if query.kind is MatchKind.DOI:
            record = Record(**crossref_fields(message))
            aliases = {str(alias).lower() for alias in message.get("aliases") or ()}
            return (replace(record, doi=query.text) if query.text in aliases else record,)
        works = message["items"]
        notices = {
            doi: fields for work in works for doi, fields in notices_for_others(work).items()
        }
        records = [Record(**crossref_fields(work)) for work in works if not is_notice(work)]
        return [replace(record, **notices.get(record.doi, {})) for record in records]


class Arxiv(Source):
    """arXiv: preprints of physics, mathematics, computer science and related fields."""

    name = "arxiv"
    title = "arXiv"
    home = "https://export.arxiv.org"
    redirects = ("arxiv.org",)
    authority = frozenset({MatchKind.ARXIV_ID})
    registers = frozenset({MatchKind.ARXIV_ID})
    accept = "application/atom+xml"
    # one request per three seconds, according to the API's terms of use
    pace = Pace(1, 3.0, connections=1)
    requests = (
        # the newest and the first version, whose titles may differ
        Query(ARXIV_ID, "/api/query", {"id_list": "{0},{0}v1", "max_results": "2"}),
        Query(PLAIN_TITLE, "/api/query", {"search_query": 'ti:"{}"', "max_results": MAX_HITS}),
    )

    def rank(self, reference: Reference) -> int | None:
        """Return the first position if an arXiv identifier is cited, or else a late position,
        because arXiv is slow.
        """
        return 0 if cited_arxiv_id(reference) else 40

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the entries of the Atom feed as records. For an unknown identifier, the feed has
        no entry.
        """
        body = response.data()
        if re.search(rb"<!DOCTYPE|<!ENTITY", body, re.IGNORECASE):
            raise SourceError(Kind.BAD_ANSWER, "a document type in a feed")
        try:
            # entities need a document type, which is refused above
            feed = ElementTree.fromstring(body)  # noqa: S314
        except ElementTree.ParseError as error:
            raise SourceError(Kind.BAD_ANSWER, "not XML, or cut off") from error
        if feed.tag != f"{ATOM}feed":
            raise SourceError(Kind.BAD_ANSWER, "not an Atom feed")
        return [atom_record(entry) for entry in feed.iter(f"{ATOM}entry")]


class DoiOrg(Source):
    """doi.org, which redirects a DOI to the metadata at its registrar. No other source can tell
    that a DOI does not exist.
    """

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
    """Three requests per second, because most DOIs redirect to Crossref, which limits requests."""
    skipped = frozenset({Kind.UNKNOWN_HOST, Kind.NOT_DESCRIBED})
    """Kinds of failure that happen if a DOI exists, but redirects to a host without metadata."""
    requests = (Query(DOI._replace(text=requestable_doi), "/{}"),)

    def rank(self, reference: Reference) -> int | None:
        """Return the position in the order of sources. None if the reference has no valid DOI."""
        return 10 if requestable_doi(reference) else None

    def not_found(self, response: Response, query: Query) -> None:
        """Raise :class:`SourceError` if a host other than doi.org sent the status 404. From
        doi.org, the status means that the DOI does not exist.
        """
        if response.host != http_host(self._service.base_url):
            raise SourceError(Kind.NOT_DESCRIBED, f"{response.host} has no metadata for it")

    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the cited work as a record."""
        return (Record(**crossref_fields(response.json_object())),)
