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
"""Characters. A longer title has other fields in it."""
_FIELDS = ("title", "authors", "year", "venue", "doi", "arxiv_id")


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
        self._readings: dict[str, Grounded | SourceError] = {}

    def wanted(self, verdict: Verdict) -> bool:
        """What nobody knows, and what looks misread, unless it is confirmed."""
        doubtful = verdict.status is Status.SUSPICIOUS and misread(verdict.reference)
        return bool(verdict.reference.raw.strip()) and (is_open(verdict) or doubtful)

    def search(self, reference: Reference) -> Findings:
        """Return the new reading and what the other links find for it; nothing new is nothing at all."""
        start = self._clock.monotonic()
        try:
            grounded = self._reading(reference.raw)
        except SourceError as error:
            return Findings(inquiries=(Inquiry(self.name, Outcome.FAILED, str(error)),), unread=True)
        if grounded is None:
            return Findings(inquiries=(Inquiry(self.name, Outcome.SKIPPED, "the budget of this run is spent"),))
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

    def _reading(self, raw: str) -> Grounded | None:
        """Return what a model reads in ``raw``, asked once for each text; None where the budget has none left for it.

        Raises :class:`SourceError` where the model gave no answer, now or, with the budget spent, before: a
        failure stays one.
        """
        with self._lock:
            known = self._readings.get(raw)
            if isinstance(known, Grounded):
                return known
            if self._left <= 0:
                if known:
                    raise known
                return None
            self._left -= 1
        try:
            reading: Grounded | SourceError = ground(self._reader.read(raw), raw)
        except SourceError as error:
            reading = error
        with self._lock:
            self._readings[raw] = reading
        if isinstance(reading, SourceError):
            raise reading
        return reading


def misread(reference: Reference) -> bool:
    """Whether the fields look as if the parser had cut the text at wrong places."""
    return not reference.authors or len(reference.title) > _LONG_TITLE


def reread(reference: Reference, grounded: Grounded) -> Reference | None:
    """Return ``reference`` as the new reading has it, or None where that says nothing new, or is of another work.

    Text inside an entry must not pass another work off as the one that is cited. Where the input names its fields, what
    it states stands; only its title may be cut or extended. Elsewhere, what was first read as the title
    must stand somewhere in the new reading.
    """
    named = bool(reference.entry_type)
    title = grounded.title
    if reference.title and not (_one_in_the_other if named else _accounted_for)(reference, grounded):
        if not named:
            return None
        title = ""
    said = {name: getattr(grounded, name) for name in _FIELDS} | {"title": title}
    changes = {
        name: value
        for name, value in said.items()
        if value and (name == "title" or not named or not getattr(reference, name))
    }
    again = replace(reference, **changes)
    return again if again != reference else None


def _accounted_for(reference: Reference, grounded: Grounded) -> bool:
    """Whether most words of the first title stand in the new title, among the new authors or in the new venue."""
    if not grounded.title:
        return True
    words = normalize_title(reference.title).split()
    read = set(normalize_title(" ".join((grounded.title, *grounded.authors, grounded.venue))).split())
    return 2 * sum(word in read for word in words) > len(words)


def _detail(reference: Reference, again: Reference | None, grounded: Grounded) -> str:
    """Say which fields were read anew, and which were dropped because the raw text does not hold them."""
    changed = [name for name in _FIELDS if again and getattr(again, name) != getattr(reference, name)]
    parts = [f"read anew: {', '.join(changed)}" if changed else "read as before"]
    if grounded.dropped:
        parts.append(f"dropped, because the text does not hold it: {', '.join(grounded.dropped)}")
    return "; ".join(parts)


def _one_in_the_other(reference: Reference, grounded: Grounded) -> bool:
    first, second = (f" {normalize_title(item.title)} " for item in (reference, grounded))
    return bool(grounded.title) and (first in second or second in first)
