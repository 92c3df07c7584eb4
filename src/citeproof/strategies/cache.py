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
    from citeproof.models import Reference


class CacheStrategy:
    """Looks the title up in the verification cache; a hit may confirm a reference, no more."""

    name = "cache"

    def __init__(self, cache: VerificationCache, threshold: float) -> None:
        self._cache = cache
        self._threshold = threshold

    def search(self, reference: Reference) -> Findings:
        """Return the remembered records whose title holds the cited one, as far as they are alike enough."""
        if not reference.title:
            return Findings()
        start = perf_counter()
        try:
            records = self._cache.find(reference.title)
        except DatabaseError as error:
            return Findings(inquiries=(Inquiry(self.name, Outcome.FAILED, str(error)),))
        title = normalize_title(reference.title)
        alike = ((similarity(title, normalize_title(record.title)), record) for record in records)
        remembered = tuple(Candidate(record, share) for share, record in alike if share >= self._threshold)
        spent = (perf_counter() - start) * 1000
        inquiry = Inquiry(
            self.name, Outcome.ANSWERED, records=len(remembered), milliseconds=spent, from_cache=bool(remembered)
        )
        return Findings(inquiries=(inquiry,), remembered=remembered)
