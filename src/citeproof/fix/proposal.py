"""Decide which values of a reference are corrected, and which are only reported to the user.

A correction must never replace a right value. Therefore the rest of the entry must identify the
work, and:

* Venue, year, volume, number, pages and DOI are corrected together, from one publication, or not at
  all. Other fields of the entry that describe a publication, such as a series, must fit this
  publication.
* A word of the title, or a name, is corrected if two records of different versions or sources have
  the new value, or if the record of the cited DOI has it. A misspelt word is recognised by how
  often it occurs in all titles of the database.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from citeproof.fix.publication import (
    Publication,
    agreements,
    published,
    same_people,
    stated,
)
from citeproof.model.codes import IssueCode
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.text.normalize import normalize_title
from citeproof.text.title_words import title_words
from citeproof.verification.validation.case import REGISTRARS, Case
from citeproof.verification.validation.claim import KINDS
from citeproof.verification.validation.compare.venues import VenueAgreement
from citeproof.verification.validation.comparison import NEAR, Comparison
from citeproof.verification.validation.identity import agrees_but_for_title

_CORRECTABLE = {
    "title": (IssueCode.TITLE_WORD_CHANGED, IssueCode.TITLE_MISSPELT),
    "authors": (
        IssueCode.AUTHORS_PLACEHOLDER,
        IssueCode.AUTHORS_OTHER_PEOPLE,
        IssueCode.AUTHORS_NOT_ON_RECORD,
        IssueCode.AUTHORS_GIVEN_NAME,
        IssueCode.AUTHORS_DROPPED,
    ),
    "year": (IssueCode.YEAR_FUTURE, IssueCode.YEAR_OFF, IssueCode.YEAR_OTHER_EDITION),
    "venue": (
        IssueCode.VENUE_DIFFERENT,
        IssueCode.VENUE_NO_SUCH_EDITION,
        IssueCode.VENUE_TWICE,
        IssueCode.VENUE_UNKNOWN,
    ),
    "doi": (
        IssueCode.DOI_DIFFERS,
        IssueCode.DOI_OTHER_VOLUME,
        IssueCode.DOI_OTHER_WORK,
        IssueCode.DOI_MALFORMED,
        IssueCode.DOI_UNASSIGNED,
        IssueCode.DOI_UNKNOWN,
    ),
    "arxiv_id": (IssueCode.ARXIV_MALFORMED, IssueCode.ARXIV_OTHER_WORK, IssueCode.ARXIV_UNKNOWN),
}
FIELD_OF: Mapping[str, str] = {
    code: field for field, codes in _CORRECTABLE.items() for code in codes
}
"""Map from an issue code, such as ``year.off``, to the attribute of a reference that is wrong, such
as ``year``.
"""
Codes = Mapping[str, tuple[str, ...]]
"""Map from a wrong attribute of a reference, such as ``year``, to its issue codes."""
_OF_PUBLICATION = frozenset({"venue", "year", "doi"})
_BESIDES = (
    *("crossref", "xdata", "series", "publisher", "editor", "address", "location", "month", "day"),
    *("organization", "institution", "edition", "chapter", "howpublished", "isbn", "issn"),
    *("booksubtitle", "maintitle", "issuetitle", "eventtitle", "eventdate", "shortjournal"),
    *("venue", "conference", "articleno", "eid", "numpages", "acmid", "url", "ee", "link"),
)
"""BibTeX fields that describe a publication, but have no counterpart in the records of the
database.
"""

NOT_IDENTIFIED = "the rest of the entry does not identify the work with certainty"
DIFFERENT_VALUES = "the records of the work state different values, or none"
ONE_RECORD = "only one record says so"
OTHER_KIND = "the record is of another kind of publication"
OTHER_VERSION = "another version of the work may be cited"
OTHER_FIELDS = "{} may not belong to that publication"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Values from records that would replace wrong values of a reference. They are a title,
    authors, an arXiv id, or a publication.
    """

    values: Mapping[str, str | tuple[str, ...]]
    """Map from each attribute of the reference that is wrong to the right value."""
    doubt: str = ""
    """Reason why the values are not written into the entry. Empty if the values are certain."""
    publication: Publication | None = None

    @property
    def about(self) -> frozenset[str]:
        """Attributes of the reference that the proposal covers, also those that already agree."""
        if self.values and not self.publication:
            return frozenset(self.values)
        return _OF_PUBLICATION.union(self.values)

    def __str__(self) -> str:
        """Return the right values as one line for users. Authors are separated by semicolons."""
        if self.publication:
            return str(self.publication)
        return " | ".join(map(shown, self.values.values()))


