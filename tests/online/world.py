"""A set of works, and the sources that hold each."""

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
    """Title of its first version on arXiv, if it was another."""
    retracted_by: str = ""
    """DOI of the retraction notice."""
    held_by: frozenset[str] = EVERYWHERE

    @property
    def words(self) -> list[str]:
        return normalize_title(self.title).split()


@dataclass(frozen=True)
class World:
    works: tuple[Work, ...]
    lies: dict[str, str] = field(default_factory=dict)
    """Wrong titles in OpenAlex, by DOI."""

    def of(self, source: str) -> list[Work]:
        return [work for work in self.works if source in work.held_by]

    def with_doi(self, source: str, doi: str) -> Work | None:
        return next((work for work in self.of(source) if work.doi == doi.lower()), None)

    def with_arxiv_id(self, source: str, arxiv_id: str) -> Work | None:
        return next((work for work in self.of(source) if work.arxiv_id == arxiv_id), None)

    def ranked(self, source: str, query: str, most: int) -> list[Work]:
        """Return works that share words with ``query``, most shared words first, as search engines
        do.
        """
        words = {word for word in normalize_title(query).split() if len(word) > 3}
        scored = [(len(words & _all_words(work)), work) for work in self.of(source)]
        return [work for score, work in sorted(scored, key=lambda pair: -pair[0]) if score][:most]

    def with_all_words(self, source: str, query: str, most: int) -> list[Work]:
        """Return works that have, for each word of ``query``, a word with this prefix."""
        wanted = normalize_title(query).split()
        found = [
            work
            for work in self.of(source)
            if all(any(word.startswith(start) for word in _all_words(work)) for start in wanted)
        ]
        return found[:most]

    def best_title(self, source: str, title: str) -> Work | None:
        """Return the work with the most similar title, if the similarity is over 0.8."""
        query = normalize_title(title)
        scored = [
            (Indel.normalized_similarity(query, normalize_title(w.title)), w)
            for w in self.of(source)
        ]
        best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
        return best[1] if best[0] > 0.8 else None


def _all_words(work: Work) -> set[str]:
    return {*work.words, *normalize_title(" ".join(work.authors)).split()}
