"""A small world of works, and which source holds which of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from rapidfuzz.distance import Indel

from citeproof.text.normalize import normalize_title

EVERYWHERE = frozenset({"crossref", "openalex", "semantic_scholar", "dblp", "doi_org"})


@dataclass(frozen=True)
class Work:
    title: str
    authors: tuple[str, ...]
    """``Given Family``."""
    year: int
    venue: str = ""
    kind: str = "article"
    doi: str = ""
    arxiv_id: str = ""
    first_title: str = ""
    """What its first version on arXiv was called, where that was something else."""
    retracted_by: str = ""
    """DOI of the notice."""
    held_by: frozenset[str] = EVERYWHERE

    @property
    def words(self) -> list[str]:
        return normalize_title(self.title).split()


@dataclass(frozen=True)
class World:
    works: tuple[Work, ...]
    lies: dict[str, str] = field(default_factory=dict)
    """DOIs of which OpenAlex shows another work's title."""

    def of(self, source: str) -> list[Work]:
        return [work for work in self.works if source in work.held_by]

    def with_doi(self, source: str, doi: str) -> Work | None:
        return next((work for work in self.of(source) if work.doi == doi.lower()), None)

    def with_arxiv_id(self, source: str, arxiv_id: str) -> Work | None:
        return next((work for work in self.of(source) if work.arxiv_id == arxiv_id), None)

    def ranked(self, source: str, query: str, most: int) -> list[Work]:
        """Return works that share words with ``query``, most first, as engines do that never find nothing."""
        words = {word for word in normalize_title(query).split() if len(word) > 3}
        scored = [(len(words & _all_words(work)), work) for work in self.of(source)]
        return [work for score, work in sorted(scored, key=lambda pair: -pair[0]) if score][:most]

    def with_all_words(self, source: str, query: str, most: int) -> list[Work]:
        """Return works that have a word beginning with each word of ``query``."""
        wanted = normalize_title(query).split()
        found = [
            work
            for work in self.of(source)
            if all(any(word.startswith(start) for word in _all_words(work)) for start in wanted)
        ]
        return found[:most]

    def best_title(self, source: str, title: str) -> Work | None:
        """Return the work whose title is nearest, if it is near."""
        query = normalize_title(title)
        scored = [(Indel.normalized_similarity(query, normalize_title(w.title)), w) for w in self.of(source)]
        best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
        return best[1] if best[0] > 0.8 else None


def _all_words(work: Work) -> set[str]:
    return {*work.words, *normalize_title(" ".join(work.authors)).split()}
