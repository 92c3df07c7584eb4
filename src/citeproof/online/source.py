"""Base class of online sources and search engines. It sends queries, caches the records found, and
checks them.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias
from urllib.parse import quote
from weakref import WeakValueDictionary

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.online.coverage import ARXIV_DOI, cited_arxiv_id, cited_doi
from citeproof.online.net.service import Access, Clock, Kind, Pace, Response, Service, SourceError
from citeproof.text.normalize import normalize_title
from citeproof.text.queries import author_and_words, shares_a_word, well_formed
from citeproof.text.similarity import similarity

if TYPE_CHECKING:
    from citeproof.online.net.client import Client
    from citeproof.store.cache import AnswerCache

_SHAPE_ERRORS = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
"""Exceptions that are raised while a response with unexpected data is read, for example if a key is
missing or a year is infinite.
"""
# minimum similarity, 0 to 1, of two titles that are treated as titles of the same work
_MIN_SIMILARITY = 0.9
MAX_RECORDS = 1000
"""Maximum number of records that are read from a response. Queries request at most 100 hits, the
best first.
"""
MAX_HITS = "10"
"""Number of search hits to request from a source."""
PROBE = Reference(
    "probe",
    "A Mathematical Theory of Communication",
    ("Shannon, Claude E.",),
    entry_type="book",
    doi="10.1002/j.1538-7305.1948.tb01338.x",
    arxiv_id="1706.03762",
)
"""The reference that ``citeproof sources --check`` searches for.

