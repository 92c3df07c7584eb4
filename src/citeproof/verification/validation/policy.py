"""Differences between a reference and the records of a work, and the policy that decides how
serious each difference is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum

from citeproof.model.reference import Severity
from citeproof.model.verdict import Issue
from citeproof.verification.validation.codes import CODES, SENTENCES

ANOTHER_VERSION = "; another version may be cited"
"""End of the explanation of a difference from a record of another version."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between a reference and records, found by a rule."""

    code: str  # stable code, such as ``year.off``; ``codes.json`` has its meaning
    cited: str
    recorded: str
    explanation: str  # one line that tells the user what to check or change
    of: str = ""  # the original code if ``code`` is ``version.differs``

    def of_another_version(self) -> Difference:
        """Return this difference with the code ``version.differs``, because the record is of
        another version.
        """
        explanation = f"{self.explanation}{ANOTHER_VERSION}"
        return replace(self, code="version.differs", of=self.code, explanation=explanation)


def found(key: str, cited: str, recorded: str = "", **details: object) -> Difference:
    """Return a difference with the sentence that :data:`SENTENCES` has for ``key``.

    A key is an issue code, or a code and a variant: ``doi.link/volume``. The values ``cited``,
    ``recorded`` and ``details`` replace the placeholders of the sentence.
    """
    sentence = SENTENCES[key].format(cited=cited, recorded=recorded, **details)
    return Difference(key.partition("/")[0], cited, recorded, sentence)


class Weight(IntEnum):
    """How serious a difference is. The most serious difference decides the verdict."""

    NOTE = 0  # usual difference between correct references to one work
    OPEN = 1  # a cited detail that no record confirms or contradicts: leads to UNVERIFIED
    ISSUE = 2  # a wrong detail: leads to SUSPICIOUS
    CONFLICT = 3  # two facts that cannot both be true: leads to INVALID


WEIGHTS: Mapping[str, Weight] = {code: Weight[row.weight.upper()] for code, row in CODES.items()}
"""Map from issue code to default weight, in the order in which a verdict lists issues."""
MEASURED = "default"
"""Name of the policy under which the accuracy was measured."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Weights of differences, and thresholds from 0 to 1.

    ``docs/accuracy.md`` explains the default values.
    """

    weights: Mapping[str, Weight] = field(default_factory=lambda: WEIGHTS)
    name: str = MEASURED  # name of the policy in verdicts and reports
    not_compared: frozenset[str] = frozenset()
    """Issue codes that are ignored, because the user does not want the field to be compared."""
    # minimum share of a volume in the database for the volume to be called complete
    complete: float = 0.95
    proved: float = 0.9975
    """Minimum share of a volume in the database that proves that the volume lacks a title.

    With the default, at most one in a thousand true references is flagged wrongly (``python -m
    tests.accuracy.absence``).
    """
    without_gaps: float = 0.998
    """Minimum share of a series of identifiers, or of the arXiv papers of a period, that the
    database must have to prove that a work is absent.

    With the default, at most two in a thousand true references are flagged wrongly (``python -m
    tests.accuracy.coverage``).
    """
    given: float = 0.99
    """Minimum share of a series of identifiers that the database must have for a missing identifier
    to be called unknown.
    """
    held: float = 0.95
    """Minimum share of the cited volume that the database must have for a record at another venue
    to contradict the cited venue.

    The value was tested with a database without a random tenth of its records. With a value of 0.8,
    0.3 % of the true references to the missing papers were flagged wrongly.
    """

    def weigh(self, differences: Iterable[Difference]) -> tuple[Issue, ...]:
        """Return ``differences`` as issues, in the order of ``weights``.

        Ignored codes are left out.
        """
        places = list(self.weights)
        in_order = sorted(differences, key=lambda difference: places.index(difference.code))
        return tuple(
            self.issue(item) for item in in_order if (item.of or item.code) not in self.not_compared
        )

    def issue(self, difference: Difference) -> Issue:
        """Return a difference as an issue.

        The issue is a note unless the weight of the code is ISSUE or CONFLICT.
        """
        severity = (
            Severity.ISSUE if self.weights[difference.code] >= Weight.ISSUE else Severity.NOTE
        )
        return Issue(
            difference.code, severity, difference.cited, difference.recorded, difference.explanation
        )

    def heaviest(self, issues: Iterable[Issue]) -> Weight:
        """Return the heaviest weight of ``issues``; NOTE if there are no issues."""
        return max((self.weights[item.code] for item in issues), default=Weight.NOTE)


DEFAULT = Policy()
