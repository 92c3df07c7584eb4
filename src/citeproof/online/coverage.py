"""Kinds of works, such as journal articles, and for each kind the online sources that have most of
its works.

If none of these sources has a cited work, this is evidence that the work does not exist. See
``docs/sources.md``.
"""

from citeproof.model.findings import Coverage
from citeproof.model.reference import Reference
from citeproof.text.identifiers import find_arxiv_id, is_doi
from citeproof.text.venue_names import is_preprint_server

ARXIV_DOI = "10.48550/arxiv."
"""Prefix of the DOIs of arXiv, in lower case.

DataCite registers these DOIs, so Crossref does not have them.
"""
ARXIVS = Coverage("arXiv's preprints", ("arxiv", "openalex", "semantic_scholar"))
PREPRINTS = Coverage("other preprints", ("crossref", "openalex", "semantic_scholar"))
ARTICLES = Coverage("journal articles", ("crossref", "openalex", "semantic_scholar"))
PAPERS = Coverage("conference papers", ("crossref", "openalex", "semantic_scholar", "dblp"))
CHAPTERS = Coverage("chapters", ("crossref", "openalex"))
BOOKS = Coverage("books", ("open_library",))
UNSTATED = Coverage("works of an unstated kind", ("crossref", "openalex", "semantic_scholar"))
OTHER_KINDS = Coverage("theses, reports, web pages, software, data", ())
"""Kinds of works that no online source covers almost completely."""
COVERAGES = (ARXIVS, PREPRINTS, ARTICLES, PAPERS, CHAPTERS, BOOKS, UNSTATED, OTHER_KINDS)
"""All kinds of works and their sources, in the order of ``docs/sources.md``."""
_TYPES = {
    PREPRINTS: "preprint posted-content",
    ARTICLES: (
        """article article-journal article-magazine article-newspaper journal-article review
        review-book
        periodical"""
    ),
    PAPERS: "inproceedings conference paper-conference proceedings-article",
    CHAPTERS: (
        """incollection inbook chapter book-chapter bookinbook suppbook suppcollection inreference
        entry entry-dictionary entry-encyclopedia"""
    ),
    BOOKS: (
        "book mvbook booklet collection mvcollection reference mvreference proceedings"
        " mvproceedings"
    ),
    OTHER_KINDS: (
        """phdthesis mastersthesis thesis dissertation techreport report manual standard patent
        online www electronic webpage website post post-weblog software dataset data unpublished
        legislation legal legal_case bill jurisdiction treaty audio video movie motion_picture song
        speech image graphic figure map broadcast interview
        letter personal_communication manuscript artwork music musical_score performance pamphlet"""
    ),
}
_BY_TYPE = {name: coverage for coverage, names in _TYPES.items() for name in names.split()}
"""Map from an entry type of BibTeX, BibLaTeX, CSL or Crossref, such as ``article``, to the kind of
work.
"""
_PREPRINT_TYPES = {
    "",
    "misc",
    "article",
    "preprint",
    "posted-content",
    "unpublished",
    "online",
    "techreport",
}
"""Entry types that bibliographies use for preprints."""


def coverage_of(reference: Reference) -> Coverage:
    """Return the kind of the cited work, and the sources that have most works of this kind."""
    venue = reference.venue
    if reference.entry_type in _PREPRINT_TYPES and (not venue or is_preprint_server(venue)):
        if cited_arxiv_id(reference) or any(name in venue.lower() for name in ("arxiv", "corr")):
            return ARXIVS
        if venue:
            return PREPRINTS
    if reference.entry_type == "misc" and reference.url and not (venue or reference.doi):
        return OTHER_KINDS
    return _BY_TYPE.get(reference.entry_type, UNSTATED)


def requestable_doi(reference: Reference) -> str:
    """Return the cited DOI in lower case. The result is empty if the DOI is invalid, or if it
    cannot be used in the path of a URL.
    """
    doi = reference.doi.lower()
    # a segment ``.`` or ``..`` would change the path of the URL; no registered DOI has one
    return doi if is_doi(doi) and not {".", ".."} & set(doi.split("/")) else ""


def cited_doi(reference: Reference) -> str:
    """Return the cited DOI in lower case. The result is empty if the DOI is invalid or one of
    arXiv's own DOIs.
    """
    doi = requestable_doi(reference)
    return "" if doi.startswith(ARXIV_DOI) else doi


def cited_arxiv_id(reference: Reference) -> str:
    """Return the cited arXiv identifier, which may be in the field ``doi``. The result is empty if
    there is no valid identifier.
    """
    is_arxivs = reference.doi.lower().startswith(ARXIV_DOI)
    return find_arxiv_id(reference.arxiv_id) or (find_arxiv_id(reference.doi) if is_arxivs else "")
