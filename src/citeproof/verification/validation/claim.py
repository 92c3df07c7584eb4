"""Find out which version of a work a reference cites, such as the preprint, and which version a
record describes.

Only records of the cited version can contradict the cited year, venue, DOI, volume and pages.

Example: ``journal = {arXiv preprint arXiv:1711.05101}, year = 2017`` cites the preprint. The record
of the same title and authors at ICLR 2019 describes another version. So the year 2017 is not wrong.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.text.venue_names import is_preprint_server, is_publisher
from citeproof.verification.validation.compare.identifiers import arxiv_id_of
from citeproof.verification.validation.compare.venues import VenueAgreement, is_preprint

if TYPE_CHECKING:
    from citeproof.verification.validation.work import Comparison

_OUTSIDE_LIST = """
online www electronic webpage website software dataset data manual book booklet inbook mvbook
collection mvcollection incollection bookinbook suppbook thesis phdthesis mastersthesis techreport
report patent standard legislation legal jurisdiction unpublished audio video movie image letter
periodical reference mvreference inreference artwork music performance post post-weblog
motion_picture song speech graphic map broadcast interview
"""
OUTSIDE = frozenset(_OUTSIDE_LIST.split())
"""Entry types of works that databases of papers often lack, such as ``phdthesis``."""


class Form(Enum):
    """Publication form of a version of a work."""

    PAPER = "paper"  # a paper in proceedings, a journal or a collection
    PREPRINT = "preprint"
    REPORT = "report"  # a report, a manuscript or a submission
    DATA = "data"  # a data set or software, which often has the title of a paper
    THESIS = "thesis"
    BOOK = "book"
    UNSTATED = "unstated"


class Relation(Enum):
    """What a record with the cited title describes: the cited version, another version, or
    something else.
    """

    CITED = "cited"  # the cited version of the work
    OTHER = "other"  # another version of the work
    ABOUT = "about"  # a text about the work: a review, an erratum, an entry of an encyclopaedia


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
_KINDS = {"inproceedings": "inproceedings", "conference": "inproceedings", "article": "article"}
"""Map from entry type to the publication type in the record of the same paper: ``conference`` to
``inproceedings``.
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
"""Regex of hosts of data and software in URLs and DOIs, such as ``github`` and ``zenodo``."""
_ABOUT = re.compile(
    r"\b(?:book reviews?|review"
    r" of|reviewed|errat(?:um|a)|corrigend(?:um|a)|corrections?|retraction|addendum|tutorial"
    r"|comments? on|reply|guest editors?|editorial|preface|foreword|introduction to the"
    r" special|slides|isbn)\b",
    re.IGNORECASE,
)
"""Regex of words in titles of texts about another work, such as ``book review`` and ``erratum``."""
NO_PAPER = re.compile(
    r"(?:front ?matter|title page|copyright|preface|foreword|(?:table of )?contents|proceedings"
    r" of|(?:author )?index"
    r"|message from|(?:program|organi[sz]ing) committee|committees|welcome|(?:guest"
    r" )?editorial|introduction to the"
    r"|session \w+|invited (?:talk|paper|lecture|speaker)|keynote|tutorial|panel|workshop|poster"
    r" session)\b",
    re.IGNORECASE,
)
"""Regex of beginnings of titles that databases leave out of volumes, such as ``preface`` and
``keynote``.
"""
_NO_NAME = frozenset({"anonymous", "unknown", "unknown author", "no author", "n.a.", "n/a"})
_ONE_PAGE = re.compile(r"([a-z]?\d{1,4}(?:\.\d)?)(?:-\1)?", re.IGNORECASE)
_NEAR = 1  # usual maximum number of years between preprint, conference paper and printed volume
ELSEWHERE = frozenset({VenueAgreement.DIFFERENT, VenueAgreement.UNKNOWN, VenueAgreement.BESIDE})
"""Results of :func:`compare_venue` that are normal if the record describes another version than the
cited version.
"""


def out_of_scope(reference: Reference) -> bool:
    """Return whether databases often lack works of the cited kind, such as theses.

    False if an arXiv id is cited.
    """
    web_page = (
        reference.entry_type == "misc" and reference.url and not (reference.venue or reference.doi)
    )
    return not arxiv_id_of(reference) and (reference.entry_type in OUTSIDE or bool(web_page))


def is_unsigned(reference: Reference) -> bool:
    """Return whether "Anonymous" or similar is the only author, and the work may have no author,
    like a news item.
    """
    if len(reference.authors) != 1 or reference.authors[0].lower() not in _NO_NAME:
        return False
    no_paper = reference.entry_type == "misc" and not (
        reference.venue or reference.doi or arxiv_id_of(reference)
    )
    return bool(reference.volume or reference.pages or no_paper or out_of_scope(reference))


def claimed_form(reference: Reference) -> Form:
    """Return the publication form of the cited version.

    A publisher without a venue means a book.
    """
    venue = reference.venue
    if form := _FORMS.get(reference.entry_type):
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


def relation(item: Comparison) -> Relation:
    """Return whether a record describes the cited version, another version, or a text about the
    work.
    """
    reference, record = item.reference, item.record
    form, recorded = claimed_form(reference), recorded_form(record)
    by_id = (
        record.arxiv_id
        and record.arxiv_id == arxiv_id_of(reference)
        and form in {Form.PAPER, recorded}
    )
    if item.doi or by_id:
        return Relation.CITED
    everyone, near = item.authors.everyone, item.year_gap <= _NEAR
    itself = everyone and item.venue is VenueAgreement.SAME and not item.year_gap
    if not itself and _is_about(item):
        return Relation.ABOUT
    if form is Form.BOOK and recorded is not Form.BOOK:
        return Relation.OTHER if everyone and near else Relation.ABOUT
    both = {_KINDS.get(reference.entry_type), record.pub_type} == {"article", "inproceedings"}
    extended = both and (record.pub_type == "article" or reference.volume)
    if not near and (form is Form.BOOK or item.title.part_missing or extended):
        cited = False
    elif form not in {Form.PAPER, Form.UNSTATED}:
        cited = recorded is form
    elif recorded is Form.PREPRINT and reference.venue:
        cited = False
    elif item.venue is VenueAgreement.SAME:
        cited = True
    elif not reference.venue and (kind := _KINDS.get(reference.entry_type)):
        cited = record.pub_type in {"", kind}
    else:
        cited = near and item.venue not in ELSEWHERE
    return Relation.CITED if cited else Relation.OTHER


def _is_about(item: Comparison) -> bool:
    """Return whether a record describes a text about the work, such as a review.

    Type, title or pages show this.
    """
    record = item.record
    if record.publtype == "encyclopedia" or record.key.startswith("reference/"):
        return True
    if _ABOUT.search(record.title) and not _ABOUT.search(item.reference.title):
        return True
    # a single page may be an article number, so it counts only if authors or years differ, too
    one_page = record.pub_type == "article" and _ONE_PAGE.fullmatch(record.pages) is not None
    return (
        one_page and not is_preprint(record) and (not item.authors.agrees or item.year_gap > _NEAR)
    )
