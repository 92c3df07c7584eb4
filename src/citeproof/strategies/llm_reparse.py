"""The LLM re-parse strategy: another reading of a doubtful reference, and the same search for what it says.

The model never decides. What it reads must stand in the raw text, and the verdict on it is the
validator's, over what the other links find.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.llm.grounding import Grounded, ground
from citeproof.models import Findings, Inquiry, MatchKind, Outcome, Status
from citeproof.net.failure import SourceError
from citeproof.pipeline import TwoStage
from citeproof.text.normalize import normalize_title
from citeproof.validation.outage import is_open

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citeproof.llm.reader import Reader
    from citeproof.models import Reference, Verdict
    from citeproof.net.clock import Clock
    from citeproof.pipeline import Strategy

_LONG_TITLE = 300
"""Characters. A longer title has other fields in it."""
_PAGES = re.compile(r"\d+\s*[-\u2013\u2014]+\s*\d+")
_CONNECTING = frozenset(
    """and et al etal in of the proc proceedings pp p pages vol volume no eds ed url doi arxiv
    """.split()  # noqa: SIM905 - a list of words reads as words
)
"""Words that join the fields of a plain reference and name no work."""
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

    def search_further(self, reference: Reference, verdict: Verdict) -> Findings:
        """Return what the other links' second stages find for the new reading, which ``reference`` is by now."""
        if not any(asked.source == self.name and asked.outcome is Outcome.ANSWERED for asked in verdict.evidence):
            return Findings()
        findings = Findings()
        for link in self._links:
            if isinstance(link, TwoStage):
                findings += link.search_further(reference, verdict)
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

    Text inside an entry must not pass another work off as the one that is cited, and a title that is cut must not
    become another work's. Where the input names its fields, what it states stands, and its title may only be cut or
    extended. What the new title leaves out must be found to be something else: see :func:`_left_out`.
    """
    named = bool(reference.entry_type)
    said = {name: getattr(grounded, name) for name in _FIELDS}
    changes = {
        name: value
        for name, value in said.items()
        if value and (name == "title" or not named or not getattr(reference, name))
    }
    again = replace(reference, **changes)
    if _left_out(reference, again) or (named and not _one_in_the_other(reference, again)):
        if not named:
            return None
        again = replace(again, title=reference.title)
    return again if again != reference else None


def _left_out(reference: Reference, again: Reference) -> list[str]:
    """Return the words of the first title that stand nowhere in the new reading.

    "Fritz Hail. Counting sheep, 2003" may be read as the title "Counting sheep", because the author and the year have
    the other words. "Counting sheep with interval trees" may not: it is another work, which need not exist. A word that
    was broken at the end of a line ("inter- val") may be mended.
    """
    new = Counter(normalize_title(again.title).split())
    others = {word for value in _texts(again) for word in normalize_title(value).split()} | _CONNECTING
    words = normalize_title(reference.title).split()
    left_out = []
    place = 0
    while place < len(words):
        mended = "".join(words[place : place + 2])
        length = 2 if not new[words[place]] and new[mended] else 1
        word = mended if length == 2 else words[place]
        if new[word]:
            new[word] -= 1
        elif word not in others:
            left_out.append(word)
        place += length
    return left_out


def _texts(reference: Reference) -> Iterator[str]:
    """Yield what the fields other than the title say; of the pages also where they begin and end."""
    yield from reference.authors
    yield str(reference.year or "")
    for name in ("venue", "doi", "arxiv_id", "volume", "number", "publisher", "note", "url"):
        yield getattr(reference, name)
    for pages in (reference.pages, *_PAGES.findall(reference.raw)):
        yield " ".join(re.findall(r"\w+", pages))


def _one_in_the_other(reference: Reference, again: Reference) -> bool:
    first, second = (f" {normalize_title(item.title)} " for item in (reference, again))
    return first in second or second in first


def _detail(reference: Reference, again: Reference | None, grounded: Grounded) -> str:
    """Say which fields were read anew, and which were dropped because the raw text does not hold them."""
    changed = [name for name in _FIELDS if again and getattr(again, name) != getattr(reference, name)]
    parts = [f"read anew: {', '.join(changed)}" if changed else "read as before"]
    if grounded.dropped:
        parts.append(f"dropped, because the text does not hold it: {', '.join(grounded.dropped)}")
    return "; ".join(parts)
