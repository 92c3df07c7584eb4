"""What earlier runs verified and what sources answered, so that nothing is asked twice.

Each engine is a package beside this file; ``sqlite`` keeps both kinds in one file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from citeproof.net.known_answers import KnownAnswers

if TYPE_CHECKING:
    from citeproof.models import Record, Verdict


@dataclass(frozen=True, slots=True)
class Remembered:
    """A work that an earlier run verified, with what its verdict rested on."""

    record: Record
    source_date: str
    """Day of the newest record of its source at that time; empty where it is not known."""
    checked: str
    """Day of that run."""

    def __str__(self) -> str:
        source = f"{self.record.source or 'an unnamed source'}{f' of {self.source_date}' if self.source_date else ''}"
        return f"remembered from {source}, checked on {self.checked}"


class VerificationCache(Protocol):
    """The works that VALID verdicts rested on, for runs that cannot see the source again.

    A work is a finding like any other; the validator decides whether it confirms a reference.
    Safe to share between threads and between processes.
    """

    def find(self, title: str) -> tuple[Remembered, ...]:
        """Return the works whose title contains ``title``, ASCII case aside, newest first; none for a blank title.

        At most 100: works of one short title are many.

        Raises :class:`~citeproof.errors.DatabaseError` when the cache cannot be read.
        """

    def remember(self, verdict: Verdict) -> None:
        """Keep the record of the best match; one with the same title, authors and year is kept once.

        Where that fails, nothing more is kept.
        """

    @property
    def trouble(self) -> str:
        """Why nothing more is kept; empty while all is well."""

    def close(self) -> None:
        """Let go of the file or the server."""


class AnswerCache(KnownAnswers, Protocol):
    """The records that sources answered, by source and query. An answer without records is an answer too.

    A failure is never kept. Safe to share between threads and between processes.
    """

    @property
    def trouble(self) -> str:
        """Why nothing more is kept; empty while all is well."""

    def close(self) -> None:
        """Let go of the file or the server."""
