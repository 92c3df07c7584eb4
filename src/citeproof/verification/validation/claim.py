"""Find out which version of a work a reference cites, such as the preprint, and which version a
record describes.
"""

import re
from enum import Enum

from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.text.names import is_anonymous
from citeproof.text.venue_names import document_type, is_preprint_server, is_publisher
from citeproof.verification.validation.compare.identifiers import arxiv_id_of
from citeproof.verification.validation.compare.venues import is_preprint

_OUTSIDE_LIST = """
online www electronic webpage website software dataset data manual book booklet inbook mvbook
collection mvcollection incollection bookinbook suppbook thesis phdthesis mastersthesis techreport
proceedings mvproceedings report patent standard legislation legal jurisdiction unpublished audio
video movie image letter periodical reference mvreference inreference artwork music performance post
post-weblog motion_picture song speech graphic map broadcast interview
"""
OUTSIDE = frozenset(_OUTSIDE_LIST.split())
"""Entry types of works that databases of papers often lack, such as ``phdthesis``."""


CHAPTERS = frozenset({"incollection", "inbook", "bookinbook", "suppbook"})


class Form(Enum):
    """Publication form of a version of a work."""

    PAPER = "paper"  # a paper in proceedings, a journal or a collection
    PREPRINT = "preprint"
    REPORT = "report"  # a report, a manuscript or a submission
    DATA = "data"  # a data set or software, which often has the title of a paper
    THESIS = "thesis"
    BOOK = "book"
    UNSTATED = "unstated"


_TYPES = {
    Form.BOOK: "book mvbook booklet collection mvcollection proceedings mvproceedings",
    Form.THESIS: "thesis phdthesis mastersthesis dissertation",
    Form.DATA: "dataset data software computerprogram",
    Form.REPORT: "techreport report manual standard unpublished manuscript",
}
"""Map from a publication form to entry types of references and publication types of records, such
as ``phdthesis``.
"""
_FORMS = {entry_type: form for form, types in _TYPES.items() for entry_type in types.split()}
KINDS = {"inproceedings": "inproceedings", "conference": "inproceedings", "article": "article"}
"""Map from the entry type of a reference to the publication type in a record of the same paper:
``conference`` to ``inproceedings``.
"""
_UNPUBLISHED = re.compile(
    r"\b(?:in submission|submitted|under review|to appear|in press|in"
    r" preparation|forthcoming|draft|manuscript|talk"
    r"|slides|extended version|full version|tech(?:nical|\.)? rep|e-?print)\b",
    re.IGNORECASE,
)
_DATA = re.compile(
    r"\b(?:github|gitlab|bitbucket|zenodo|figshare|dryad|dataverse|kaggle|huggingface|osf\.io)\b",
    re.IGNORECASE,
)
"""Regex for hosts of data and software in URLs and DOIs, such as ``github`` and ``zenodo``."""
NO_PAPER = re.compile(
    r"(?:front ?matter|title page|copyright|preface|foreword|(?:table of )?contents|proceedings"
    r" of|(?:author )?index"
    r"|message from|(?:program|organi[sz]ing) committee|committees|welcome|(?:guest"
    r" )?editorial|introduction to the"
    r"|session \w+|brief announcement|invited (?:talk|paper|lecture|speaker)|keynote|tutorial"
    r"|panel|workshop|poster session)\b",
    re.IGNORECASE,
)
"""Regex for the beginnings of titles of texts that databases often leave out, such as ``preface``
and ``keynote``.
"""


def out_of_scope(reference: Reference) -> bool:
    """Return whether databases often lack works of the cited kind, such as theses.

    False if an arXiv id is cited.
    """
    web_page = (
        reference.entry_type == "misc" and reference.url and not (reference.venue or reference.doi)
    )
    return not arxiv_id_of(reference) and (_kind_of(reference) in OUTSIDE or bool(web_page))


def _kind_of(reference: Reference) -> str:
    """Return the entry type. If the reference states a kind of document in place of a venue, return
    this kind, except for papers and articles.
    """
    stated = "" if reference.entry_type in KINDS else document_type(reference.venue)
    return stated or reference.entry_type


def cites_no_conference(reference: Reference) -> bool:
    """Return whether the venue of the entry cannot be a conference. Such entries are a chapter of a
    book, an article with a volume or number, and an article whose venue is a single ordinary word,
    such as ``Vision``.

    The test is needed because some journals and conferences have the same name.
    """
    if reference.entry_type in CHAPTERS:
        return True
    is_word = reference.venue.istitle() and len(reference.venue.split()) == 1
    in_issue = bool(reference.number or reference.volume)
    return reference.entry_type == "article" and (in_issue or is_word)


def is_unsigned(reference: Reference) -> bool:
    """Return whether the only author is "Anonymous" or similar, and the work may really have no
    author, like a news item.
    """
    if len(reference.authors) != 1 or not is_anonymous(reference.authors[0]):
        return False
    no_paper = reference.entry_type == "misc" and not (
        reference.venue or reference.doi or arxiv_id_of(reference)
    )
    return bool(reference.volume or reference.pages or no_paper or out_of_scope(reference))


def claimed_form(reference: Reference) -> Form:
    """Return the publication form of the cited version.

    A reference with a publisher and without a venue cites a book.
    """
    venue = reference.venue
    if form := _FORMS.get(_kind_of(reference)):
        return form
    if is_preprint_server(venue) or (not venue and arxiv_id_of(reference)):
        return Form.PREPRINT
    if venue and not is_publisher(venue):
        return Form.PAPER
    if not venue and _DATA.search(f"{reference.url} {reference.doi}"):
        return Form.DATA
    if _UNPUBLISHED.search(f"{reference.note} {reference.title}"):
        return Form.REPORT
    return Form.BOOK if venue or reference.publisher else Form.UNSTATED


def recorded_form(record: Record) -> Form:
    """Return the publication form of the version that a record describes, such as paper or
    preprint.
    """
    return Form.PREPRINT if is_preprint(record) else _FORMS.get(record.pub_type, Form.PAPER)


def cited_place(reference: Reference) -> str:
    """Return venue and year for messages, such as ``ACL 2019``.

    If the name of the venue contains the year, the year is not repeated.
    """
    venue, year = reference.venue, str(reference.year or "")
    return venue if year in venue else f"{venue} {year}"
