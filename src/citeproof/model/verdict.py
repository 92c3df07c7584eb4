"""The verdict on a reference: status, issues and evidence."""

from dataclasses import dataclass
from enum import StrEnum

from citeproof.model.chance import Chance
from citeproof.model.findings import Inquiry, NearestWork
from citeproof.model.record import Candidate, Notice
from citeproof.model.reference import Reference, Severity

CACHE = "cache"
"""Name of the strategy that searches the cache."""


class Status(StrEnum):
    """The five statuses; ``docs/verdicts.md`` says what each requires."""

    VALID = "VALID"
    SUSPICIOUS = "SUSPICIOUS"
    INVALID = "INVALID"
    UNVERIFIED = "UNVERIFIED"
    ERROR = "ERROR"


FLAGGED = frozenset({Status.SUSPICIOUS, Status.INVALID})
"""Statuses of verdicts against a reference."""


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
    """Why an acceptance does not apply any more."""

    CHANGED = "changed"
    """The entry was changed after it was accepted."""
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
    """The decision on one reference, with everything on which it is based."""

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
    """The works that the reference may mean: the best match, then the most similar works. Empty if VALID."""
    evidence: tuple[Inquiry, ...] = ()
    flags: tuple[str, ...] = ()
    """Facts about the work that do not change the status, such as ``retracted``."""
    decided_by: str = ""
    """Name of the last strategy whose findings changed the decision; empty if no strategy was used."""
    searched: str = ""
    """What was searched and what the miss means, in one or two sentences; only for UNVERIFIED."""
    policy: str = ""
    """Name of the policy under which the verdict was decided; empty if there was nothing to decide."""
    acceptance: Acceptance | None = None
    """Acceptance by a person; it does not change the status."""
    notices: tuple[Notice, ...] = ()
    """The notices that led to ``flags``, if no record of the work states them."""
    chance: Chance | None = None
    """The chance that the reference is invented; None if nothing was decided or the policy is not the default."""

    @property
    def counted(self) -> tuple[Issue, ...]:
        """The issues that count against the reference, without notes."""
        return tuple(issue for issue in self.issues if issue.severity is Severity.ISSUE)

    @property
    def is_accepted(self) -> bool:
        """Whether an acceptance applies, so that the reference does not count for the exit code."""
        return self.acceptance is not None and self.acceptance.lapsed is None

    @property
    def remembered(self) -> str:
        """Source and date of the record, in words, if the cache decided the verdict; otherwise empty."""
        hits = (inquiry.detail for inquiry in self.evidence if inquiry.source == CACHE and inquiry.from_cache)
        return next(hits, "") if self.decided_by == CACHE else ""


@dataclass(frozen=True, slots=True)
class OutgoingRequests:
    """The requests of a run to one host."""

    host: str
    requests: int
    fields: tuple[str, ...]
    """Sorted names of the fields of references that the requests contained: ``title``, ``doi``..."""
