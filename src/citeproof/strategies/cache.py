"""The cache strategy: what earlier runs verified."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from citeproof.errors import DatabaseError
from citeproof.models import Candidate, Findings, Inquiry, Outcome
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity

if TYPE_CHECKING:
    from citeproof.cache import VerificationCache
    from citeproof.models import Record, Reference


class CacheStrategy:
    """Looks the title up in the verification cache; a hit is a candidate for the validator, no more."""

    name = "cache"

    def __init__(self, cache: VerificationCache, threshold: float) -> None:
        self._cache = cache
        self._threshold = threshold

    def search(self, reference: Reference) -> Findings:
        """Return the newest remembered record whose title holds the cited one, if it is alike enough."""
        if not reference.title:
            return Findings()
        start = perf_counter()
        try:
            record = self._cache.find(reference.title)
        except DatabaseError as error:
            return Findings(inquiries=(Inquiry(self.name, Outcome.FAILED, str(error)),))
        candidates = self._candidates(reference, record)
        spent = (perf_counter() - start) * 1000
        inquiry = Inquiry(
            self.name, Outcome.ANSWERED, records=len(candidates), milliseconds=spent, from_cache=bool(candidates)
        )
        return Findings(candidates, (inquiry,))

    def _candidates(self, reference: Reference, record: Record | None) -> tuple[Candidate, ...]:
        if not record:
            return ()
        alike = similarity(normalize_title(reference.title), normalize_title(record.title))
        return (Candidate(record, alike),) if alike >= self._threshold else ()
