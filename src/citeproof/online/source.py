"""What all online sources share: they ask by identifier, then by title, then by author and words, and compare all hits.

A subclass says where the source is, how fast it may be asked, which questions it understands,
and how its answers become records. It never decides: it brings every hit as a candidate.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from citeproof.models import Candidate, Findings, Inquiry, MatchKind, Outcome, Reference
from citeproof.net.answer import MOST_RECORDS, SHAPE_ERRORS
from citeproof.net.failure import Kind, SourceError
from citeproof.net.turns import Turns
from citeproof.text.normalize import normalize_title
from citeproof.text.records import well_formed
from citeproof.text.similarity import similarity
from citeproof.text.words import about_the_question, shares_an_author

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from citeproof.models import Record
    from citeproof.net.answer import Answer
    from citeproof.net.client import Client
    from citeproof.net.clock import Clock
    from citeproof.net.known_answers import KnownAnswers
    from citeproof.net.pace import Pace
    from citeproof.net.service import Access, Service

CANDIDATE = 0.9
"""Title similarity at which a hit is a candidate; below it a hit only explains a miss."""
HITS = 10
"""How many hits a search asks for."""
PROBE = Reference(
    key="probe",
    title="A Mathematical Theory of Communication",
    authors=("Shannon, Claude E.",),
    doi="10.1002/j.1538-7305.1948.tb01338.x",
    arxiv_id="1706.03762",
    entry_type="book",
)
"""What ``citeproof sources --check`` asks for. It says nothing about the user."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a source."""

    about: MatchKind
    """``DOI`` or ``ARXIV_ID`` for the record of an identifier, ``TITLE`` for a search."""
    text: str
    """The identifier or the words: with ``about`` the question's name in the search cache."""
    path: str
    params: dict[str, str] = field(default_factory=dict)
    fields: tuple[str, ...] = ("title",)
    """The fields of the reference that the question carries."""
    lane: str = ""

    @property
    def query(self) -> str:
        """The name under which its answer is kept."""
        return f"{self.about.value}:{self.text}"


