"""The verdict on a reference: status, issues and evidence."""

from dataclasses import dataclass
from enum import StrEnum

from citeproof.model.chance import Chance
from citeproof.model.findings import Inquiry, NearestWork
from citeproof.model.record import Candidate, Notice
from citeproof.model.reference import Reference, Severity

CACHE = "cache"
"""Name of the strategy that asks the cache."""


class Status(StrEnum):
    """The five statuses; ``docs/verdicts.md`` says what each requires."""

    VALID = "VALID"
    SUSPICIOUS = "SUSPICIOUS"
    INVALID = "INVALID"
    UNVERIFIED = "UNVERIFIED"
    ERROR = "ERROR"


FLAGGED = frozenset({Status.SUSPICIOUS, Status.INVALID})
"""Statuses that speak against a reference."""


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


class Lapse(StrEnum):
    """Why an acceptance is no longer valid."""

    CHANGED = "changed"
    """The entry was changed since."""
    EXPIRED = "expired"
    """Its last day has passed."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A statement that a person has checked a reference and accepts it as it is."""

    because: str
    on: str
    """The day, ``YYYY-MM-DD``."""
    until: str = ""
    """Its last day, ``YYYY-MM-DD``; empty if it does not expire."""
    lapsed: Lapse | None = None
    """Why it is no longer valid; None while it is."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision on one reference, with everything that it is based on."""

    reference: Reference
    status: Status
    reason: str
    """Stable code, such as ``title_not_found``; listed in ``docs/verdicts.md``."""
    confidence: float
    """Probability that the status is right, 0 to 1; see ``docs/accuracy.md``."""
    issues: tuple[Issue, ...] = ()
    best_match: Candidate | None = None
    """The record that the reference was compared with."""
    meant: tuple[NearestWork, ...] = ()
    """The works that may be meant, unless VALID: first the best match, then the nearest."""
    evidence: tuple[Inquiry, ...] = ()
    flags: tuple[str, ...] = ()
    """Facts about the work that leave the status as it is, such as ``retracted``."""
    decided_by: str = ""
    """The strategy after which the decision did not change any more; empty if none was asked."""
    searched: str = ""
    """What was searched and what a miss there says, in one or two sentences; only for UNVERIFIED."""
    policy: str = ""
    """Name of the policy that decided; empty if there was nothing to decide on."""
    acceptance: Acceptance | None = None
    """Acceptance by a person; it does not change the status."""
    notices: tuple[Notice, ...] = ()
    """The notices that ``flags`` come from, if no record of the work has them."""
    chance: Chance | None = None
    """The chance that the reference is invented; None if nothing was decided, or under a policy but the default."""

    @property
    def counted(self) -> tuple[Issue, ...]:
        """The issues that count against the reference, without notes."""
        return tuple(issue for issue in self.issues if issue.severity is Severity.ISSUE)

    @property
    def is_accepted(self) -> bool:
        """Whether a valid acceptance exists: the reference does not count for the exit code."""
        return self.acceptance is not None and self.acceptance.lapsed is None

    @property
    def remembered(self) -> str:
        """Source and day of the record if the cache decided the verdict, in words; otherwise empty."""
        hits = (inquiry.detail for inquiry in self.evidence if inquiry.source == CACHE and inquiry.from_cache)
        return next(hits, "") if self.decided_by == CACHE else ""


@dataclass(frozen=True, slots=True)
class OutgoingRequests:
    """The requests that one host received in a run."""

    host: str
    requests: int
    fields: tuple[str, ...]
    """Sorted names of the fields that were sent: ``title``, ``doi``..."""
