"""What a screening comes to: papers with their sums, and signals, as tables and overview show them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from citeproof.models import Status
from citeproof.screen.corpus import Corpus
from citeproof.screen.signals import kinds
from citeproof.screen.signals.failing_together import FAILING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from citeproof.screen.signals import Kind, Signal
    from citeproof.screen.store import ScreeningStore

_STATUS = (
    "CASE WHEN v.status IS NOT NULL THEN v.status WHEN p.is_note THEN 'UNVERIFIED' ELSE 'ERROR' END"  # as in a run
)


@dataclass(frozen=True, slots=True)
class PaperSum:
    """One paper and how its references stand."""

    number: int
    name: str
    trouble: str
    """Why nothing could be read of it; empty where something was."""
    seconds: float
    """How long it took to read."""
    by_status: Mapping[str, int]
    """Its entries by status; they add up to all."""
    failing: int
    """Entries that were found nowhere, or describe what cannot be."""

    @property
    def entries(self) -> int:
        """How many entries it has."""
        return sum(self.by_status.values())

    @property
    def rank(self) -> tuple[int, int, int, str]:
        """Its place among all papers: those with most INVALID entries first, then SUSPICIOUS, then failing ones."""
        return (-self.by_status["INVALID"], -self.by_status["SUSPICIOUS"], -self.failing, self.name)


class Results:
    """Everything that is shown of a screening."""

    def __init__(self, store: ScreeningStore) -> None:
        self.store = store
        self.corpus = Corpus(store)

    def papers(self) -> Iterator[PaperSum]:
        """Yield each paper, by number."""
        reasons = ", ".join(f"'{reason}'" for reason in sorted(FAILING))
        counts = ", ".join(f"sum({_STATUS} = '{status}')" for status in Status)
        failing = f"coalesce(sum(v.reason IN ({reasons})), 0)"
        for page in self.store.pages("SELECT id, name, trouble, seconds FROM papers WHERE", "id"):
            sums = {
                row[0]: row[1:]
                for row in self.store.rows(
                    f"SELECT p.paper, {counts}, {failing} FROM places p LEFT JOIN verdicts v "  # noqa: S608
                    "ON v.reference = p.reference WHERE p.paper BETWEEN ? AND ? GROUP BY p.paper",
                    (page[0][0], page[-1][0]),
                )
            }
            for number, name, trouble, seconds in page:
                *statuses, fails = sums.get(number, (*[0] * len(Status), 0))
                by_status = dict(zip((status.value for status in Status), statuses, strict=True))
                yield PaperSum(number, name, trouble, seconds, by_status, fails)

    @cached_property
    def signals(self) -> tuple[tuple[Kind, list[Signal]], ...]:
        """What each kind of signal found."""
        return tuple((kind, kind.find(self.corpus)) for kind in kinds())

    @cached_property
    def distinct(self) -> int:
        """How many distinct references the papers cite."""
        return int(self.store.rows("SELECT count(DISTINCT reference) FROM places")[0][0])

    @cached_property
    def by_reason(self) -> dict[str, int]:
        """How many places have each reason, most first."""
        rows = self.store.rows(
            "SELECT v.reason, count(*) FROM places p JOIN verdicts v ON v.reference = p.reference "
            "GROUP BY v.reason ORDER BY 2 DESC"
        )
        return dict(rows)
