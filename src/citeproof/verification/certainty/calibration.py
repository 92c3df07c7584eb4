"""Confidence: how often a verdict is right in an ordinary bibliography, by its deciding issue code or its reason.

``python -m tests.accuracy.calibrate`` counts ``COUNTED``; the accuracy gate fails when it differs. The flags on six
honest bibliographies, each judged by a person, show how often a code is a real fault. The flags on the invented
references of the data set HALLMARK show how many inventions it finds. One reference in 100 is assumed to be invented.

Example: ``title.word_changed`` was right in 3 of 4 flags (smoothed: 2 of 3) on 1,436 honest entries, and flagged 26 of
606 inventions. So of 10,000 references, it flags 28 of 9,900 honest ones, 18 of them rightly, and 4 of 100 inventions:
22 of 32 flags are right.
"""

from collections.abc import Sequence
from functools import cache

from citeproof.model.reference import Severity
from citeproof.model.verdict import Issue, Status, Verdict

COUNTED = {
    "arxiv.after_year": (0, 0, 16),
    "arxiv.malformed": (0, 0, 1),
    "authors.another_work": (0, 0, 4),
    "authors.dropped": (21, 21, 29),
    "authors.given_name": (8, 9, 9),
    "authors.not_on_record": (5, 5, 4),
    "authors.other_people": (0, 1, 94),
    "authors.placeholder": (0, 0, 5),
    "doi.differs": (1, 1, 0),
    "doi.malformed": (1, 1, 0),
    "doi.other_volume": (0, 0, 3),
    "doi.other_work": (7, 7, 3),
    "doi.unassigned": (0, 0, 21),
    "title.different": (3, 3, 13),
    "title.word_changed": (3, 4, 26),
    "venue.different": (0, 1, 60),
    "venue.no_such_edition": (0, 0, 3),
    "venue.twice": (2, 2, 19),
    "volume.absent": (1, 1, 28),
    "volume.not_found": (2, 2, 53),
    "volume.without_it": (0, 0, 8),
    "year.future": (0, 0, 30),
    "year.off": (7, 7, 15),
    "year.other_edition": (2, 2, 1),
}
"""Map from deciding issue code to numbers of flags: right and all on honest bibliographies, all on inventions."""
WILD = {code: (right, given) for code, (right, given, _) in COUNTED.items() if given}
INVENTED = {code: found for code, (_, _, found) in COUNTED.items() if found}
WILD_DECIDED = 1436
INVENTED_TOTAL = 606
AGREEING = (421, 423)
"""Numbers of right verdicts and of all verdicts that were VALID because of a record, on references of HALLMARK."""
UNMEASURED = 0.5
"""Confidence of UNVERIFIED and ERROR, which claim nothing, and of kinds of verdicts that were not measured."""
_INVENTED_SHARE = 0.01
_MIN_FLAGS = 3  # minimum number of flags of a code for using its own share of right flags, not that of all codes


@cache
def confidence(reason: str, code: str = "") -> float:
    """Return the probability, 0 to 1, that a verdict is right, by ``reason`` and by its most serious issue ``code``."""
    if reason == "record_agrees":
        return _smoothed(*AGREEING)
    if not code:
        return UNMEASURED
    given = max(WILD.get(code, (0, 0))[1], 1)
    honest = (1 - _INVENTED_SHARE) * given / WILD_DECIDED
    invented = _INVENTED_SHARE * INVENTED.get(code, 0) / INVENTED_TOTAL
    return round((honest * faults_among(code) + invented) / (honest + invented), 3)


@cache
def faults_among(code: str) -> float:
    """Return the share of faults among the findings with ``code`` in honest bibliographies."""
    right, given = WILD.get(code, (0, 0))
    if given < _MIN_FLAGS:
        right, given = (sum(pair[place] for pair in WILD.values()) for place in (0, 1))
    return _smoothed(right, given)


def deciding(issues: Sequence[Issue]) -> str:
    """Return the code of the most serious issue; empty if no issue counts."""
    return next((issue.code for issue in issues if issue.severity is Severity.ISSUE), "")


def in_words(verdict: Verdict) -> str:
    """Return a phrase on how often findings like the deciding one were faults; empty if this was not measured."""
    code = deciding(verdict.issues)
    if not says_something(verdict) or verdict.status is Status.VALID or WILD.get(code, (0, 0))[1] < _MIN_FLAGS:
        return ""
    return f"of such findings in honest bibliographies {faults_among(code):.0%} were faults".replace("%", " in 100")


def says_something(verdict: Verdict) -> bool:
    """Return whether ``verdict`` makes a claim of a kind whose confidence was measured."""
    return verdict.status not in {Status.UNVERIFIED, Status.ERROR} and verdict.confidence != UNMEASURED


def _smoothed(right: int, given: int) -> float:
    """Return the share of ``right`` among ``given`` by Laplace's rule of succession, which never gives 0 or 1."""
    return round((right + 1) / (given + 2), 3)
