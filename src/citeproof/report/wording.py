"""Short phrases that several outputs share: keys, links, the relation of a work to a reference, requests."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from citeproof.model.findings import Agreement, Inquiry, NearestWork
from citeproof.model.record import MatchKind, Record

if TYPE_CHECKING:
    from citeproof.model.chance import Chance
    from citeproof.model.reference import Extraction, Reference
    from citeproof.model.verdict import OutgoingRequests, Verdict

_NAMING = {"title": "title", "authors": "authors", "doi": "DOI", "arxiv_id": "arXiv id"}
"""Fields that identify a work, with their names for users; many works share a year or a venue."""
_ROADS = {
    MatchKind.DOI: "by the DOI",
    MatchKind.ARXIV_ID: "by the arXiv id",
    MatchKind.MAIN_TITLE: "by the title without a subtitle",
    MatchKind.SAME_WORDS: "by the same words in another order",
    MatchKind.NEARBY: "as the nearest title",
    MatchKind.AUTHORS: "by the cited authors",
}
"""How a work with another title was found, for users."""


def shown_key(reference: Reference) -> str:
    """Return the key of ``reference`` for users: ``knuth97``, or ``[21]`` in a numbered list."""
    return f"[{reference.key}]" if reference.key.isdigit() else reference.key


def relation(work: NearestWork) -> str:
    """Return the relation of a work to the reference: ``meant``, ``title of``, ``2 of 3 authors of``..."""
    known = work.fields_that(Agreement.SAME)
    partly = work.fields_that(Agreement.PARTLY)
    if {"title", "authors"} <= {*known, *partly}:
        return "meant"
    people = next((field for field in work.fields if field.field == "authors"), None)
    if people and "authors" in partly and not people.only_cited:  # the work has more authors, and none are cited amiss
        known = (*known, "authors")
    named = [name for field, name in _NAMING.items() if field in known]
    if named:
        return f"{' and '.join(named)} of"
    if "title" in partly:
        return "similar title"
    if not people or "authors" not in partly:
        return "nearest"
    cited = people.cited.count("; ") + 1
    return f"{cited - len(people.only_cited)} of {cited} authors of"


def chance_line(chance: Chance) -> str:
    """Return the chance in words: ``A chance of 3 %, where 1 % of all references are.``"""
    return f"A chance of {_percent(chance.invented)}, where {_percent(chance.base_rate)} of all references are."


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share >= 0.0005 else "less than 0.1 %"


def record_link(record: Record) -> str:
    """Return the URL of a work: its DOI, its arXiv page, else the URL of the record."""
    if record.doi:
        return f"https://doi.org/{record.doi}"
    if record.arxiv_id:
        return f"https://arxiv.org/abs/{record.arxiv_id}"
    return record.url


def records_line(inquiry: Inquiry) -> str:
    """Return the number of records that a query returned: ``2 records``, ``no record of this title``."""
    if inquiry.records:
        return f"{inquiry.records:,} record{'s' * (inquiry.records > 1)}"
    return "no record of this title" if inquiry.method else "no record"


def found_otherwise(verdict: Verdict) -> str:
    """Return how works with other titles were found: ``2 by the cited authors``; empty if none were."""
    roads = Counter(work.found_by[0] for work in verdict.meant if work.found_by and work.found_by[0] in _ROADS)
    return ", ".join(f"{count} {_ROADS[kind]}" for kind, count in roads.items())


def notice_link(verdict: Verdict, flag: str) -> str:
    """Return the URL of the notice behind ``flag``; empty if there is none."""
    known = {notice.kind: notice.url for notice in reversed(verdict.notices)}
    if not known and verdict.best_match:
        record = verdict.best_match.record
        known = {"retraction": record.retraction, "concern": record.concern}
    return known.get({"retracted": "retraction", "expression_of_concern": "concern"}.get(flag, ""), "")


def sent_line(sent: OutgoingRequests) -> str:
    """Return the requests to one host: ``title, doi to api.crossref.org (2 requests)``."""
    requests = f"{sent.requests} request{'s' if sent.requests > 1 else ''}"
    return f"{', '.join(sent.fields) or 'nothing'} to {sent.host} ({requests})"


def extraction_line(extraction: Extraction) -> str:
    """Return how well the list of one paper was read: ``30 entries found, 31 expected, 2 doubtful, 1 uncited``."""
    uncited = "" if extraction.uncited is None else f", {extraction.uncited} uncited"
    found = "1 entry" if extraction.found == 1 else f"{extraction.found} entries"
    return f"{found} found, {extraction.expected} expected, {extraction.doubtful} doubtful{uncited}"
