"""The strategy that searches the cache of works that earlier runs verified."""

from time import perf_counter

from citeproof.model.errors import DatabaseError
from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate
from citeproof.model.reference import Reference
from citeproof.model.verdict import CACHE
from citeproof.store.cache import VerificationCache
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity
from citeproof.verification.pipeline import Strategy


class CacheStrategy(Strategy):
    """Looks titles up in the verification cache. A hit may confirm a reference and never contradicts it."""

    name = CACHE

    def __init__(self, cache: VerificationCache, threshold: float) -> None:
        self._cache, self._threshold = cache, threshold

    def search(self, reference: Reference) -> Findings:
        """Return the cached records whose titles contain the cited title and are at least ``threshold`` similar."""
        if not reference.title:
            return Findings()
        start = perf_counter()
        try:
            works = self._cache.find(reference.title)
        except DatabaseError as error:
            return Findings(inquiries=(Inquiry(self.name, Outcome.FAILED, str(error)),))
        title = normalize_title(reference.title)
        alike = [(similarity(title, normalize_title(work.record.title)), work) for work in works]
        hits = [(share, work) for share, work in alike if share >= self._threshold]
        detail = "; ".join(dict.fromkeys(str(work) for _, work in hits))
        milliseconds = (perf_counter() - start) * 1000
        inquiry = Inquiry(self.name, Outcome.ANSWERED, detail, len(hits), milliseconds, from_cache=bool(hits))
        return Findings(inquiries=(inquiry,), remembered=tuple(Candidate(work.record, share) for share, work in hits))
