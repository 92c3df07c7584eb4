"""What several reports say in the same words: what a work is to a reference, links, what failed, what was sent."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from citeproof.models import Agreement, MatchKind, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citeproof.models import Extraction, Inquiry, NearestWork, OutgoingRequests, Record, Reference, Verdict

_NAMING = {"title": "title", "authors": "authors", "doi": "DOI", "arxiv_id": "arXiv id"}
"""Fields that name a work, with their names for people; a year or a venue is shared by many."""
_ROADS = {
    MatchKind.DOI: "by the DOI",
    MatchKind.ARXIV_ID: "by the arXiv id",
    MatchKind.MAIN_TITLE: "by the title without a subtitle",
    MatchKind.SAME_WORDS: "by the same words in another order",
    MatchKind.NEARBY: "as the nearest title",
    MatchKind.AUTHORS: "by the cited people",
}
"""How a work was found that has not the cited title, for people."""
_CACHE = "cache"
"""The name of the cache among the strategies."""


def shown_key(reference: Reference) -> str:
    """Return the key of ``reference`` as people write it: ``knuth97``, and of a numbered list ``[21]``."""
    return f"[{reference.key}]" if reference.key.isdigit() else reference.key


def relation(work: NearestWork) -> str:
    """Say in a few words what a work is to a reference: ``meant``, ``title of``, ``2 of 3 authors of``..."""
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


def record_link(record: Record) -> str:
    """Return the address at which a person can see the work: its DOI, its arXiv page, else the record's own."""
    if record.doi:
        return f"https://doi.org/{record.doi}"
    if record.arxiv_id:
        return f"https://arxiv.org/abs/{record.arxiv_id}"
    return record.url


def records_line(inquiry: Inquiry) -> str:
    """Return how many records a question brought: ``2 records``, ``no record of this title``."""
    if inquiry.records:
        return f"{inquiry.records:,} record{'s' * (inquiry.records > 1)}"
    return "no record of this title" if inquiry.method else "no record"


def found_otherwise(verdict: Verdict) -> str:
    """Return how works were found that have not the cited title: ``2 by the cited people``; empty for none."""
    roads = Counter(work.found_by[0] for work in verdict.meant if work.found_by and work.found_by[0] in _ROADS)
    return ", ".join(f"{count} {_ROADS[kind]}" for kind, count in roads.items())


def notice_link(verdict: Verdict, flag: str) -> str:
    """Return the address at which a person can read why the work has ``flag``; empty where there is none."""
    known = {notice.kind: notice.url for notice in reversed(verdict.notices)}
    if not known and verdict.best_match:
        record = verdict.best_match.record
        known = {"retraction": record.retraction, "concern": record.concern}
    return known.get({"retracted": "retraction", "expression_of_concern": "concern"}.get(flag, ""), "")


def sent_line(sent: OutgoingRequests) -> str:
    """Return what one host was sent, in words."""
    requests = f"{sent.requests} request{'s' if sent.requests > 1 else ''}"
    return f"{', '.join(sent.fields) or 'nothing'} to {sent.host} ({requests})"


class Failures:
    """Which sources failed, how often and why, as verdict after verdict is added."""

    def __init__(self) -> None:
        self._times = Counter[str]()
        self._reasons: dict[str, dict[str, None]] = {}

    def add(self, verdict: Verdict) -> None:
        """Count the failures of ``verdict``."""
        for inquiry in verdict.evidence:
            if inquiry.outcome is Outcome.FAILED:
                self._times[inquiry.source] += 1
                # What was not asked again is in brackets behind the failure that led to it.
                self._reasons.setdefault(inquiry.source, {})[inquiry.detail.partition(" (not asked")[0]] = None

    def lines(self) -> tuple[str, ...]:
        """Return them in words: a line for each source and reason."""
        return tuple(
            f"{source} {count}: {reason}" if reason else f"{source} {count}"
            for source, count in self._times.items()
            for reason in self._reasons[source]
        )


def failure_lines(verdicts: Iterable[Verdict]) -> list[str]:
    """Return which sources failed, how often and why, in words."""
    failures = Failures()
    for verdict in verdicts:
        failures.add(verdict)
    return list(failures.lines())


def extraction_line(extraction: Extraction) -> str:
    """Return how well the list of one paper was read: ``30 entries found, 31 expected, 2 doubtful, 1 uncited``."""
    uncited = "" if extraction.uncited is None else f", {extraction.uncited} uncited"
    found = "1 entry" if extraction.found == 1 else f"{extraction.found} entries"
    return f"{found} found, {extraction.expected} expected, {extraction.doubtful} doubtful{uncited}"


def remembered(verdict: Verdict) -> str:
    """Return from what and when a verdict was remembered, where what an earlier run verified decided it; else empty."""
    hits = (inquiry for inquiry in verdict.evidence if inquiry.source == _CACHE and inquiry.from_cache)
    return next((hit.detail for hit in hits), "") if verdict.decided_by == _CACHE else ""
