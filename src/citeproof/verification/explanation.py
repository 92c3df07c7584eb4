"""Explain a verdict without changing it: what was searched, what the search proves, and the most
similar works.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from citeproof.model.findings import (
    Agreement,
    Covers,
    Findings,
    NearestWork,
    Outcome,
    SourceCoverage,
)
from citeproof.model.record import Candidate, MatchKind, Volume
from citeproof.model.reference import Reference
from citeproof.model.verdict import Verdict
from citeproof.text.title_words import title_form
from citeproof.verification.validation.claim import cited_place
from citeproof.verification.validation.compare.venues import Venues
from citeproof.verification.validation.comparison import ALIKE, Comparison
from citeproof.verification.validation.identity import Comparer, compare_all, compared

_NO_MISS = {
    "no_title",
    "not_asked",
    "not_a_reference",
    "unreadable_entry",
    "not_confirmed",
    "common_title",
}
"""Reason codes of verdicts whose title was either found or never searched, such as ``no_title``."""
ONLINE = "--enable-online queries further sources"
"""Phrase that advises users of the command line to search online.

The web service does not search online.
"""
UNCOVERED = "no source at hand is known to cover"
"""Phrase before the name of a venue that no source in the database is known to cover."""
_DATABASE = "bibliographic_database"
SHOWN = 5
"""Maximum number of similar works that are shown with a verdict."""


def searched(reference: Reference, findings: Findings, reason: str, venues: Venues) -> str:
    """Return sentences that say what was searched and what the search proves. ``reason`` is the
    reason code of the verdict.

    Empty unless the title was searched and not found.
    """
    if reason in _NO_MISS:
        return ""
    sentences = list(_database_search(reference, findings, venues))
    asked = dict.fromkeys(inquiry.source for inquiry in findings.inquiries if inquiry.searched)
    if online := [source for source in asked if source != _DATABASE]:
        sentences.append(f"queried online: {', '.join(online)}")
    if sentences and not findings.coverage:
        sentences.append(ONLINE)
    return " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences)


def _database_search(reference: Reference, findings: Findings, venues: Venues) -> Iterator[str]:
    """Yield sentences that say how completely the database has the cited volume, or works of the
    cited kind.
    """
    if not any(
        inquiry.source == _DATABASE and inquiry.outcome is Outcome.ANSWERED
        for inquiry in findings.inquiries
    ):
        return
    whole = [item for item in findings.covered if item.covers is Covers.NOTHING]
    broad = [item for item in findings.covered if item.covers is Covers.KIND]
    held = named(whole) or "the database"
    verb = "hold" if " and " in held else "holds"
    if volume := _volume(reference, findings.volumes, venues):
        # the keys of DBLP show the volume of a record
        dblp = named(item for item in whole if item.source.endswith("DBLP"))
        yield (
            f"{dblp or held} {'holds' if dblp else verb} {volume.completeness:.0%} of"
            f" {cited_place(reference)}, but not this title"
        )
    elif broad:
        holders = named(broad)
        verb = "hold" if " and " in holders else "holds"
        yield f"{holders} {verb} nearly all {broad[0].part}, but not this title"
    elif reference.venue and not venues.resolve(reference.venue):
        yield f"{held} {verb} no work with this title, and {UNCOVERED} {reference.venue}"
    else:
        yield f"{held} {verb} no work with this title, but may be incomplete"
    yield from [item.doubt for item in findings.covered if item.doubt][:1]
    if not any(inquiry.complete for inquiry in findings.inquiries):
        yield "the search was not exhaustive, so the database may have the title"


def _volume(reference: Reference, volumes: Iterable[Volume], venues: Venues) -> Volume | None:
    """Return the largest of ``volumes`` that is of the cited venue and year.

    None if the cited name may mean a venue that has no volume of this year.
    """
    own = {volume.venue: volume for volume in volumes if volume.year == reference.year}
    meant = venues.resolve(reference.venue)
    return (
        max(own.values(), key=lambda volume: volume.records)
        if meant and meant <= own.keys()
        else None
    )


def named(sources: Iterable[SourceCoverage]) -> str:
    """Return sources as text, such as ``DBLP (computer science, to 2026-08) and OpenAlex (to
    2026-07)``.
    """
    until: dict[tuple[str, str], str] = {}
    for item in sources:
        # several files of one source count as one source, which is complete up to the earliest of
        # the dates of the files
        part = (item.source, item.part if item.covers is Covers.NOTHING else "")
        until[part] = min(filter(None, (until.get(part), item.until)), default="")
    names = []
    for (source, field), day in until.items():
        said = ", ".join(filter(None, (field, day and f"to {day[:7]}")))
        names.append(f"{source} ({said})" if said else source)
    names = list(dict.fromkeys(names))
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def nearest_works(
    verdict: Verdict, candidates: Sequence[Candidate], venues: Venues, comparer: Comparer = compared
) -> tuple[NearestWork, ...]:
    """Return the works among ``candidates`` that the reference may cite, with every field compared.

    The best match comes first. Web search hits are shown only if there is no best match. A work
    that was found only by its authors is returned if it has at least half of the cited authors, and
    more cited authors than the works that were found otherwise. If none of the other works has the
    cited title, :func:`_is_telling` must also be true for the work.
    """
    reference, best = verdict.reference, verdict.best_match
    explaining = sorted(
        (one for one in candidates if one.match in {MatchKind.NEARBY, MatchKind.AUTHORS}),
        key=lambda one: -one.similarity,
    )
    in_order = [
        item.candidate for item in compare_all(reference, candidates, venues, comparer=comparer)
    ]
    known = [candidate for candidate in candidates if candidate.match is not MatchKind.WEB]
    first = [best] if best else [one for one in candidates if one.match is MatchKind.WEB]
    others, by_authors = list[_Work](), list[_Work]()
    shown = [*first, *in_order, *explaining, *known]
    for work in _works(reference, shown, venues, comparer):
        (by_authors if work.found_by == (MatchKind.AUTHORS,) else others).append(work)
    titled = any(work.item.title.same for work in others)
    chosen = [one for one in _better(by_authors, others) if titled or _is_telling(one.item)]
    return tuple(work.shown() for work in (*others[: SHOWN - len(chosen)], *chosen))


def compared_works(
    reference: Reference, candidates: Iterable[Candidate], venues: Venues
) -> tuple[NearestWork, ...]:
    """Return the works that ``candidates`` describe, in this order, with every field compared."""
    return tuple(work.shown() for work in _works(reference, candidates, venues))


def near_miss(meant: Sequence[NearestWork]) -> str:
    """Return a sentence that names a work in ``meant`` with a title very similar to the cited
    title.

    Empty if there is no such work.
    """
    if not (
        record := next((work.record for work in meant if work.candidate.similarity >= 0.9), None)
    ):
        return ""
    authors = (
        [record.authors[0] + (" and others" if record.authors[1:] else "")]
        if record.authors
        else []
    )
    place = ", ".join([*authors, f"{record.venue} {record.year or ''}".strip()])
    return f" The nearest title is “{record.title}” ({place})."


class _Work(NamedTuple):
    """A work that may be cited: the comparison with its first record, and the ways in which it was
    found.
    """

    item: Comparison
    found_by: tuple[MatchKind, ...]

    def shown(self) -> NearestWork:
        """Return the work with every field compared."""
        return NearestWork(self.item.candidate, self.found_by, self.item.shown())


def _works(
    reference: Reference,
    candidates: Iterable[Candidate],
    venues: Venues,
    comparer: Comparer = compared,
) -> Iterator[_Work]:
    """Yield the works that ``candidates`` describe. Records with the same title and authors are of
    one work.
    """
    by_work: dict[tuple[str, tuple[str, ...]], list[Candidate]] = {}
    for candidate in candidates:
        record = candidate.record
        by_work.setdefault((title_form(record.title).normal, record.authors), []).append(candidate)
    for routes in by_work.values():
        found_by = tuple(dict.fromkeys(candidate.match for candidate in routes))
        yield _Work(comparer(reference, routes[0], venues, ()), found_by)


def _better(by_authors: Sequence[_Work], others: Sequence[_Work]) -> list[_Work]:
    """Return at most two of ``by_authors``: the works with the most cited authors.

    Empty if one of ``others`` has as many cited authors.
    """
    known = max((work.item.authors.agreeing for work in others), default=0.0)
    better = sorted(
        (
            work
            for work in by_authors
            if work.item.authors_agree and work.item.authors.agreeing > known
        ),
        key=lambda work: (
            -work.item.authors.agreeing,
            len(work.item.authors.uncited),
            -work.item.candidate.similarity,
        ),
    )
    most = better[0].item.authors.agreeing if better else 0.0
    return [work for work in better[:2] if work.item.authors.agreeing == most]


def _is_telling(item: Comparison) -> bool:
    """Return whether a work of the cited authors has a similar title, or agrees in year, venue and
    all authors.

    Other works of the cited authors are shown only if a work with the cited title was found.
    Without this rule, unrelated works were shown for 99 of 200 true references whose records had
    been removed.
    """
    if item.candidate.similarity >= ALIKE:
        return True
    if item.reference.year != item.record.year or not item.authors.everyone:
        return False
    return item.field("venue").agreement is Agreement.SAME
