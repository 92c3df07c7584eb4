"""The nouns of citeproof: what was claimed, what is recorded, what was found, what follows.

Everything here is a frozen value without behaviour beyond its own arithmetic, so that any
part of the program may hold, compare and hand on any of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from citeproof.frozen import frozen, values_of


class _Sent:
    """What processes send each other by the thousand: pickled as its values in order.

    The way that dataclasses with slots have by themselves takes nearly twice as long.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[type[Any], tuple[Any, ...]]:
        return type(self), values_of(self)


@frozen
class Span:
    """A stretch of a document's text: offsets of characters, from 0, the end not included."""

    start: int
    end: int


@frozen
class Place(_Sent):
    """Where something stands in a document."""

    file: str = ""
    """The document's name, as the user gave it."""
    line: int = 0
    """First line in the document, counted from 1; 0 where it has no lines."""
    page: int = 0
    """Page on which it begins, counted from 1; 0 where the document has no pages."""
    span: Span | None = None
    """All of it."""
    fields: tuple[tuple[str, Span], ...] = ()
    """The value of each field with its quotes or braces, by the document's own name of the field in lower case.

    Only what the entry states itself: nothing that it takes over from another one.
    """
    paper: str = ""
    """The document that cites it, where that is another one: ``main.tex`` of an entry in ``refs.bib``."""
    column: int = 1
    """Column of its first line at which it begins, in characters, counted from 1; 1 where the format does not say."""

    def field(self, name: str) -> Span | None:
        """Return where the value of the field ``name`` stands; None where the entry does not state it."""
        return next((span for own, span in self.fields if own == name), None)

    def __str__(self) -> str:
        """Return the place as a person reads it: ``refs.bib:12``, ``paper.pdf, page 9``, of pasted text ``line 12``."""
        where = f"{self.file}:{self.line}" if self.file and self.line else self.file
        where = where if where.isprintable() else repr(where)
        line = f"line {self.line}" if self.line and not self.file else ""
        return ", ".join(filter(None, (where, line, f"page {self.page}" if self.page else "")))


NOWHERE = Place()


@frozen
class Reference(_Sent):
    """What an author wrote in a bibliography: a claim, with its place in the input.

    Text fields are free of LaTeX and markup, otherwise as cited; an absent field is empty.
    """

    key: str
    """The entry's own key; may be empty, and need not be unique."""
    title: str = ""
    authors: tuple[str, ...] = ()
    """Names in cited order, each as written: ``Family, Given`` or ``Given Family``."""
    and_others: bool = False
    """The list ends in ``and others`` or ``et al.``: names may be missing at its end."""
    year: int | None = None
    venue: str = ""
    """Journal, proceedings or series that is said to hold the work, as written."""
    entry_type: str = ""
    """The input's own word for the kind of work, in lower case: ``article``, ``online``..."""
    doi: str = ""
    """In lower case and without a resolver's address where it has a DOI's shape, else as written."""
    arxiv_id: str = ""
    """``1706.03762`` or ``cs/0112017``, without version, where it has an id's shape, else as written."""
    pages: str = ""
    volume: str = ""
    number: str = ""
    url: str = ""
    publisher: str = ""
    note: str = ""
    raw: str = ""
    """The entry's text as it stands in the input."""
    from_text: bool = False
    """Its fields were read from running text, so that one of them may be cut or hold words of another."""
    doubts: tuple[str, ...] = ()
    """Why its fields, or the extent of its text, may have been read wrongly; each a few words."""
    string: str = ""
    """The reference string that its fields were read from; a record may confirm another reading of it than this one."""
    place: Place = NOWHERE
    oversized: tuple[str, ...] = ()
    """Fields that are stated and too long to be what they are called; they are read as absent."""

    @property
    def file(self) -> str:
        """Name of the document that holds the entry."""
        return self.place.file

    @property
    def line(self) -> int:
        """First line of the entry in its document, counted from 1; 0 where there is none."""
        return self.place.line

    @property
    def paper(self) -> str:
        """Name of the paper that cites it: a document of its own, or the one that holds the entry."""
        return self.place.paper or self.place.file


class Severity(StrEnum):
    """Whether a difference counts against the reference, or a diagnostic against the input."""

    ISSUE = "issue"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What could not be read as a reference, an entry or a whole document; it is reported, never dropped."""

    place: Place
    code: str
    """Stable code, such as ``bibtex.unbalanced``; listed in ``docs/formats.md``."""
    message: str
    """One sentence: what is wrong and what to do."""
    raw: str = ""
    """The text of the entry, cut where it is long."""
    key: str = ""
    severity: Severity = Severity.ISSUE
    """NOTE where nothing is wrong: the entry describes no work, such as a style's control entry."""

    @property
    def file(self) -> str:
        """Name of the document that it is about."""
        return self.place.file

    @property
    def line(self) -> int:
        """Line of the document that it is about, counted from 1; 0 for the document as a whole."""
        return self.place.line

    @property
    def of_document(self) -> bool:
        """Whether a whole document could not be read, rather than one entry of it."""
        return self.code.startswith("document.") or not (self.place.line or self.place.page)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.file else self.message