def shown(value: Sequence[str] | str | int | None) -> str:
    """Return the value of a field as one line of text for users.

    Authors are separated by semicolons.
    """
    return "; ".join(value) if isinstance(value, tuple | list) else str(value or "")


def correctable(verdict: Verdict) -> Codes:
    """Return a map from each wrong attribute of a reference, such as ``year``, to the issue codes
    of its differences.

    A misspelt title is included, although it is only a note that does not affect the verdict.
    """
    found: dict[str, list[str]] = {}
    for issue in verdict.issues:
        counts = issue.counts or issue.code == IssueCode.TITLE_MISSPELT
        if counts and (field := FIELD_OF.get(issue.code)):
            found.setdefault(field, []).append(issue.code)
    return {field: tuple(dict.fromkeys(codes)) for field, codes in found.items()}


def proposals(verdict: Verdict, case: Case) -> Iterator[Proposal]:
    """Yield proposals that correct the wrong attributes of the reference, with values from the
    records of the cited work.
    """
    codes = correctable(verdict)
    if not case.best or verdict.status in {Status.UNVERIFIED, Status.ERROR}:
        return
    if "title" in codes:
        yield _title(case, codes)
    if "authors" in codes:
        yield _authors(case, codes)
    if not _OF_PUBLICATION.isdisjoint(codes):
        yield _publication(case, codes)
    if "arxiv_id" in codes:
        yield _arxiv_id(case, codes)


def _is_identified_without(case: Case, codes: Codes) -> bool:
    """Return whether the attributes without issues in ``codes`` identify the cited work on their
    own.

    The work has been identified before, but by all attributes, including the wrong ones.

    * If neither title nor authors are wrong, the title must agree, and the record must have every
      cited author.
    * If some authors are wrong, the title must agree, and also the DOI, the year, or the venue with
      a year that differs by at most one.
    * If all authors are wrong, the title and the DOI must agree.
    * If the title is wrong, the authors must agree, and also the DOI, or the venue with a year that
      differs by at most one.
    """
    best = case.best
    if best is None:
        return False
    if "title" in codes:
        return "authors" not in codes and agrees_but_for_title(best)
    if not best.title.same:
        return False
    if "authors" not in codes:
        return best.authors.all_cited
    by_nobody = best.authors.comparable and not best.authors.agreeing and not case.placeholders
    if _has_cited_doi(case.work) or by_nobody:
        # if no cited author agrees, the record is often that of another work with the same title
        return _has_cited_doi(case.work)
    same_venue = case.venue is VenueAgreement.SAME and best.year_gap <= NEAR
    return best.year_gap == 0 or (same_venue and codes.keys().isdisjoint({"venue", "year"}))


def _title(case: Case, codes: Codes) -> Proposal:
    titles = [record.title for record in case.records]
    values = {"title": titles[0]}
    if not _is_identified_without(case, codes):
        return Proposal(values, NOT_IDENTIFIED)
    if len(set(map(normalize_title, titles))) > 1:
        return Proposal(values, DIFFERENT_VALUES)
    # the words of all titles in the database show which word is misspelt
    if codes["title"] == (IssueCode.TITLE_MISSPELT,) or _is_confirmed(case):
        return Proposal(values)
    ours, theirs = title_words(case.reference.title), title_words(titles[0])
    # If the titles differ in length, the title in the record may be truncated.
    if _has_cited_doi(case.work) and len(ours) == len(theirs):
        return Proposal(values)
    return Proposal(values, ONE_RECORD)


def _authors(case: Case, codes: Codes) -> Proposal:
    people = [record.authors for record in case.records if record.authors]
    values = {"authors": people[0]}
    # A source uses one form of a person's name in all its records.
    by_source = IssueCode.AUTHORS_GIVEN_NAME in codes["authors"]
    if not _is_identified_without(case, codes):
        return Proposal(values, NOT_IDENTIFIED)
    if not all(same_people(*pair) for pair in pairwise(people)):
        return Proposal(values, DIFFERENT_VALUES)
    if _is_confirmed(case, by_source=by_source) or (not by_source and _has_cited_doi(case.work)):
        return Proposal(values)
    return Proposal(values, ONE_RECORD)


def _arxiv_id(case: Case, codes: Codes) -> Proposal:
    ids = {record.arxiv_id for record in case.records if record.arxiv_id}
    values = {"arxiv_id": min(ids, default="")}
    if not _is_identified_without(case, codes):
        return Proposal(values, NOT_IDENTIFIED)
    return Proposal(values, "" if len(ids) == 1 else DIFFERENT_VALUES)


