"""Estimates of the probability that a reference is invented, and of the number of invented
references in a paper.

Each fact about a reference multiplies the odds. Example: 1 % of all references are invented, so the
odds are 1 to 99. A fact that is 15 times as frequent in invented references as in real references
makes the odds 15 to 99: 13 %.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log, prod
from typing import NamedTuple, Self, TypeVar

T = TypeVar("T")

BASE_RATE = 0.01
"""Assumed share, 0 to 1, of invented references among all references, unless the user sets another
share.
"""
SHOWN = 3
"""Maximum number of facts (evidence for or against an invention) that a report lists for a
reference.
"""
SHARES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Possible shares, 0 to 1, of invented references in a paper that has any.

All are assumed to be equally likely.
"""
_SILENCE = re.compile(r"work\.(?:nothing|near_title|its_people)|place\.(?:un)?stated")
"""Regex for the codes of facts that only say that the cited work was not found, such as
``work.nothing``.
"""
# maximum number of references that a report lists as evidence that a paper has invented references
_CARRYING = 5
# minimum value of ``Odds.paper`` at which a reference is listed as evidence against the paper
_CARRIES = 2.0
# upper limit, 0 to 1, of two shares: papers with inventions, and invented references in a paper
_MOST_PAPERS = 0.9


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact about a reference that changes the odds that it is invented."""

    code: str
    """Group and name: ``work.absent``; listed in ``docs/verdicts.md``."""
    said: str
    """The fact as a sentence or phrase."""
    ratio: float
    """Share of invented references with this fact, divided by the share of other references with
    it.
    """

    @property
    def is_telling(self) -> bool:
        """Whether the fact raises or lowers the odds of an invented reference by about 5 % or
        more.
        """
        return not 0.95 < self.ratio < 1.05

    @property
    def is_silence(self) -> bool:
        """Whether the fact only says that the cited work was not found."""
        return bool(_SILENCE.fullmatch(self.code))

    @property
    def effect(self) -> str:
        """The change of the odds and the fact, as text: ``... (multiplies the odds by 15)``."""
        if not self.is_telling:
            return f"{self.said} (does not change the odds)"
        verb, times = ("multiplies", self.ratio) if self.ratio > 1 else ("divides", 1 / self.ratio)
        return f"{self.said} ({verb} the odds by {times:,.{0 if times >= 10 else 1}f})"


class Odds(NamedTuple):
    """How strongly the facts about a reference speak for an invention, as two factors that multiply
    odds.
    """

    own: float
    """Factor for the odds that the reference is invented."""
    paper: float
    """Factor for the odds that the citing paper has invented references.

    Facts that only say that nothing was found do not raise this factor, because a small database
    may lack many of the works that a paper cites.
    """

    @property
    def is_silent(self) -> bool:
        """Whether the odds are raised because the work was not found."""
        return self.own > self.paper


@dataclass(frozen=True, slots=True)
class Chance:
    """The probability that a reference is invented, calculated from facts and the share of invented
    references.
    """

    facts: tuple[Fact, ...]
    """Facts about the reference. Facts that change the odds most come first."""
    base_rate: float = BASE_RATE

    @property
    def ratio(self) -> float:
        """Factor by which all facts together multiply the odds that the reference is invented."""
        return prod(fact.ratio for fact in self.facts)

    @property
    def odds(self) -> Odds:
        """The facts summed up as two factors: for the reference, and for the paper that cites the
        reference.
        """
        silence = prod(fact.ratio for fact in self.facts if fact.is_silence)
        return Odds(
            self.ratio,
            min(silence, 1.0) * prod(fact.ratio for fact in self.facts if not fact.is_silence),
        )

    @property
    def invented(self) -> float:
        """Probability, 0 to 1, that the reference is invented."""
        return chance_of(self.ratio, self.base_rate)


@dataclass(frozen=True, slots=True)
class PaperChance:
    """Estimates of the number of invented references in a paper."""

    expected: float = 0.0
    """Expected number of invented references."""
    one: float = 0.0
    """Probability of at least one invented reference."""
    three: float = 0.0
    """Probability of at least three invented references."""

    @classmethod
    def of(cls, odds: Sequence[Odds], base_rate: float) -> Self:
        """Return the estimates for a paper. ``odds`` has the :attr:`Chance.odds` of every reference
        in the paper.

        Most papers are assumed to have no invented reference. In all other papers, the share of
        invented references is assumed to be a value of :data:`SHARES`. The average share over all
        papers is ``base_rate``.
        """
        mean = sum(SHARES) / len(SHARES)
        some = min(base_rate / mean, _MOST_PAPERS)
        shares = [min(share * base_rate / (some * mean), _MOST_PAPERS) for share in SHARES]
        before = log(some / len(shares))
        weights = [
            before + sum(log(1 - share + share * one.paper) for one in odds) for share in shares
        ]
        none = log(1 - some)
        most = max(none, *weights)
        total = exp(none - most) + sum(exp(weight - most) for weight in weights)
        expected = one = three = 0.0
        for share, weight in zip(shares, weights, strict=True):
            part = exp(weight - most) / total
            silence = _silence(odds, share)
            chances = [
                chance_of(one.own * (silence if one.is_silent else 1.0), share) for one in odds
            ]
            fewer = _fewer_than_three(chances)
            expected += part * sum(chances)
            one += part * (1 - fewer[0])
            three += part * (1 - sum(fewer))
        return cls(expected, one, max(three, 0.0))


def chance_of(ratio: float, base_rate: float) -> float:
    """Return the probability ``base_rate`` after its odds are multiplied by ``ratio``: 0.13 for
    0.01 and 15.
    """
    return ratio * base_rate / (ratio * base_rate + 1 - base_rate)


def carried_by(odds: Iterable[tuple[Odds, T]]) -> list[T]:
    """Return at most five items, those of the references that are most probably invented.

    ``odds`` has a pair for each reference: its odds and an item, such as its name. Items with the
    highest ``own`` come first. References whose ``paper`` is below 2 are left out.
    """
    against = sorted(
        (pair for pair in odds if pair[0].paper >= _CARRIES), key=lambda pair: -pair[0].own
    )
    return [one for _, one in against[:_CARRYING]]


def _silence(odds: Sequence[Odds], share: float) -> float:
    """Return the factor, at most 1, for the odds of a reference whose work was not found.

    ``odds`` are the odds of all references of the paper. The share ``share`` of these references is
    assumed to be invented.

    The factor is small if the database lacks most works of the paper. Example: the paper has 100
    references, and 20 are invented. If 95 works are not found, then 75 of the 80 existing works are
    not found either. So it says little about a reference that its work is not found.
    """
    silent = [one.own / one.paper for one in odds if one.is_silent]
    existing = len(silent) / len(odds) - share if odds else 0.0
    if existing <= 0:
        return 1.0
    return min((1 - share) / existing / (sum(silent) / len(silent)), 1.0)


def _fewer_than_three(chances: Sequence[float]) -> tuple[float, float, float]:
    """Return the probabilities that exactly 0, 1 and 2 independent events occur.

    ``chances`` has the probability of each event.
    """
    none, one, two = 1.0, 0.0, 0.0
    for chance in chances:
        none, one, two = (
            none * (1 - chance),
            one * (1 - chance) + none * chance,
            two * (1 - chance) + one * chance,
        )
    return none, one, two