@dataclass(frozen=True, slots=True)
class Extraction:
    """How well the reference list of one paper could be read, by what the paper itself says."""

    file: str
    """The document's name, as the user gave it."""
    found: int
    """Entries that were read."""
    expected: int
    """Entries that there should be: by the list's own numbers, and by what the text cites."""
    doubtful: int
    """Entries found that may have been read wrongly."""
    uncited: int | None
    """Entries found that the text does not cite; None where its citations could not be told."""
    fault: str = ""
    """What is wrong with the list as a whole, in one sentence; empty where it looks right."""


MOST_NOTES = 5
"""Most sentences of one kind about one document; a last one counts the rest."""


@dataclass(frozen=True, slots=True)
class Bibliography:
    """What one document holds, in its order: a reference or a diagnostic for every entry."""

    entries: tuple[Reference | Diagnostic, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    """What is to be said beside the entries, which are all there: the encoding was guessed, a key is repeated."""
    parts: tuple[str, ...] = ()
    """Names of other documents that it was read from, such as the ``.bib`` that a paper in LaTeX names."""
    extraction: Extraction | None = None
    """How well a list of running text could be read; None where the format names its fields."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The diagnostics beside the entries as sentences, of each kind the first few."""
        kinds: dict[str, list[str]] = {}
        for diagnostic in self.diagnostics:
            kinds.setdefault(diagnostic.code, []).append(str(diagnostic))
        return tuple(
            note
            for code, said in kinds.items()
            for note in (
                *said[:MOST_NOTES],
                *([f"... and {len(said) - MOST_NOTES} more: {code}"] * (len(said) > MOST_NOTES)),
            )
        )

    @property
    def references(self) -> tuple[Reference, ...]:
        """The entries that could be read."""
        return tuple(entry for entry in self.entries if isinstance(entry, Reference))


@frozen
class Record(_Sent):
    """What a source states about a work. An absent field is empty."""

    key: str
    """The source's own name for the record: ``conf/nips/VaswaniSPUJGKP17``, an OpenAlex id..."""
    title: str
    authors: tuple[str, ...] = ()
    """Names in order, ``Given Family``, without the numbers that DBLP gives to homonyms."""
    year: int | None = None
    venue: str = ""
    pub_type: str = ""
    """DBLP's word for the kind of publication: ``article``, ``inproceedings``, ``book``..."""
    doi: str = ""
    arxiv_id: str = ""
    pages: str = ""
    volume: str = ""
    number: str = ""
    url: str = ""
    crossref: str = ""
    """Key of the proceedings or book that contains the work."""
    publtype: str = ""
    """DBLP's remark on the record: ``withdrawn``, ``informal``..."""
    source: str = ""
    """Who states it: ``dblp``, ``library.bib``, ``crossref``..."""
    retraction: str = ""
    """Address of the notice that retracts the work, or of the record that only says that there is one."""
    concern: str = ""
    """Address of an expression of concern about the work."""


class MatchKind(StrEnum):
    """What a candidate has in common with the query that found it."""

    TITLE = "title"
    MAIN_TITLE = "main_title"
    """Equal up to the first ``: ``: one of the two lacks its subtitle."""
    SAME_WORDS = "same_words"
    """The same words in another order."""
    DOI = "doi"
    ARXIV_ID = "arxiv_id"
    WEB = "web"
    """The title of a hit of a web search: weak evidence, compared with nothing but its own facts."""
    NEARBY = "nearby"
    """Below the threshold: shown to explain a miss, never accepted."""
    AUTHORS = "authors"
    """By the cited people: shown to explain what they were cited for, never accepted."""


@frozen
class Candidate(_Sent):
    """A record that may be the work a reference means."""

    record: Record
    similarity: float
    """Normalised Indel similarity of the normalised titles, 0 to 1."""
    match: MatchKind = MatchKind.TITLE
    facts: tuple[str, ...] = ()
    """Of a web hit: what agrees besides the title, of ``author``, ``year`` and ``identifier``."""


class Agreement(StrEnum):
    """What became of one field of a reference, held against one record."""

    SAME = "same"
    """Equal, or usual variation between honest descriptions."""
    PARTLY = "partly"
    """A title that is alike, or some of the cited names."""
    DIFFERENT = "different"
    UNCLEAR = "unclear"
    """Both state something, and it cannot be compared: a publisher for a venue, a DOI of arXiv beside the journal's."""
    ABSENT = "absent"
    """One of the two states nothing."""


@frozen
class FieldComparison(_Sent):
    """One field as it is cited and as it is recorded."""

    field: str
    """``title``, ``authors``, ``year``, ``venue``, ``doi`` or ``arxiv_id``."""
    agreement: Agreement
    cited: str
    recorded: str
    only_cited: tuple[str, ...] = ()
    """Of a title the words, of authors the names that the other side does not have."""
    only_recorded: tuple[str, ...] = ()


@frozen
class NearestWork(_Sent):
    """A real work that a reference may mean, with what agrees and what does not."""

    candidate: Candidate
    found_by: tuple[MatchKind, ...]
    """By what it was found; more than one where several roads lead to it."""
    fields: tuple[FieldComparison, ...]
    """Always the same fields, in the order of :class:`FieldComparison`."""

    @property
    def record(self) -> Record:
        """The work's record."""
        return self.candidate.record

    def fields_that(self, *agreements: Agreement) -> tuple[str, ...]:
        """Return the names of the fields with one of ``agreements``."""
        return tuple(item.field for item in self.fields if item.agreement in agreements)


class Method(StrEnum):
    """How a title was looked up."""

    INDEXED = "indexed"
    BRUTEFORCE = "bruteforce"


@frozen
class Lookup:
    """The answer to one title: the one shape that every surface shows."""

    query: str
    threshold: float
    candidates: tuple[Candidate, ...]
    """At or above the threshold, best first; ties for best are all here. Empty: none was found."""
    nearest: Candidate | None
    """The best match below the threshold, where there is no candidate and the method knows one."""
    method: Method
    index: str
    """Which index answered: ``title_index``, ``word_index``, or empty for brute force."""
    candidates_examined: int
    """Titles that were compared with the query."""
    complete: bool
    """Nothing better can exist in the database: with no candidate, the miss is proved."""
    milliseconds: float
    related: tuple[Candidate, ...] = ()
    """Where there is no candidate: titles that agree otherwise, as ``main_title`` or ``same_words``; and, where an
    identifier was given in place of a title, the records that have it, as ``doi`` or ``arxiv_id``."""
    cut: bool = False
    """The search was ended by the most candidates that it may compare."""
    more: int = 0
    """Records at or above the threshold beyond ``candidates``, where all were asked for."""

    @property
    def found(self) -> bool:
        """Whether a title reaches the threshold."""
        return bool(self.candidates)


@dataclass(frozen=True, slots=True)
class Volume:
    """One year of a venue as the database holds it."""

    key: str
    """DBLP's key of the proceedings or journal volume: ``conf/icml/2023``."""
    venue: str
    year: int
    records: int
    completeness: float
    """Share of the volume that the database holds, 0 to 1."""
    basis: str
    """How completeness was estimated; see ``docs/accuracy.md``."""
    doi_share: float = 0.0
    """Share of its records that state a DOI, 0 to 1."""


class Outcome(StrEnum):
    """What became of a question to a source."""

    ANSWERED = "answered"
    FAILED = "failed"
    SKIPPED = "skipped"


@frozen
class Inquiry(_Sent):
    """One question to one source, kept as evidence."""

    source: str
    outcome: Outcome
    detail: str = ""
    """Why it failed or was skipped, or what the answer rests on, in a few words."""
    records: int = 0
    """Records it brought."""
    milliseconds: float = 0.0
    method: str = ""
    index: str = ""
    candidates_examined: int = 0
    complete: bool = False
    """The source proved that it holds nothing better."""
    from_cache: bool = False
    searched: bool = False
    """Its silence is about the work: it was asked by title, or it has the work; not by an identifier alone."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """A kind of works, and the online sources that hold it so broadly that their silence says something."""

    kind: str
    """In the plural, as a sentence names it: ``journal articles``."""
    sources: tuple[str, ...]
    """Empty where no source holds such works broadly."""


class Covers(StrEnum):
    """What a source holds so completely that its silence says something."""

    IDENTIFIER = "identifier"
    """All identifiers of the series or registrant of the cited one, which it does not have."""
    PREPRINTS = "preprints"
    """All of arXiv's papers of the cited year and of those beside it."""
    KIND = "kind"
    """Works of the cited kind, broadly."""
    NOTHING = "nothing"
    """The source is there, and need not have the work."""


@dataclass(frozen=True, slots=True)
class SourceCoverage:
    """What a source in a database holds of works such as the cited one."""

    source: str
    """Its name for people: ``arXiv``."""
    covers: Covers
    part: str
    """Of what, for people: ``the DOIs of 10.1145``; of NOTHING the source's field, empty for all fields."""
    completeness: float
    """Share of the part that it holds, 0 to 1."""
    until: str
    """Day of its newest record, ``YYYY-MM-DD``; empty where it has none."""
    identifier: str = ""
    """Of IDENTIFIER, the cited one that is not among them."""
    doubt: str = ""
    """Why its silence proves nothing here, such as a paper by the same people under another title."""


@frozen
class Findings:
    """What one or more strategies brought back about one reference."""

    candidates: tuple[Candidate, ...] = ()
    inquiries: tuple[Inquiry, ...] = ()
    volumes: tuple[Volume, ...] = ()
    """The volumes that the reference may claim to be in, as far as a source holds them."""
    unknown_identifiers: tuple[str, ...] = ()
    """Cited identifiers that those who give them out say they never gave."""
    reparsed: Reference | None = None
    """The reference as a second reading of its raw text understands it; it takes the place of the first."""
    unread: bool = False
    """A second reading was due and failed: the reference may be another one than it seems."""
    coverage: Coverage | None = None
    """Who would have to answer before a miss means anything; None where no online source was to be asked."""
    remembered: tuple[Candidate, ...] = ()
    """Records that earlier runs verified: they may confirm a reference, and accuse none."""
    covered: tuple[SourceCoverage, ...] = ()
    """What the sources of a database hold of works such as the cited one."""
    notices: tuple[Notice, ...] = ()
    """Notices about the cited work, whether a record of it was found or not."""
    title_counts: tuple[tuple[str, int], ...] = ()
    """Words of the cited title and of a record's that are one letter apart, each with how many titles hold it."""

    def __add__(self, other: Findings) -> Findings:
        return Findings(
            self.candidates + other.candidates,
            self.inquiries + other.inquiries,
            self.volumes + other.volumes,
            self.unknown_identifiers + other.unknown_identifiers,
            other.reparsed or self.reparsed,
            self.unread or other.unread,
            other.coverage or self.coverage,
            self.remembered + other.remembered,
            self.covered + other.covered,
            self.notices + other.notices,
            self.title_counts + other.title_counts,
        )


@dataclass(frozen=True, slots=True)
class Notice:
    """What a source says of a work that it does not hold."""

    kind: str
    """``retraction`` or ``concern``."""
    url: str
    source: str


class Status(StrEnum):
    """The five answers; ``docs/verdicts.md`` says what each needs."""

    VALID = "VALID"
    SUSPICIOUS = "SUSPICIOUS"
    INVALID = "INVALID"
    UNVERIFIED = "UNVERIFIED"
    ERROR = "ERROR"


@frozen
class Issue(_Sent):
    """One difference between what is cited and what is recorded."""

    code: str
    """Stable code, such as ``year.off``; listed in ``docs/verdicts.md``."""
    severity: Severity
    cited: str
    recorded: str
    explanation: str
    """One line that a person can act on."""


class Lapse(StrEnum):
    """Why an acceptance no longer holds."""

    CHANGED = "changed"
    """The entry says something else than it said then."""
    EXPIRED = "expired"
    """Its last day is over."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A person has checked a reference and accepts it as it is."""

    because: str
    on: str
    """The day, ``YYYY-MM-DD``."""
    until: str = ""
    """Its last day, ``YYYY-MM-DD``; empty: it has no end."""
    lapsed: Lapse | None = None
    """Why it no longer holds; None while it does."""


@frozen
class Verdict(_Sent):
    """What follows for one reference, and from what."""

    reference: Reference
    status: Status
    reason: str
    """Stable code, such as ``title_not_found``; listed in ``docs/verdicts.md``."""
    confidence: float
    """Probability that the status is right, 0 to 1; see ``docs/accuracy.md``."""
    issues: tuple[Issue, ...] = ()
    best_match: Candidate | None = None
    """The record the reference was compared with."""
    meant: tuple[NearestWork, ...] = ()
    """For anything not VALID: the nearest real works, nearest first, the best match before all."""
    evidence: tuple[Inquiry, ...] = ()
    flags: tuple[str, ...] = ()
    """Facts about the work that do not change the status, such as ``retracted``."""
    decided_by: str = ""
    """The first strategy after which the decision stood; empty when none was asked."""
    searched: str = ""
    """Of UNVERIFIED, what was searched and what that is worth, in one sentence or two."""
    policy: str = ""
    """The policy under which it was decided; empty where nothing could be decided on."""
    acceptance: Acceptance | None = None
    """That a person has accepted the reference; the status stays what it is."""
    notices: tuple[Notice, ...] = ()
    """The notices behind ``flags``, where no record of the work was found that has them."""

    @property
    def is_accepted(self) -> bool:
        """Whether a person has accepted the reference and that holds: it does not count against anyone."""
        return self.acceptance is not None and self.acceptance.lapsed is None


@dataclass(frozen=True, slots=True)
class OutgoingRequests:
    """What one host was sent in a run."""

    host: str
    requests: int
    fields: tuple[str, ...]
    """Names of the fields whose content was sent, sorted: ``title``, ``doi``..."""
