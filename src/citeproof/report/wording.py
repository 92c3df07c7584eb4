"""Texts that several report formats share, such as links, facts about a work, and sentences about
acceptances.
"""

import shutil
import textwrap
from collections import Counter
from collections.abc import Sequence

from citeproof.model.chance import Chance
from citeproof.model.codes import IssueCode, ReasonCode
from citeproof.model.findings import Agreement, Inquiry, NearestWork
from citeproof.model.quantity import quantity
from citeproof.model.record import MatchKind, Record
from citeproof.model.reference import Extraction, Reference
from citeproof.model.verdict import Acceptance, Lapse, OutgoingRequests, Status, Verdict
from citeproof.report.advice import first_names, noted, part, sentence
from citeproof.report.misses import kind_missed
from citeproof.verification.validation.policy import ANOTHER_VERSION

NOTICES = {
    "retracted": "The work was retracted; say so, or cite another work.",
    "expression_of_concern": "The publisher has expressed concern about the work; read the notice.",
}
"""Map from a flag of a work, such as ``retracted``, to a sentence that users must see."""
_IDENTIFYING_FIELDS = {"title": "title", "authors": "authors", "doi": "DOI", "arxiv_id": "arXiv id"}
"""Map from a field that identifies a work to its name in reports.

A year or a venue does not identify a work.
"""
FOUND_BY = {
    MatchKind.DOI: "by the DOI",
    MatchKind.ARXIV_ID: "by the arXiv id",
    MatchKind.MAIN_TITLE: "by the title without a subtitle",
    MatchKind.SAME_WORDS: "by the same words in another order",
    MatchKind.NEARBY: "as the nearest title",
    MatchKind.AUTHORS: "by the cited authors",
}
"""Map from a kind of match to a phrase on how the work was found, such as ``by the DOI``."""
LEFT_TO_ISSUES = frozenset(
    {
        ReasonCode.NOT_CONFIRMED,
        ReasonCode.UNREADABLE_ENTRY,
        ReasonCode.PROGRAM_FAULT,
        ReasonCode.NO_BROAD_SOURCE,
    }
)
"""Reasons of verdicts for which reports list the issues of an entry instead of the title."""
IDENTIFIERS = (MatchKind.DOI, MatchKind.ARXIV_ID)
"""The kinds of match in which an identifier agrees, and not the title."""
RELATED = {
    MatchKind.DOI: "has this DOI",
    MatchKind.ARXIV_ID: "has this arXiv id",
    MatchKind.MAIN_TITLE: "the same except for a subtitle",
    MatchKind.SAME_WORDS: "the same words in another order",
}
"""Map from a kind of match to a phrase on how a record is related to the query, such as ``has this
DOI``.
"""

WIDEST = 80
"""Maximum number of columns of a wrapped line, even if the terminal is wider."""
NARROWEST = 20
"""Minimum number of columns of a wrapped line, even if the terminal is narrower."""


def wrapped(text: str, head: str = "", rest: str | None = None, most: int | None = None) -> str:
    """Return ``text`` wrapped to the width of the terminal. With ``most``, the text is cut after
    this number of lines, and ends in "[...]".

    The first line begins with ``head``, and further lines begin with ``rest``. Without ``rest``,
    they are indented by the width of ``head``. Only a word that is longer than a line, such as a
    link, exceeds the width.
    """
    width = min(max(shutil.get_terminal_size().columns, NARROWEST), WIDEST)
    return textwrap.fill(
        text,
        width,
        initial_indent=head,
        subsequent_indent=" " * len(head) if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
        max_lines=most,
    )


def shown_key(reference: Reference) -> str:
    """Return the key of ``reference`` in the form that reports show: ``knuth97``, or ``[21]`` in a
    numbered list.
    """
    return f"[{reference.key}]" if reference.key.isdigit() else reference.key


def relation(work: NearestWork) -> str:
    """Return a label for ``work``: ``meant`` if title and authors agree, or else a phrase on what
    agrees, such as ``title of``.
    """
    known = work.fields_that(Agreement.SAME)
    partly = work.fields_that(Agreement.PARTLY)
    if {"title", "authors"} <= {*known, *partly}:
        return "meant"
    people = work.compared("authors")
    # the work has more authors than are cited, and no cited author is wrong
    if people and "authors" in partly and not people.only_cited:
        known = (*known, "authors")
    if named := [name for field, name in _IDENTIFYING_FIELDS.items() if field in known]:
        return f"{' and '.join(named)} of"
    if "title" in partly:
        return "similar title"
    if not people or "authors" not in partly:
        return "nearest"
    cited = people.cited.count("; ") + 1
    return f"{cited - len(people.only_cited)} of {cited} authors of"


