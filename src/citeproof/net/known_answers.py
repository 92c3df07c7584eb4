"""What sources have answered before, so that nothing is asked twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.models import Record


class KnownAnswers(Protocol):
    """Answers by source and query."""

    def recall(self, source: str, query: str) -> tuple[Record, ...] | None:
        """Return the records that ``source`` answered to ``query``; None where it is not known, or too old."""

    def keep(self, source: str, query: str, records: Sequence[Record]) -> None:
        """Keep an answer; a failure is none."""
