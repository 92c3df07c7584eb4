"""Records of works from bibliographic sources, and results of title lookups."""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Record:
    """Bibliographic data about a work from one source, such as DBLP. Fields that the source does
    not have are empty.
    """

    key: str
    """Identifier of the record in the source, such as ``conf/nips/VaswaniSPUJGKP17`` in DBLP."""
    title: str
    authors: tuple[str, ...] = ()
    """Names in order, as ``Given Family``.

    Numbers that DBLP adds to names, as in ``Wei Wang 0001``, are removed.
    """
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
    """Key of the proceedings or book that contains the work.

    For editions in Open Library, the key of the work.
    """
    publtype: str = ""
    """DBLP's attribute ``publtype``: ``withdrawn``, ``informal``...

    For Open Library, the name of the edition.
    """
    source: str = ""
    """Name of the source: ``dblp``, ``library.bib``, ``crossref``..."""
    retraction: str = ""
    """URL of the retraction notice, or of a page that mentions the retraction; empty if no
    retraction is known.
    """
    concern: str = ""
    """URL of an expression of concern about the work; empty if none is known."""

    @property
    def identity(self) -> tuple[str, Hashable]:
        """Pair that identifies the record: its source and key. If the key is empty, as in an old
        cache, the source and the whole record.
        """
        return self.source, self.key or self


class MatchKind(StrEnum):
    """How a query found a candidate."""

    TITLE = "title"
    MAIN_TITLE = "main_title"
    """The titles are equal, except that the reference or the record lacks the subtitle after the
    first ``: ``.
    """
    SAME_WORDS = "same_words"
    """The titles have the same words in another order."""
    DOI = "doi"
    ARXIV_ID = "arxiv_id"
    WEB = "web"
    """A web search found a page with the cited title, which is weak evidence."""
    NEARBY = "nearby"
    """The titles are less similar than the threshold.

    The record is shown as an explanation and is not a match.
    """
    AUTHORS = "authors"
    """Another work by the cited authors.

    The record is shown as an explanation and is not a match.
    """


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that may describe the cited work."""

    record: Record
    similarity: float
    """Similarity of the normalised titles, 0 to 1.

    It decreases with the number of inserted and deleted characters.
    """
    match: MatchKind = MatchKind.TITLE
    facts: tuple[str, ...] = ()
    """Facts about the cited work that a web page confirms: ``author``, ``year``, ``identifier``.

    Empty if the candidate is not a web page.
    """


class Method(StrEnum):
    """How a title was looked up."""

    INDEXED = "indexed"
    BRUTEFORCE = "bruteforce"


@dataclass(frozen=True, slots=True)
class Lookup:
    """The result of looking up one title in a database."""

    query: str
    threshold: float
    candidates: tuple[Candidate, ...]
    """Records with a similarity of at least ``threshold``, most similar first. Unless ``every`` is
    true, only records with the highest similarity are listed.

    ``more`` is the number of records that were left out.
    """
    nearest: Candidate | None
    """The most similar record below ``threshold``, if ``candidates`` is empty.

    None if the search did not find it.
    """
    method: Method
    index: str
    """Name of the index that was searched, ``title_index`` or ``word_index``; empty if all titles
    were compared.
    """
    candidates_examined: int
    """Number of titles compared with the query."""
    complete: bool
    """Whether the search was exhaustive: the database certainly has no title that is more similar
    than those found.
    """
    milliseconds: float
    related: tuple[Candidate, ...] = ()
    """If ``candidates`` is empty: records whose title differs only by a subtitle, a remark such
    as "(Extended Abstract)", or the order of words.

    If ``query`` is a DOI or an arXiv identifier: records with this identifier.
    """
    cut: bool = False
    """Whether the search stopped early, because the maximum number of titles had been compared."""
    more: int = 0
    """Number of records that were found and are not in ``candidates``."""
    every: bool = False
    """Whether all records that reach ``threshold`` were searched, and not only the best."""

    @property
    def found(self) -> bool:
        """Whether any title has a similarity of at least ``threshold``."""
        return bool(self.candidates)


@dataclass(frozen=True, slots=True)
class Volume:
    """One year of a conference or journal in the database."""

    key: str
    """DBLP's key of the proceedings or journal volume: ``conf/icml/2023``."""
    venue: str
    year: int
    records: int
    completeness: float
    """Estimated share of the papers of the volume that are in the database, 0 to 1."""
    basis: str
    """Name of the method that estimated ``completeness``, such as ``pages``: from the page numbers
    of the papers.
    """
    doi_share: float = 0.0
    """Share of the records of the volume that have a DOI, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A retraction of a work, or a concern about it. The source of the notice may lack a record of
    the work.
    """

    kind: str
    """``retraction`` or ``concern``."""
    url: str
    source: str