It contains no data of the user.
"""


IsWork: TypeAlias = Callable[[Reference, Candidate], bool]
"""Function that returns whether the record of a candidate describes the cited work. If so, no
further query for the reference is sent.
"""


class Subject(NamedTuple):
    """The subject of a query, such as the title of a reference."""

    # ``DOI`` or ``ARXIV_ID`` for the lookup of an identifier, ``TITLE`` or ``WEB`` for a search
    kind: MatchKind
    fields: tuple[str, ...]  # names of the fields of the reference that the query contains
    text: Callable[[Reference], str]
    """Function that returns the identifier or the search words of a reference. The result is empty
    if the reference does not have them.
    """


DOI = Subject(MatchKind.DOI, ("doi",), cited_doi)
ARXIV_ID = Subject(MatchKind.ARXIV_ID, ("arxiv_id",), cited_arxiv_id)
TITLE = Subject(MatchKind.TITLE, ("title",), lambda reference: reference.title)
PLAIN_TITLE = Subject(
    MatchKind.TITLE, ("title",), lambda reference: normalize_title(reference.title)
)
"""Search for the title without punctuation, for services that take punctuation for operators."""
AUTHOR_AND_WORDS = Subject(MatchKind.TITLE, ("authors", "title"), author_and_words)


@dataclass(frozen=True, slots=True)
class Query:
    """A GET request to a source. In the path and in the parameters, ``{}`` stands for ``text``."""

    subject: Subject
    # ``{}`` is replaced by the URL-encoded text, and ``{whole}`` by the text with slashes encoded
    # too
    path: str
    params: dict[str, str] = field(default_factory=dict)
    group: str = ""  # group of queries with a common rate limit: key in ``Service.paces``
    text: str = ""  # the identifier or the search words

    @property
    def kind(self) -> MatchKind:
        """Kind of the subject: an identifier, a title or a web page."""
        return self.subject.kind

    @property
    def is_search(self) -> bool:
        """Whether the query is a search, not the lookup of an identifier."""
        return self.kind in {MatchKind.TITLE, MatchKind.WEB}

    @property
    def cache_key(self) -> str:
        """Key under which the cache stores the records found: ``doi:10.1234/x``. For search
        engines, the key is the search words only.
        """
        return self.text if self.kind is MatchKind.WEB else f"{self.kind.value}:{self.text}"


class Source(ABC):
    """Base class of online sources.

    A subclass defines URL, rate limit and queries, and parses the responses.
    """

    name: ClassVar[str]
    title: ClassVar[str]  # name shown to users
    home: ClassVar[str] = ""  # base URL; empty if only the user's settings state it
    requests: ClassVar[Sequence[Query]]  # queries with an empty ``text``, the most reliable first
    pace: ClassVar[Pace]  # rate limit of all queries, unless :meth:`paces` is overridden
    key_header: ClassVar[str] = ""  # HTTP header for the user's key, if any
    key_param: ClassVar[str] = ""  # query parameter for the user's key, if any
    contact_param: ClassVar[str] = ""  # query parameter for the user's e-mail address, if any
    redirects: ClassVar[tuple[str, ...]] = ()  # hosts to which the source may redirect
    authority: ClassVar[frozenset[MatchKind]] = frozenset()
    """Kinds of identifiers for which the source is reliable: a record that it returns for such an
    identifier always describes the identified work.
    """
    registers: ClassVar[frozenset[MatchKind]] = frozenset()
    """Kinds of identifiers that the source registers. An identifier of such a kind does not exist
    if the source does not know it.
    """
    position: ClassVar[int] = 0
    """Position of the source in the order of queries. The source with the lowest number is queried
    first. :meth:`rank` may override it.
    """
    accept: ClassVar[str] = "application/json"  # value of the ``Accept`` header
    skipped: ClassVar[frozenset[Kind]] = frozenset()
    """Kinds of failure after which the source is reported as skipped instead of failed."""

    def __init__(
        self,
        client: Client,
        clock: Clock,
        access: Access,
        cache: AnswerCache | None = None,
        is_work: IsWork = lambda _reference, _candidate: False,
    ) -> None:
        """Prepare the source without sending a request. ``access`` has the user's URL, key and
        contact address for it, and ``cache`` stores its answers.

        ``is_work`` decides whether a search can stop. By default, all queries for a reference are
        sent.
        """
        self._is_work = is_work
        self._client, self._clock, self._access, self._cache = client, clock, access, cache
        self._locks = WeakValueDictionary[str, threading.Lock]()
        """Map from a cache key to a lock, so that two threads do not send the same query."""
        self._locking = threading.Lock()
        params = {self.key_param: access.key, self.contact_param: access.contact}
        self._service = Service(
            self.name,
            access.base_url or self.home,
            self.paces(access),
            secret_headers={self.key_header: access.key} if self.key_header and access.key else {},
            secret_params={name: value for name, value in params.items() if name and value},
            accept=self.accept,
        )

    @abstractmethod
    def records(self, response: Response, query: Query) -> Iterable[Record]:
        """Return the records in the response to ``query``.

        May raise any of ``_SHAPE_ERRORS`` if the response has unexpected data.
        """

    def queries(self, reference: Reference) -> Iterator[Query]:
        """Yield the queries for ``reference``, the most reliable first. At most one of them looks
        up an identifier.
        """
        looked_up = False
        for request in self.requests:
            if (text := request.subject.text(reference)) and (request.is_search or not looked_up):
                looked_up |= not request.is_search
                yield replace(request, text=text)

    def rank(self, reference: Reference) -> int | None:
        """Return the position of the source for ``reference``. The source with the lowest position
        is queried first. None if the source cannot have the work.
        """
        return self.position

    def paces(self, access: Access) -> dict[str, Pace]:
        """Return a map from the name of a group of queries to its rate limit. The name of the
        default group is empty.
        """
        return {"": self.pace}

    def not_found(self, response: Response, query: Query) -> None:
        """Raise :class:`SourceError` if the status 404 of ``response`` is a failure. Return if the
        status means that the source does not have the work.
        """
        if query.is_search:
            raise SourceError(Kind.BAD_ANSWER, "HTTP status 404 to a search")

    def candidate(self, reference: Reference, query: Query, record: Record) -> Candidate | None:
        """Return ``record`` as a candidate, with the similarity of its title and the cited title.
        None if the record has no title.
        """
        if not normalize_title(record.title):
            return None
        candidate = compare(reference, record)
        # the metadata of an arXiv DOI has only the newest title, but an older version may be cited
        decides = query.kind in self.authority and not query.text.startswith(ARXIV_DOI)
        return replace(candidate, match=query.kind) if decides else candidate

    def search(self, reference: Reference) -> Findings:
        """Send queries for ``reference`` until a query finds the work. Return all records found,
        and whether the source was queried successfully.
        """
        start = self._clock.monotonic()
        candidates, unknown, from_cache = list[Candidate](), list[str](), list[bool]()
        examined, searched, outcome = 0, False, Outcome.ANSWERED
        try:
            for query in self.queries(reference):
                records, was_cached = self._answer(reference, query)
                from_cache.append(was_cached)
                examined += len(records)
                if not records and query.kind in self.registers:
                    unknown.append(query.text)
                candidates += filter(
                    None, (self.candidate(reference, query, record) for record in records)
                )
                found = any(self._is_work(reference, candidate) for candidate in candidates)
                searched |= found or query.kind is MatchKind.TITLE
                if found:
                    break
            if not from_cache:
                skipped = Inquiry(
                    self.name, Outcome.SKIPPED, "no title or identifier to search for"
                )
                return Findings(inquiries=(skipped,))
            facts = sorted({fact for candidate in candidates for fact in candidate.facts})
            detail = f"does not know {', '.join(unknown)}" if unknown else ""
            detail = f"title agrees, and {', '.join(facts)}" if facts else detail
        except SourceError as error:
            outcome = Outcome.SKIPPED if error.kind in self.skipped else Outcome.FAILED
            detail = str(error)
        inquiry = Inquiry(
            self.name,
            outcome,
            detail,
            milliseconds=(self._clock.monotonic() - start) * 1000,
            records=len(candidates),
            candidates_examined=examined,
            from_cache=bool(from_cache) and all(from_cache),
            searched=searched and outcome is Outcome.ANSWERED,
        )
        return Findings(tuple(candidates), (inquiry,), unknown_identifiers=tuple(unknown))

    def probe(self) -> None:
        """Send a query for :data:`PROBE`, to find out whether the source responds.

        Raises :class:`SourceError` if the query fails.
        """
        self._fetch(PROBE, next(self.queries(PROBE)))

    def pending(self, reference: Reference) -> Iterator[tuple[str, Pace]]:
        """Yield the group and the rate limit of each query for ``reference`` that the cache cannot
        answer.
        """
        for query in self.queries(reference):
            if not self._cache or self._cache.recall(self.name, query.cache_key) is None:
                yield query.group, self._service.pace(query.group)

    def _answer(self, reference: Reference, query: Query) -> tuple[Sequence[Record], bool]:
        """Return the records that ``query`` found, and whether they come from the cache."""
        if not self._cache:
            return self._fetch(reference, query), False
        with self._locking:
            lock = self._locks.setdefault(query.cache_key, threading.Lock())
        with lock:
            if (cached := self._cache.recall(self.name, query.cache_key)) is not None:
                return cached, True
            records = self._fetch(reference, query)
            self._cache.keep(self.name, query.cache_key, records)
            return records, False

    def _fetch(self, reference: Reference, query: Query) -> Sequence[Record]:
        def read(response: Response) -> Sequence[Record]:
            if response.not_found:
                self.not_found(response, query)
                return ()
            try:
                records = well_formed(islice(self.records(response, query), MAX_RECORDS))
            except _SHAPE_ERRORS as error:
                raise SourceError(Kind.BAD_ANSWER, "not in the shape of this source") from error
            if records and not self._match_query(reference, query, records):
                raise SourceError(Kind.OTHER_WORK)
            return [replace(record, source=self.name) for record in records]

        return self._client.send(
            self._service,
            query.path.format(quote(query.text), whole=quote(query.text, safe="")),
            {name: value.format(query.text) for name, value in query.params.items()},
            read=read,
            fields=query.subject.fields,
            group=query.group,
        )

    def _match_query(self, reference: Reference, query: Query, records: Sequence[Record]) -> bool:
        """Return whether ``records`` are an answer to ``query``: whether any of them has the
        requested identifier, or contains one of the search words.
        """
        if query.is_search:
            return shares_a_word(query.text, records)
        found = (
            record.doi if query.kind is MatchKind.DOI else record.arxiv_id for record in records
        )
        if any(not identifier or identifier.lower() == query.text.lower() for identifier in found):
            return True
        # a source that merges the versions of a work may return a record with the identifier of
        # another version
        return query.kind not in self.authority and shares_a_word(reference.title, records)


def compare(reference: Reference, record: Record) -> Candidate:
    """Return ``record`` as a candidate for the work that ``reference`` cites, with the similarity
    of the two titles.
    """
    cited, recorded = normalize_title(reference.title), normalize_title(record.title)
    score = similarity(cited, recorded)
    if score >= _MIN_SIMILARITY:
        match = MatchKind.TITLE
    elif _differ_by_a_subtitle(reference.title, record.title):
        match = MatchKind.MAIN_TITLE
    elif sorted(cited.split()) == sorted(recorded.split()):
        match = MatchKind.SAME_WORDS
    else:
        match = MatchKind.NEARBY
    return Candidate(record, score, match)


def _differ_by_a_subtitle(title: str, other: str) -> bool:
    """Return whether one title is the other title without its subtitle: ``BERT`` and
    ``BERT: pre-training ...``.
    """
    whole = normalize_title(title), normalize_title(other)
    main = normalize_title(title.split(": ", 1)[0]), normalize_title(other.split(": ", 1)[0])
    return bool(main[0]) and main[0] == main[1] and main[0] in whole