class Source(ABC):
    """One online source. ``search`` is the same for all; the four methods below it are the source's own."""

    name: ClassVar[str]
    title: ClassVar[str]
    """The name that people know it by."""
    home: ClassVar[str]
    """Address of the service."""
    redirects: ClassVar[tuple[str, ...]] = ()
    """Hosts that it may send us to."""
    states: ClassVar[frozenset[MatchKind]] = frozenset()
    """The kinds of identifier of which it can say with authority which work one names."""
    registers: ClassVar[frozenset[MatchKind]] = frozenset()
    """The kinds of identifier that it registers itself: it knows each, so it can say that one does not exist."""
    accept: ClassVar[str] = "application/json"
    takes_key: ClassVar[bool] = False

    def __init__(self, client: Client, clock: Clock, access: Access, known: KnownAnswers | None = None) -> None:
        self._client = client
        self._clock = clock
        self._known = known
        self._access = access
        self._service = self.service(access)
        self._turns = Turns()

    def search(self, reference: Reference) -> Findings:
        """Return every hit for ``reference`` as a candidate, and what became of asking."""
        start = self._clock.monotonic()
        candidates: list[Candidate] = []
        unknown: list[str] = []
        asked = remembered = 0
        searched = False
        outcome, detail = Outcome.ANSWERED, ""
        try:
            for question in self.questions(reference):
                records, was_known = self._answer(reference, question)
                asked += 1
                remembered += was_known
                searched |= question.about is MatchKind.TITLE
                if not records and question.about in self.registers:
                    unknown.append(question.text)
                candidates += self._candidates(reference, question, records)
                if any(_is_the_work(reference, candidate) for candidate in candidates):
                    searched = True
                    break
        except SourceError as error:
            outcome, detail = self.outcome_of(error), str(error)
        else:
            if not asked:
                return Findings(inquiries=(Inquiry(self.name, Outcome.SKIPPED, "nothing to ask it by"),))
            if unknown:
                detail = "does not know " + ", ".join(unknown)
        inquiry = Inquiry(
            self.name,
            outcome,
            detail,
            milliseconds=(self._clock.monotonic() - start) * 1000,
            records=len(candidates),
            candidates_examined=len(candidates),
            from_cache=asked > 0 and asked == remembered,
            searched=searched and outcome is Outcome.ANSWERED,
        )
        return Findings(tuple(candidates), (inquiry,), unknown_identifiers=tuple(unknown))

    @abstractmethod
    def service(self, access: Access) -> Service:
        """Return where the source is asked, how fast, and with which key."""

    @abstractmethod
    def rank(self, reference: Reference) -> int | None:
        """Return when to ask for such a reference: low first; None where the source cannot know it."""

    @abstractmethod
    def questions(self, reference: Reference) -> Iterable[Question]:
        """Return what to ask, best first. Asking ends with the first question whose answer holds the work."""

    @abstractmethod
    def records(self, answer: Answer, question: Question) -> Sequence[Record]:
        """Return the records in an answer that is not a 404; 404 means that there are none."""

    def missing(self, answer: Answer, question: Question) -> None:
        """Accept that 404 means "not found"; raises :class:`SourceError` where it does not."""
        if question.about is MatchKind.TITLE:
            raise SourceError(Kind.BAD_ANSWER, "HTTP status 404 to a search")

    def outcome_of(self, error: SourceError) -> Outcome:
        """Return what an error means for this source."""
        return Outcome.FAILED

    def is_authoritative(self, question: Question) -> bool:
        """Whether the record in the answer is by definition the work that the identifier names."""
        return question.about in self.states

    def probe(self) -> None:
        """Ask one harmless question; raises :class:`SourceError` where the source does not answer."""
        question = next(iter(self.questions(PROBE)))
        self._ask(PROBE, question)

    def unanswered(self, reference: Reference) -> Iterator[tuple[str, Pace]]:
        """Yield lane and pace of each question about ``reference`` that would be sent, were all of them asked."""
        for question in self.questions(reference):
            if not self._known or self._known.recall(self.name, question.query) is None:
                yield question.lane, self._service.pace(question.lane)

    def _answer(self, reference: Reference, question: Question) -> tuple[Sequence[Record], bool]:
        if not self._known:
            return self._named(reference, question), False
        with self._turns.of(question.query):
            known = self._known.recall(self.name, question.query)
            if known is not None:
                return known, True
            records = self._named(reference, question)
            self._known.keep(self.name, question.query, records)
            return records, False

    def _named(self, reference: Reference, question: Question) -> Sequence[Record]:
        return [replace(record, source=self.name) for record in self._ask(reference, question)]

    def _ask(self, reference: Reference, question: Question) -> Sequence[Record]:
        return self._client.get(
            self._service,
            question.path,
            question.params,
            read=self._reader(reference, question),
            fields=question.fields,
            lane=question.lane,
            accept=self.accept,
        )

    def _reader(self, reference: Reference, question: Question) -> Callable[[Answer], Sequence[Record]]:
        def read(answer: Answer) -> Sequence[Record]:
            if answer.missing:
                self.missing(answer, question)
                return ()
            try:
                records = well_formed(self.records(answer, question)[:MOST_RECORDS])
            except SHAPE_ERRORS as error:
                raise SourceError(Kind.BAD_ANSWER, "not in the shape of this source") from error
            if records and not self._answers(reference, question, records):
                raise SourceError(Kind.OTHER_WORK)
            return records

        return read

    def _answers(self, reference: Reference, question: Question, records: Sequence[Record]) -> bool:
        """Whether an answer is to the question: of the identifier asked for, or sharing a word with what was sought.

        A source that merges the versions of a work may answer one version's identifier with another version.
        """
        asked = question.text.lower()
        if question.about is MatchKind.DOI:
            same = any(not record.doi or record.doi.lower() == asked for record in records)
        elif question.about is MatchKind.ARXIV_ID:
            same = any(not record.arxiv_id or record.arxiv_id.lower() == asked for record in records)
        else:
            return about_the_question(question.text, records)
        return same or (question.about not in self.states and about_the_question(reference.title, records))

    def _candidates(self, reference: Reference, question: Question, records: Sequence[Record]) -> Iterable[Candidate]:
        for record in records:
            if not normalize_title(record.title):
                continue  # it says nothing about which work it is
            candidate = compare(reference, record)
            if self.is_authoritative(question):
                candidate = replace(candidate, match=question.about)
            yield candidate


def compare(reference: Reference, record: Record) -> Candidate:
    """Return ``record`` as a candidate, with how its title agrees with the cited one."""
    cited, recorded = normalize_title(reference.title), normalize_title(record.title)
    alike = similarity(cited, recorded)
    if alike >= CANDIDATE:
        match = MatchKind.TITLE
    elif _differ_by_a_subtitle(reference.title, record.title):
        match = MatchKind.MAIN_TITLE
    elif sorted(cited.split()) == sorted(recorded.split()):
        match = MatchKind.SAME_WORDS
    else:
        match = MatchKind.NEARBY
    return Candidate(record, alike, match)


def _differ_by_a_subtitle(title: str, other: str) -> bool:
    """Whether one of the two is the other without what follows its first colon."""
    whole = normalize_title(title), normalize_title(other)
    main = normalize_title(title.split(": ", 1)[0]), normalize_title(other.split(": ", 1)[0])
    return bool(main[0]) and main[0] == main[1] and (whole[0] == main[0] or whole[1] == main[1])


def _is_the_work(reference: Reference, candidate: Candidate) -> bool:
    same_title = candidate.similarity == 1.0 or candidate.match is MatchKind.MAIN_TITLE
    return same_title and shares_an_author(reference, candidate.record)
