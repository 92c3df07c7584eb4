"""What all web search engines share: one question, of the title and the first author's family name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from citeproof.models import Findings, Inquiry, Outcome, Reference
from citeproof.net.answer import MOST_RECORDS, SHAPE_ERRORS
from citeproof.net.failure import Kind, SourceError
from citeproof.net.service import Service
from citeproof.net.turns import Turns
from citeproof.text.records import well_formed
from citeproof.text.words import about_the_question, family_name
from citeproof.websearch.hit import hit_candidate, hit_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from citeproof.models import Record
    from citeproof.net.answer import Answer
    from citeproof.net.client import Client
    from citeproof.net.clock import Clock
    from citeproof.net.known_answers import KnownAnswers
    from citeproof.net.pace import Pace
    from citeproof.net.service import Access

PROBE = Reference("probe", "A Mathematical Theory of Communication", ("Shannon, Claude E.",))


class Engine(ABC):
    """One web search engine."""

    name: ClassVar[str]
    title: ClassVar[str]
    home: ClassVar[str] = ""
    """Address of the service; empty where each user has one of their own."""
    pace: ClassVar[Pace]
    key_header: ClassVar[str] = ""
    """The header that carries the key, if one does."""
    key_param: ClassVar[str] = ""
    """The parameter that carries the key, if one does."""

    def __init__(self, client: Client, clock: Clock, access: Access, known: KnownAnswers | None = None) -> None:
        self._client = client
        self._clock = clock
        self._answers = known
        self._turns = Turns()
        self._service = Service(
            self.name,
            access.base_url or self.home,
            {"": self.pace},
            secret_headers={self.key_header: access.key} if self.key_header else {},
            secret_params={self.key_param: access.key} if self.key_param else {},
        )

    def search(self, reference: Reference) -> Findings:
        """Return the hits whose title is the cited one, with the facts that agree."""
        start = self._clock.monotonic()
        query = question(reference)
        if not query:
            return Findings(inquiries=(Inquiry(self.name, Outcome.SKIPPED, "no title to search for"),))
        with self._turns.of(query):
            known = self._answers.recall(self.name, query) if self._answers else None
            try:
                records = self._ask(query) if known is None else known
            except SourceError as error:
                return Findings(inquiries=(self._inquiry(start, Outcome.FAILED, str(error)),))
            if self._answers and known is None:
                self._answers.keep(self.name, query, records)
        found = tuple(filter(None, (hit_candidate(reference, record) for record in records)))
        facts = sorted({fact for candidate in found for fact in candidate.facts})
        inquiry = self._inquiry(start, Outcome.ANSWERED, f"title agrees, and {', '.join(facts)}" if facts else "")
        inquiry = replace(inquiry, records=len(found), candidates_examined=len(records), from_cache=known is not None)
        return Findings(found, (inquiry,))

    def unanswered(self, reference: Reference) -> Iterator[tuple[str, Pace]]:
        """Yield lane and pace of the question about ``reference``, if it would be sent."""
        query = question(reference)
        if query and (not self._answers or self._answers.recall(self.name, query) is None):
            yield "", self.pace

    def probe(self) -> None:
        """Ask one harmless question; raises :class:`SourceError` where the engine does not answer."""
        self._ask(question(PROBE))

    @abstractmethod
    def request(self, query: str) -> tuple[str, Mapping[str, str]]:
        """Return path and parameters of a search."""

    @abstractmethod
    def hits(self, answer: Answer) -> Iterable[tuple[str, str, str]]:
        """Return title, address and text of each hit."""

    def _ask(self, query: str) -> Sequence[Record]:
        path, params = self.request(query)
        return self._client.get(
            self._service, path, params, read=lambda answer: self._read(answer, query), fields=("authors", "title")
        )

    def _read(self, answer: Answer, query: str) -> Sequence[Record]:
        if answer.missing:
            raise SourceError(Kind.BAD_ANSWER, "HTTP status 404 to a search")
        try:
            hits = islice(self.hits(answer), MOST_RECORDS)
            records = well_formed(hit_record(self.name, *hit) for hit in hits if hit[0] and hit[1])
        except SHAPE_ERRORS as error:
            raise SourceError(Kind.BAD_ANSWER, "not in the shape of this engine") from error
        if records and not about_the_question(query, records):
            raise SourceError(Kind.OTHER_WORK)
        return records

    def _inquiry(self, start: float, outcome: Outcome, detail: str = "") -> Inquiry:
        return Inquiry(self.name, outcome, detail, milliseconds=(self._clock.monotonic() - start) * 1000)


def question(reference: Reference) -> str:
    """Return what is searched for: the title as a phrase, and the first author's family name."""
    if not reference.title.strip():
        return ""
    phrase = reference.title.replace('"', " ").strip()
    author = family_name(reference.authors[0]) if reference.authors else ""
    return f'"{phrase}" {author}'.strip()
