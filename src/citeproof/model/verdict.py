"""The verdict on a reference: status, issues and evidence."""

from dataclasses import dataclass
from enum import StrEnum

from citeproof.model.chance import Chance
from citeproof.model.findings import Inquiry, NearestWork, Outcome
from citeproof.model.record import Candidate, Notice
from citeproof.model.reference import Reference, Severity

CACHE = "cache"
"""Name of the strategy that searches the cache of verified records."""


class Status(StrEnum):
    """The five statuses of verdicts. ``docs/verdicts.md`` says what each status requires."""

    VALID = "VALID"
    SUSPICIOUS = "SUSPICIOUS"
    INVALID = "INVALID"
    UNVERIFIED = "UNVERIFIED"
    ERROR = "ERROR"


FLAGGED = frozenset({Status.SUSPICIOUS, Status.INVALID})
"""Statuses that report a fault of the reference: SUSPICIOUS and INVALID."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One difference between the reference and a record."""

    code: str
    """Stable code, such as ``year.off``; listed in ``docs/verdicts.md``."""
    severity: Severity
    cited: str
    recorded: str
    explanation: str
    """One line that tells the user what to do."""

    @property
    def counts(self) -> bool:
        """Whether the difference counts against the reference. Otherwise it is a note."""
        return self.severity is Severity.ISSUE


class Lapse(StrEnum):
    """Reason why an acceptance does not apply any more."""

    CHANGED = "changed"
    """The entry was changed after a person had accepted it."""
    EXPIRED = "expired"
    """The last day of the acceptance has passed."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A statement that a person has checked a reference and accepts it as it is."""

    because: str
    on: str
    """Date of the acceptance, ``YYYY-MM-DD``."""
    until: str = ""
    """Last day of the acceptance, ``YYYY-MM-DD``; empty if it does not expire."""
    lapsed: Lapse | None = None
    """Why the acceptance does not apply any more; None while it applies."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking one reference: the status, with reasons and evidence."""

    reference: Reference
    status: Status
    reason: str
    """Stable code of the reason for the status, such as ``title_not_found``; listed in
    ``docs/verdicts.md``.
    """
    confidence: float
    """Probability that the status is right, 0 to 1; see ``docs/accuracy.md``."""
    issues: tuple[Issue, ...] = ()
    best_match: Candidate | None = None
    """The record that the reference was compared with; None if no record was found."""
    meant: tuple[NearestWork, ...] = ()
    """Works that may be the cited work: the best match, then the most similar works.

    Empty if the status is VALID.
    """
    evidence: tuple[Inquiry, ...] = ()
    flags: tuple[str, ...] = ()
    """Codes of remarks, such as ``retracted`` or ``weak_web_match``.

    They do not change the status.
    """
    decided_by: str = ""
    """Name of the last search strategy that changed the verdict, such as ``cache``; empty if there
    is none.
    """
    searched: str = ""
    """Text that says what was searched, and what it means that nothing was found.

    Empty unless the status is UNVERIFIED.
    """
    policy: str = ""
    """Name of the policy under which the verdict was decided. A policy says how serious each
    difference is.

    Empty if the entry could not be checked.
    """
    acceptance: Acceptance | None = None
    """Statement of a person who accepts the reference; None if nobody does.

    It does not change the status.
    """
    notices: tuple[Notice, ...] = ()
    """Retractions and concerns that explain ``flags``, if no record of the cited work was found."""
    chance: Chance | None = None
    """Probability that the reference is invented; None if it was not checked or the policy is not
    ``default``.
    """

    @property
    def counted(self) -> tuple[Issue, ...]:
        """The issues with severity ISSUE, which count against the reference."""
        return tuple(issue for issue in self.issues if issue.counts)

    @property
    def notes(self) -> tuple[Issue, ...]:
        """The issues with severity NOTE: differences that many correct references have."""
        return tuple(issue for issue in self.issues if not issue.counts)

    @property
    def is_valid(self) -> bool:
        """Whether the status is VALID."""
        return self.status is Status.VALID

    @property
    def is_flagged(self) -> bool:
        """Whether the status is SUSPICIOUS or INVALID."""
        return self.status in FLAGGED

    @property
    def failures(self) -> tuple[Inquiry, ...]:
        """The queries that failed."""
        return tuple(one for one in self.evidence if one.outcome is Outcome.FAILED)

    @property
    def is_noted(self) -> bool:
        """Whether the reference is VALID, but differs from the record in a detail."""
        return self.is_valid and bool(self.notes)

    @property
    def is_accepted(self) -> bool:
        """Whether a person has accepted the reference and the acceptance still applies."""
        return self.acceptance is not None and self.acceptance.lapsed is None

    @property
    def remembered(self) -> str:
        """Source and date of the cached record that decided the verdict, as text; empty if the
        cache did not decide.
        """
        hits = (
            inquiry.detail
            for inquiry in self.evidence
            if inquiry.source == CACHE and inquiry.from_cache
        )
        return next(hits, "") if self.decided_by == CACHE else ""


@dataclass(frozen=True, slots=True)
class OutgoingRequests:
    """The requests of a run to one host."""

    host: str
    requests: int
    fields: tuple[str, ...]
    """Sorted names of the fields of references that the requests contained: ``title``,
    ``doi``...
    """
