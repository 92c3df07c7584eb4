"""What earlier runs verified and what sources answered, so that nothing is asked twice.

Each engine is a package beside this file; ``sqlite`` keeps both kinds in one file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from citeproof.net.known_answers import KnownAnswers

if TYPE_CHECKING:
    from citeproof.models import Record, Verdict


class VerificationCache(Protocol):
    """The works that VALID verdicts rested on, for runs that cannot see the source again.

    A work is a finding like any other; the validator decides whether it confirms a reference.
    Safe to share between threads and between processes.
    """

    def find(self, title: str) -> tuple[Record, ...]:
        """Return the records whose title contains ``title``, ASCII case aside, newest first; none for a blank title.

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