def status_name(verdict: Verdict) -> str:
    """Return the status in the form that reports show: ``VALID, 1 note``."""
    if not verdict.is_noted:
        return verdict.status.value
    return f"{verdict.status.value}, {quantity(len(verdict.notes), 'note')}"


def chance_line(chance: Chance) -> str:
    """Return a sentence that states the probability that a reference is invented: ``The probability
    is 3 %, if 1 % of all references are invented.``
    """
    shares = (chance.invented, chance.base_rate)
    invented, usual = (
        f"{100 * share:.2g} %" if share >= 0.0005 else "less than 0.1 %" for share in shares
    )
    return f"The probability is {invented}, if {usual} of all references are invented."


def record_link(record: Record) -> str:
    """Return the URL of a work: the link of the DOI, or else that of the arXiv id, or else the URL
    in the record.
    """
    if record.doi:
        return f"https://doi.org/{record.doi}"
    if record.arxiv_id:
        return f"https://arxiv.org/abs/{record.arxiv_id}"
    return record.url


def records_line(inquiry: Inquiry) -> str:
    """Return a phrase on how many records a query returned: ``2 records``, ``no record of this
    title``.
    """
    if inquiry.records:
        return quantity(inquiry.records, "record")
    return "no record of this title" if inquiry.method else "no record"


def found_otherwise(verdict: Verdict) -> str:
    """Return a phrase on works that were not found by title, such as ``2 by the cited authors``.

    The phrase may be empty.
    """
    kinds = Counter(
        work.found_by[0] for work in verdict.meant if work.found_by and work.found_by[0] in FOUND_BY
    )
    return ", ".join(f"{count} {FOUND_BY[kind]}" for kind, count in kinds.items())


def notice_link(verdict: Verdict, flag: str) -> str:
    """Return the URL of the notice for ``flag``: a retraction notice for ``retracted``.

    Empty if there is no notice or its URL is unknown.
    """
    kind = {"retracted": "retraction", "expression_of_concern": "concern"}.get(flag, "")
    if verdict.notices or not verdict.best_match:
        return next((notice.url for notice in verdict.notices if notice.kind == kind), "")
    return str(getattr(verdict.best_match.record, kind, ""))


def notices(verdict: Verdict) -> list[tuple[str, str]]:
    """Return a pair for each flag of ``verdict`` that users must see: a sentence and the URL of the
    notice.
    """
    return [
        (NOTICES[flag], notice_link(verdict, flag)) for flag in verdict.flags if flag in NOTICES
    ]


def sent_line(sent: OutgoingRequests) -> str:
    """Return a line on the data sent to one host: ``title, doi to api.crossref.org (2
    requests)``.
    """
    requests = quantity(sent.requests, "request")
    return f"{', '.join(sent.fields) or 'nothing'} to {sent.host} ({requests})"


def extraction_line(extraction: Extraction) -> str:
    """Return a line on how well a reference list was read: ``30 entries found, 31 expected, 2
    doubtful, 1 uncited``.
    """
    uncited = "" if extraction.uncited is None else f", {extraction.uncited} uncited"
    found = quantity(extraction.found, "entry", "entries")
    return f"{found} found, {extraction.expected} expected, {extraction.doubtful} doubtful{uncited}"


def works(verdict: Verdict) -> list[tuple[str, Record, bool]]:
    """Return the works that the reference may cite, or else the best match.

    Each item of the list has a label, the record, and whether the titles agree. If a reference
    mixes two works, both are returned.
    """
    if not verdict.meant:
        return [("the work", verdict.best_match.record, True)] if verdict.best_match else []
    named = (
        (relation(work), work.record, "title" in work.fields_that(Agreement.SAME))
        for work in verdict.meant
    )
    telling = [work for work in named if work[0] == "meant" or work[0].endswith(" of")]
    return telling[: 2 if verdict.status is Status.INVALID else 1]


def facts(record: Record) -> str:
    """Return authors, venue and year of a work: ``Leslie G. Valiant, Commun. ACM 1984``."""
    return ", ".join(
        filter(
            None, (first_names(record.authors, 3), f"{record.venue} {record.year or ''}".strip())
        )
    )


