"""Strategy that lets a language model parse a doubtful reference again, and then searches for the
newly parsed reference.

The model never decides a verdict. Each field that the model returns must occur in the raw text. The
validator decides the verdict from the findings of the other strategies.
"""

import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import MatchKind
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.online.language_model import Grounded, Reader, ground
from citeproof.online.net.service import Clock, SourceError
from citeproof.text.normalize import normalize_title
from citeproof.verification.decision import is_open
from citeproof.verification.pipeline import Strategy

_PAGES = re.compile(r"\d+\s*[-\u2013\u2014]+\s*\d+")
_CONNECTING_LIST = (
    "and et al etal in of the proc proceedings pp p pages vol volume no eds ed url doi arxiv"
)
_CONNECTING = frozenset(_CONNECTING_LIST.split())
"""Words that connect the fields of a printed reference and belong to no field, such as ``in`` and
``pp``.
"""
_FIELDS = ("title", "authors", "year", "venue", "doi", "arxiv_id")


class LlmReparseStrategy(Strategy):
    """Lets a language model parse a reference again. The other strategies search for the newly
    parsed reference.
    """

    name = "llm_reparse"
    online = True

    def __init__(
        self, reader: Reader, strategies: Sequence[Strategy], clock: Clock, budget: int
    ) -> None:
        """``strategies`` search for the parsed reference.

        ``budget`` is the maximum number of model calls per run.
        """
        self._reader, self._strategies, self._clock = reader, tuple(strategies), clock
        self._left, self._lock = budget, threading.Lock()
        self._readings: dict[str, Grounded | SourceError] = {}

    def wanted(self, verdict: Verdict) -> bool:
        """Return whether no source knows the work, or the reference seems to be parsed wrongly."""
        reference = verdict.reference
        # a title of more than 300 characters probably contains other fields
        misread = not reference.authors or len(reference.title) > 300
        doubtful = verdict.status is Status.SUSPICIOUS and misread
        return bool(reference.raw.strip()) and (is_open(verdict) or doubtful)

    def search(self, reference: Reference) -> Findings:
        """Let the model parse ``reference`` again.

        Return what the other strategies find for the newly parsed reference.
        """
        start = self._clock.monotonic()
        try:
            grounded = self._reading(reference.raw)
        except SourceError as error:
            return Findings(
                inquiries=(Inquiry(self.name, Outcome.FAILED, str(error)),), unread=True
            )
        if grounded is None:
            return Findings(
                inquiries=(Inquiry(self.name, Outcome.SKIPPED, "the budget of this run is spent"),)
            )
        milliseconds = (self._clock.monotonic() - start) * 1000
        again = reread(reference, grounded)
        inquiry = Inquiry(
            self.name,
            Outcome.ANSWERED,
            _detail(reference, again, grounded),
            milliseconds=milliseconds,
        )
        findings = Findings(inquiries=(inquiry,), reparsed=again)
        if again is None:
            return findings
        for strategy in self._strategies:
            findings += strategy.search(again)
            if any(c.match not in {MatchKind.NEARBY, MatchKind.WEB} for c in findings.candidates):
                break
        return findings

    def search_further(self, reference: Reference, verdict: Verdict) -> Findings:
        """Return what the other strategies find for the newly parsed ``reference`` in their second
        search.
        """
        if not any(
            asked.source == self.name and asked.outcome is Outcome.ANSWERED
            for asked in verdict.evidence
        ):
            return Findings()
        return sum(
            (strategy.search_further(reference, verdict) for strategy in self._strategies),
            Findings(),
        )

    def _reading(self, raw: str) -> Grounded | None:
        """Return the fields that the model finds in ``raw``.

        None if the maximum number of calls is reached.

        Raises :class:`SourceError` if the request failed, now or earlier for the same text.
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
            reading = self._readings[raw] = ground(self._reader.read(raw), raw)
        except SourceError as error:
            self._readings[raw] = error
            raise
        return reading


def reread(reference: Reference, grounded: Grounded) -> Reference | None:
    """Return ``reference`` with the fields that a language model found.

    None if no new value is accepted.

    The model must not replace the cited work by another work. Therefore the fields of a BibTeX
    entry keep their values, except the title. The title may become shorter or longer, if all words
    that the new title leaves out occur in other fields.
    """
    named = bool(reference.entry_type)
    said = {name: value for name in _FIELDS if (value := getattr(grounded, name))}
    free = {"title", *(name for name in said if not named or not getattr(reference, name))}
    again = replace(reference, **{name: value for name, value in said.items() if name in free})
    first, second = (f" {normalize_title(item.title)} " for item in (reference, again))
    if (named and first not in second and second not in first) or _leaves_out(reference, again):
        if not named:
            return None
        again = replace(again, title=reference.title)
    return again if again != reference else None


def _leaves_out(reference: Reference, again: Reference) -> bool:
    """Return whether a word of the old title occurs in no field of the new reference ``again``.

    "Fritz Hail. Counting sheep, 2003" may become the title "Counting sheep", because author and
    year contain the other words. "Counting sheep with interval trees" may not become "Counting
    sheep". Parts of a split word ("inter- val") may be joined.
    """
    new = Counter(normalize_title(again.title).split())
    others = {
        word for value in _texts(again) for word in normalize_title(value).split()
    } | _CONNECTING
    words = normalize_title(reference.title).split()
    while words:
        count = 2 if not new[words[0]] and new["".join(words[:2])] else 1
        word, words = "".join(words[:count]), words[count:]
        if new[word]:
            new[word] -= 1
        elif word not in others:
            return True
    return False


def _texts(reference: Reference) -> Iterator[str]:
    """Yield the values of all fields except the title. A range of pages is written as ``12 19``."""
    yield from reference.authors
    yield str(reference.year or "")
    for name in ("venue", "doi", "arxiv_id", "volume", "number", "publisher", "note", "url"):
        yield getattr(reference, name)
    for pages in (reference.pages, *_PAGES.findall(reference.raw)):
        yield " ".join(re.findall(r"\w+", pages))


def _detail(reference: Reference, again: Reference | None, grounded: Grounded) -> str:
    changed = [
        name for name in _FIELDS if again and getattr(again, name) != getattr(reference, name)
    ]
    said = f"changed: {', '.join(changed)}" if changed else "without changes"
    dropped = ", ".join(grounded.dropped)
    left_out = f"; left out, because not in the text: {dropped}" if dropped else ""
    return f"parsed again, {said}{left_out}"