def _is_confirmed(case: Case, *, by_source: bool = False) -> bool:
    """Return whether the work is confirmed by two records of different versions or sources, or by
    the registrar's record of the cited DOI.

    With ``by_source``, two versions in one source are not enough.
    """
    witnesses = {
        record.source if by_source else (record.source, record.venue, record.year)
        for record in case.records
    }
    own = [item for item in case.work if item.record.source in REGISTRARS]
    return len(witnesses) > 1 or _has_cited_doi(own)


def _has_cited_doi(work: Sequence[Comparison]) -> bool:
    return any(item.doi for item in work)


def _publication(case: Case, codes: Codes) -> Proposal:
    compared = [(item, agreements(item)) for item in published(case.work)]
    most = max((sum(agree.values()) for _, agree in compared), default=0)
    best = [(item.record, agree) for item, agree in compared if sum(agree.values()) == most]
    kind = KINDS.get(case.reference.entry_type)
    fitting = [(record, agree) for record, agree in best if record.pub_type == kind] or best
    publication = Publication.of([record for record, _ in fitting]) if fitting else None
    if publication is None:
        return Proposal({}, DIFFERENT_VALUES)
    agree = {
        name: any(each.get(name) for _, each in fitting) for _, each in fitting for name in each
    }
    values = {name: publication.value(name) for name, agrees in agree.items() if not agrees}
    if not _is_identified_without(case, codes):
        doubt = NOT_IDENTIFIED
    elif kind is None or (kind != publication.kind and not agree.get("venue")):
        doubt = OTHER_KIND
    elif not values or not all(values.values()):
        doubt = DIFFERENT_VALUES
    else:
        doubt = _doubt(case, codes, agree)
    return Proposal(values, doubt, publication)


def _doubt(case: Case, codes: Codes, agree: Mapping[str, bool]) -> str:
    """Return why the publication of ``case`` may not be the cited one, or an empty text if it
    certainly is.

    ``agree`` is the result of :func:`agreements` for the record. The publication is *identified* if
    the DOI agrees, or if the pages agree and not both year and venue are wrong.

    If the venue is wrong, the publication must be identified, or the database must prove that the
    cited volume lacks the work. In addition, the entry must have no value that the record cannot
    confirm.

    If only other values are wrong, the venue must agree, or the DOI if the entry states no venue.
    In addition, if the publication is not identified, only the year may be wrong, and the entry
    must have no value that the record cannot confirm.
    """
    right = {name for name, agrees in agree.items() if agrees}
    wrong = agree.keys() - right
    besides = [*sorted(stated(case.reference) - agree.keys()), *_fields_besides(case.reference)]
    if "doi" in wrong and codes.get("doi") == (IssueCode.DOI_DIFFERS,):
        return OTHER_VERSION  # another DOI may belong to another version of the work
    if "venue" not in wrong and not wrong & {"year", "doi"} <= codes.keys():
        return OTHER_VERSION  # a year that differs by one is not an error
    if "doi" in wrong and "doi" not in codes:
        return OTHER_VERSION
    if wrong <= {"doi"}:
        return "" if {"venue", "year"} <= right else OTHER_VERSION
    identified = "doi" in right or ("pages" in right and not {"venue", "year"} <= wrong)
    if "venue" in wrong:
        if not identified and not (wrong <= {"venue", "year"} and _is_absent(case)):
            return OTHER_VERSION
        return OTHER_FIELDS.format(", ".join(besides)) if besides else ""
    placed = "venue" in right or ("doi" in right and not case.reference.venue)
    if not placed or (not identified and wrong != {"year"}):
        return OTHER_VERSION
    return OTHER_FIELDS.format(", ".join(besides)) if besides and not identified else ""


def _fields_besides(reference: Reference) -> Iterator[str]:
    """Yield the names of fields of an entry that describe its publication and that no record can
    confirm.

    A URL that contains the DOI is left out, because it is corrected together with the DOI.
    """
    for name in _BESIDES:
        is_doi = reference.doi and reference.doi in reference.url.lower()
        if reference.place.field(name) and not (name in {"url", "ee", "link"} and is_doi):
            yield name


def _is_absent(case: Case) -> bool:
    """Return whether the database proves that the cited volume lacks the work.

    The database must have the complete volume with its workshops, and no work with the cited title
    in it. The best record must be of the same or a neighbouring year. Two or more authors must be
    cited, for this reason: in the volume, the title may have a remark such as "(Extended
    Abstract)". Then the work is found by a search for its authors, but a single author may have too
    many works for this search.
    """
    reference, meant = case.reference, case.cited_venues
    if len(reference.authors) < 2 or not case.held_volumes or case.lacks_companion:
        return False
    there = (
        item
        for item in case.compared
        if item.title.same and not meant.isdisjoint(case.venues.of_record(item.record))
    )
    near = case.best is not None and case.best.year_gap <= NEAR
    return near and not any(item.record.year == reference.year for item in there)
