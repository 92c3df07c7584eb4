"""Which differences weigh how much: every weight and every bound is here, and is applied after the rules.

A rule says what differs, the policy says what follows. ``Policy()`` is the one of this program;
:mod:`citeproof.validation.policies` reads others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from citeproof.models import Issue, Severity
from citeproof.validation.version import other_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citeproof.validation.difference import Difference


class Weight(IntEnum):
    """What a difference does to the verdict; the heaviest one decides."""

    NOTE = 0
    """Usual variation between honest descriptions of one work."""
    OPEN = 1
    """A claim that the records at hand can neither confirm nor contradict: UNVERIFIED."""
    ISSUE = 2
    """A description that is wrong: SUSPICIOUS."""
    CONFLICT = 3
    """Two facts that cannot both hold: INVALID."""


NOTE, OPEN, ISSUE, CONFLICT = Weight

WEIGHTS: Mapping[str, Weight] = {
    "authors.placeholder": ISSUE,
    "doi.malformed": ISSUE,
    "doi.link": NOTE,
    "doi.short": NOTE,
    "doi.unassigned": ISSUE,
    "arxiv.malformed": ISSUE,
    "arxiv.after_year": ISSUE,
    "title.word_changed": ISSUE,
    "title.different": ISSUE,
    "title.spelling": NOTE,
    "title.misspelt": NOTE,
    "title.subtitle": NOTE,
    "authors.other_people": CONFLICT,
    "authors.another_work": ISSUE,
    "authors.not_on_record": ISSUE,
    "authors.given_name": ISSUE,
    "authors.dropped": ISSUE,
    "authors.spelling": NOTE,
    "authors.order": NOTE,
    "authors.commas": NOTE,
    "year.future": CONFLICT,
    "year.ahead": ISSUE,
    "year.off": ISSUE,
    "year.other_edition": ISSUE,
    "year.near": NOTE,
    "venue.different": ISSUE,
    "venue.no_such_edition": ISSUE,
    "venue.twice": ISSUE,
    "venue.unknown": ISSUE,
    "venue.not_confirmed": OPEN,
    "venue.like": OPEN,
    "pages.differ": NOTE,
    "volume.differs": NOTE,
    "number.differs": NOTE,
    "preprint.as_published": ISSUE,
    "preprint.not_confirmed": OPEN,
    "version.differs": OPEN,
    "doi.differs": ISSUE,
    "doi.other_volume": ISSUE,
    "doi.not_confirmed": OPEN,
    "doi.other_work": CONFLICT,
    "arxiv.other_work": CONFLICT,
    "doi.unknown": ISSUE,
    "arxiv.unknown": ISSUE,
    "volume.absent": CONFLICT,
    "identifier.absent": CONFLICT,
    "preprint.absent": CONFLICT,
    "volume.not_found": ISSUE,
    "volume.without_it": ISSUE,
    "volume.companion_not_held": OPEN,
    "reading.unclear": OPEN,
    "reading.doubtful": NOTE,
    "program.fault": OPEN,
    "sources.narrow": OPEN,
}
"""Every code of a difference with its weight; a verdict names its issues in this order."""

MEASURED = "default"
"""The name of the one policy under which it was measured how often verdicts are right."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What differences weigh, and the shares from which a volume speaks; ``docs/accuracy.md`` gives their reasons."""

    weights: Mapping[str, Weight] = field(default_factory=lambda: WEIGHTS)
    name: str = MEASURED
    """By which verdicts and reports call it."""
    not_compared: frozenset[str] = frozenset()
    """Codes of differences that are left out, because the user does not want their field compared."""
    complete: float = 0.95
    """A volume with at least this share of its papers is taken for complete: what it lacks is hardly in it."""
    proved: float = 0.9975
    """A volume of which at least this share is certain proves that what it lacks is not in it: it accuses at most
    one in a thousand true references, by ``python -m tests.accuracy.absence``."""
    without_gaps: float = 0.998
    """A series of identifiers, or arXiv's papers of a time, of which at least this share is held proves an absence: it
    accuses at most two in a thousand true references, by ``python -m tests.accuracy.coverage``."""
    given: float = 0.99
    """Of a series of identifiers at least this share must be held for one that it lacks to count as unknown."""
    held: float = 0.95
    """A volume at least this complete would show the work if it had appeared there as well. By 0.8 it accused 0.3 % of
    the true references to papers that a database without a drawn tenth of its records does not hold."""

    def weigh(self, differences: Iterable[Difference]) -> tuple[Issue, ...]:
        """Return ``differences`` as issues of a verdict, in the order of the weights."""
        differences = tuple(differences)
        if not differences:
            return ()
        places = {code: place for place, code in enumerate(self.weights)}
        in_order = sorted(differences, key=lambda difference: places[difference.code])
        # Which version is meant is asked of all differences, so that leaving out a field accuses nobody.
        versions = zip(in_order, other_version(in_order), strict=True)
        return tuple(self.issue(item) for found, item in versions if found.code not in self.not_compared)

    def issue(self, difference: Difference) -> Issue:
        """Return one difference as an issue; what would make a reference SUSPICIOUS or INVALID counts against it."""
        severity = Severity.ISSUE if self.weights[difference.code] >= Weight.ISSUE else Severity.NOTE
        return Issue(difference.code, severity, difference.cited, difference.recorded, difference.explanation)

    def heaviest(self, issues: Iterable[Issue]) -> Weight:
        """Return the weight that decides."""
        return max((self.weights[item.code] for item in issues), default=Weight.NOTE)


DEFAULT = Policy()
