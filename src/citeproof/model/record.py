"""Records of works as sources state them, and the answer to a look-up."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Record:
    """A record of a work in one source. A field that the source does not state is empty."""

    key: str
    """Identifier of the record in its source: ``conf/nips/VaswaniSPUJGKP17``, an OpenAlex id..."""
    title: str
    authors: tuple[str, ...] = ()
    """Names in order, ``Given Family``, without the numbers that DBLP gives to homonyms."""
    year: int | None = None
    venue: str = ""
    pub_type: str = ""
    """Kind of publication in DBLP's terms: ``article``, ``inproceedings``, ``book``..."""
    doi: str = ""
    arxiv_id: str = ""
    pages: str = ""
    volume: str = ""
    number: str = ""
    url: str = ""
    crossref: str = ""
    """Key of the proceedings or book that contains the work."""
    publtype: str = ""
    """DBLP's attribute ``publtype``: ``withdrawn``, ``informal``..."""
    source: str = ""
    """Name of the source: ``dblp``, ``library.bib``, ``crossref``..."""
    retraction: str = ""
    """URL of the retraction notice, or of a record that mentions it."""
    concern: str = ""
    """URL of an expression of concern about the work."""


class MatchKind(StrEnum):
    """How a query found a candidate."""

    TITLE = "title"
    MAIN_TITLE = "main_title"
    """The titles are equal up to the first ``: ``: the reference or the record lacks the subtitle."""
    SAME_WORDS = "same_words"
    """The titles have the same words in another order."""
    DOI = "doi"
    ARXIV_ID = "arxiv_id"
    WEB = "web"
    """The title of a web search hit agrees: weak evidence."""
    NEARBY = "nearby"
    """The similarity of the titles is below the threshold. The record explains a miss and is never a match."""
    AUTHORS = "authors"
    """Another work of the cited authors. The record explains a miss and is never a match."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that may describe the cited work."""

    record: Record
    similarity: float
    """Normalised Indel similarity of the normalised titles, 0 to 1."""
    match: MatchKind = MatchKind.TITLE
    facts: tuple[str, ...] = ()
    """Facts besides the title in which a web search hit agrees: ``author``, ``year``, ``identifier``."""


class Method(StrEnum):
    """How a title was looked up."""

    INDEXED = "indexed"
    BRUTEFORCE = "bruteforce"


@dataclass(frozen=True, slots=True)
class Lookup:
    """The answer to the look-up of one title."""

    query: str
    threshold: float
    candidates: tuple[Candidate, ...]
    """The most similar records from the threshold up, best first. At least all that tie for the best are listed."""
    nearest: Candidate | None
    """The most similar record if there is no candidate; None if the search method did not find it."""
    method: Method
    index: str
    """The index that answered: ``title_index`` or ``word_index``; empty for brute force."""
    candidates_examined: int
    """Number of titles compared with the query."""
    complete: bool
    """Whether the database certainly has no better record. Without a candidate, this proves that it lacks the title."""
    milliseconds: float
    related: tuple[Candidate, ...] = ()
    """Records found in another way than by similarity, if there is no candidate: by ``main_title`` or ``same_words``
    or, if the query was an identifier, by ``doi`` or ``arxiv_id``."""
    cut: bool = False
    """Whether the search stopped at the maximum number of candidates to compare."""
    more: int = 0
    """Number of records whose similarity reaches the threshold and that ``candidates`` leaves out."""

    @property
    def found(self) -> bool:
        """Whether the similarity of a title reaches the threshold."""
        return bool(self.candidates)


@dataclass(frozen=True, slots=True)
class Volume:
    """A volume (one year of a venue) in the database."""

    key: str
    """DBLP's key of the proceedings or journal volume: ``conf/icml/2023``."""
    venue: str
    year: int
    records: int
    completeness: float
    """Share of the volume that is in the database, 0 to 1."""
    basis: str
    """How completeness was estimated; see ``docs/accuracy.md``."""
    doi_share: float = 0.0
    """Share of the volume's records that state a DOI, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A retraction of a work, or a concern about it, from a source that need not have a record of the work."""

    kind: str
    """``retraction`` or ``concern``."""
    url: str
    source: str
