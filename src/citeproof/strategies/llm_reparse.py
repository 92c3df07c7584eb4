"""The LLM re-parse strategy: another reading of a doubtful reference, and the same search for what it says.

The model never decides. What it reads must stand in the raw text, and the verdict on it is the
validator's, over what the other links find.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.llm.grounding import Grounded, ground
from citeproof.models import Findings, Inquiry, MatchKind, Outcome, Status
from citeproof.net.failure import SourceError
from citeproof.text.normalize import normalize_title
from citeproof.validation.outage import is_open

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.llm.reader import Reader
    from citeproof.models import Reference, Verdict
    from citeproof.net.clock import Clock
    from citeproof.pipeline import Strategy

_LONG_TITLE = 300
"""Characters; a longer title has swallowed other fields."""


class LlmReparseStrategy:
    """Has a model read the raw text anew, and walks the other links with the result."""

    name = "llm_reparse"

    def __init__(self, reader: Reader, links: Sequence[Strategy], clock: Clock, budget: int) -> None:
        """``links`` are walked with the new reading; ``budget`` is the most calls of a run."""
        self._reader = reader
        self._links = tuple(links)
        self._clock = clock
        self._left = budget
        self._lock = threading.Lock()
        self._seen: set[str] = set()

    def wanted(self, verdict: Verdict) -> bool:
        """What nobody knows, and what looks misread, unless it is confirmed."""
        doubtful = verdict.status is Status.SUSPICIOUS and misread(verdict.reference)
        return bool(verdict.reference.raw.strip()) and (is_open(verdict) or doubtful)

    def search(self, reference: Reference) -> Findings:
        """Return the new reading and what the other links find for it; nothing new is nothing at all."""
        if reason := self._refusal(reference):
            return Findings(inquiries=(Inquiry(self.name, Outcome.SKIPPED, reason),))
        start = self._clock.monotonic()
        try:
            grounded = ground(self._reader.read(reference.raw), reference.raw)
        except SourceError as error:
            return Findings(inquiries=(Inquiry(self.name, Outcome.FAILED, str(error)),), unread=True)
        milliseconds = (self._clock.monotonic() - start) * 1000
        again = reread(reference, grounded)
        detail = _detail(reference, again, grounded)
        findings = Findings(inquiries=(Inquiry(self.name, Outcome.ANSWERED, detail, milliseconds=milliseconds),))
        if again is None:
            return findings
        findings += Findings(reparsed=again)
        for link in self._links:
            findings += link.search(again)
            if any(c.match not in {MatchKind.NEARBY, MatchKind.WEB} for c in findings.candidates):
                break
        return findings

    def _refusal(self, reference: Reference) -> str:
        """Say why not to ask, or take one call from the budget: at most one for each reference."""
        with self._lock:
            if reference.raw in self._seen:
                return "already read in this run"
            if self._left <= 0:
                return "the budget of this run is spent"
            self._seen.add(reference.raw)
            self._left -= 1
            return ""


def misread(reference: Reference) -> bool:
    """Whether the fields look as if the parser had cut the text at wrong places."""
    return not reference.authors or len(reference.title) > _LONG_TITLE


def reread(reference: Reference, grounded: Grounded) -> Reference | None:
    """Return ``reference`` as the new reading has it, or None where that says nothing new.

    Where the input names its fields, the claimed title stands: a reading may cut it or extend it, and may
    not put another text of the entry in its place.
    """
    title = grounded.title
    if reference.entry_type and reference.title and not _one_in_the_other(title, reference.title):
        title = ""
    changes = {
        name: value
        for name, value in (
            ("title", title),
            ("authors", grounded.authors),
            ("year", grounded.year),
            ("venue", grounded.venue),
            ("doi", grounded.doi),
            ("arxiv_id", grounded.arxiv_id),
        )
        if value
    }
    again = replace(reference, **changes)  # type: ignore[arg-type] # each name has its own type
    return again if again != reference else None


def _detail(reference: Reference, again: Reference | None, grounded: Grounded) -> str:
    """Say which fields were read anew, and which were dropped because the raw text does not hold them."""
    names = ("title", "authors", "year", "venue", "doi", "arxiv_id")
    changed = [name for name in names if again and getattr(again, name) != getattr(reference, name)]
    parts = [f"read anew: {', '.join(changed)}" if changed else "read as before"]
    if grounded.dropped:
        parts.append(f"dropped, because the text does not hold it: {', '.join(grounded.dropped)}")
    return "; ".join(parts)


def _one_in_the_other(title: str, other: str) -> bool:
    first, second = f" {normalize_title(title)} ", f" {normalize_title(other)} "
    return bool(title) and (first in second or second in first)
