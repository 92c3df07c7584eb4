"""Which sources hold which kinds of works so broadly that their silence about a title says something.

A source is broad for a kind when it sets out to hold all of it, in every field of study. One field
alone is not enough: Europe PMC need not have a paper of computer science, nor DBLP a journal of
medicine. ``docs/sources.md`` shows this table with the grounds; a test holds the two together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.models import Coverage
from citeproof.online.identifiers import cited_arxiv_id
from citeproof.text.venue_names import is_preprint_server

if TYPE_CHECKING:
    from citeproof.models import Reference

ARXIVS = Coverage("arXiv's preprints", ("arxiv", "openalex", "semantic_scholar"))
PREPRINTS = Coverage("other preprints", ("crossref", "openalex", "semantic_scholar"))
ARTICLES = Coverage("journal articles", ("crossref", "openalex", "semantic_scholar"))
PAPERS = Coverage("conference papers", ("crossref", "openalex", "semantic_scholar", "dblp"))
CHAPTERS = Coverage("chapters", ("crossref", "openalex"))
BOOKS = Coverage("books", ("open_library",))
UNSTATED = Coverage("works of an unstated kind", ("crossref", "openalex", "semantic_scholar"))
OTHER_KINDS = Coverage("theses, reports, web pages, software, data", ())
"""No source holds these broadly, so none is needed to say that one was not found."""

COVERAGES = (ARXIVS, PREPRINTS, ARTICLES, PAPERS, CHAPTERS, BOOKS, UNSTATED, OTHER_KINDS)
"""In the order of the documentation."""

_TYPES = {
    PREPRINTS: "preprint posted-content",
    ARTICLES: """article article-journal article-magazine article-newspaper journal-article review review-book
        periodical""",
    PAPERS: "inproceedings conference paper-conference proceedings-article",
    CHAPTERS: """incollection inbook chapter book-chapter bookinbook suppbook suppcollection inreference
        entry entry-dictionary entry-encyclopedia""",
    BOOKS: "book mvbook booklet collection mvcollection reference mvreference proceedings mvproceedings",
    OTHER_KINDS: """phdthesis mastersthesis thesis dissertation techreport report manual standard patent online www
        electronic webpage website post post-weblog software dataset data unpublished legislation legal legal_case bill
        jurisdiction treaty audio video movie motion_picture song speech image graphic figure map broadcast interview
        letter personal_communication manuscript artwork music musical_score performance pamphlet""",
}
_BY_TYPE = {name: coverage for coverage, names in _TYPES.items() for name in names.split()}
"""Entry types of BibTeX, BibLaTeX, CSL and Crossref."""
_OPEN_TYPES = frozenset({"", "misc", "article", "preprint", "posted-content", "unpublished", "online", "techreport"})
"""Entry types under which people cite preprints."""


def coverage_of(reference: Reference) -> Coverage:
    """Return the kind of work that is cited, with the sources that hold such works broadly."""
    if reference.entry_type in _OPEN_TYPES and (preprint := _preprint(reference)):
        return preprint
    if reference.entry_type == "misc" and reference.url and not (reference.venue or reference.doi):
        return OTHER_KINDS
    return _BY_TYPE.get(reference.entry_type, UNSTATED)


def _preprint(reference: Reference) -> Coverage | None:
    """Return the coverage of a preprint: of arXiv's, which have no DOIs at Crossref, or of another server's."""
    venue = reference.venue
    if venue and not is_preprint_server(venue):
        return None
    if cited_arxiv_id(reference) or any(name in venue.lower() for name in ("arxiv", "corr")):
        return ARXIVS
    return PREPRINTS if venue else None