def heading(verdicts: Sequence[Verdict]) -> str:
    """Return the heading of a list of accepted references, or of references whose acceptance is no
    longer valid.
    """
    if verdicts[0].is_accepted:
        return f"{len(verdicts):,} accepted: checked by a person, so not counted as a problem."
    return f"{len(verdicts):,} no longer accepted: check again, and renew the acceptance."


def said(acceptance: Acceptance) -> str:
    """Return the reason and dates of an acceptance: ``our archive (2026-11-22, until
    2027-11-22)``.
    """
    until = f", until {acceptance.until}" if acceptance.until else ""
    why = {
        None: "",
        Lapse.CHANGED: "; the entry has changed since",
        Lapse.EXPIRED: "; this date has passed",
    }
    return f"{acceptance.because} ({acceptance.on}{until}{why[acceptance.lapsed]})"


def listed(verdict: Verdict) -> str:
    """Return a line on an accepted reference: reason and dates of the acceptance, and notices on
    the work.
    """
    assert verdict.acceptance is not None
    further = (" ".join(notice).strip() for notice in notices(verdict))
    return " ".join([said(verdict.acceptance), *further])


def sentence_on(verdict: Verdict) -> str:
    """Return a sentence that says that a person has accepted the reference, with reason and dates.

    Empty if the reference was not accepted.
    """
    if not verdict.acceptance:
        return ""
    heading = "Accepted" if verdict.is_accepted else "No longer accepted"
    return f"{heading}: {said(verdict.acceptance)}."


def message(verdict: Verdict) -> str:
    """Return one line about ``verdict``: what to do, the works that may be cited, notices, and the
    acceptance.
    """
    parts = [] if verdict.is_valid else [sentence(verdict)]
    for label, record, _ in works(verdict) if verdict.meant else ():
        link = record_link(record)
        about = f"{record.title}, {facts(record)}{f' <{link}>' if link else ''}"
        parts.append(f"{label[0].upper()}{label[1:]}: {about}.")
    parts += (" ".join(notice).strip() for notice in notices(verdict))
    return " ".join([*parts, sentence_on(verdict)]).rstrip()


_OF_VOLUME = frozenset({IssueCode.VOLUME_RENAMED, IssueCode.VOLUME_COMPANION_NOT_HELD})
"""Codes of notes that say: the database has the cited volume, but not with the cited title."""


def told(verdict: Verdict) -> str:
    """Return the text by which a list shows an entry, usually the title.

    If the entry may be parsed wrongly, return the whole entry. For reasons in
    :data:`LEFT_TO_ISSUES`, return the issues. If the reference is VALID with notes, return the
    notes. If the database has the cited volume but not the title, a phrase about the volume follows
    the title.
    """
    if verdict.reason == ReasonCode.PARSE_SUSPECT:
        return " ".join(verdict.reference.raw.split())
    if verdict.is_noted:
        return noted(verdict)
    if verdict.reason not in LEFT_TO_ISSUES:
        return "; ".join(filter(None, (verdict.reference.title, _of_volume(verdict))))
    error = verdict.status is Status.ERROR
    parts = [part(issue, verdict) for issue in verdict.issues if error or not issue.counts]
    said = "; ".join(one.removesuffix(ANOTHER_VERSION) for one in parts)
    return said + ANOTHER_VERSION * any(one.endswith(ANOTHER_VERSION) for one in parts)


def _of_volume(verdict: Verdict) -> str:
    """Return a phrase about a cited volume that the database has, but without the cited title. It
    may name a work that may be the cited work under another title.

    Empty if the database does not have the cited volume.
    """
    return next((part(one, verdict) for one in verdict.notes if one.code in _OF_VOLUME), "")


def tells_issues(verdict: Verdict) -> bool:
    """Return whether the text of :func:`told` has more than the entry itself."""
    return verdict.reason in LEFT_TO_ISSUES or verdict.is_noted or bool(_of_volume(verdict))


def listing(verdict: Verdict) -> str:
    """Return the text by which a list shows an entry.

    If few sources have the kind of the cited work, such as RFCs, the text begins with the kind.
    """
    kind = kind_missed(verdict)
    return f"{kind.one}: {told(verdict)}" if kind else told(verdict)


def is_unreadable(verdict: Verdict) -> bool:
    """Return whether the status is ERROR because the entry could not be read, not because a source
    failed.
    """
    return (
        verdict.status is Status.ERROR
        and verdict.reason == ReasonCode.UNREADABLE_ENTRY
        and bool(verdict.counted)
    )
