"""Explain a verdict without changing it: what was searched, what the search proves, and the nearest
works.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from citeproof.model.findings import (
    Agreement,
    Covers,
    FieldComparison,
    FieldName,
    Findings,
    NearestWork,
    Outcome,
    SourceCoverage,
)
from citeproof.model.record import Candidate, MatchKind, Record, Volume
from citeproof.model.reference import Reference
from citeproof.model.verdict import Verdict
from citeproof.text.identifiers import doi_says_nothing, is_aside
from citeproof.text.similarity import differing_words
from citeproof.verification.validation.compare.authors import compare_authors
from citeproof.verification.validation.compare.identifiers import arxiv_id_of
from citeproof.verification.validation.compare.titles import compare_titles, title_form
from citeproof.verification.validation.compare.venues import VenueAgreement, Venues, compare_venue
from citeproof.verification.validation.work import ALIKE, compare_all

_NO_MISS = {
    "no_title",
    "not_asked",
    "not_a_reference",
    "unreadable_entry",
    "not_confirmed",
    "common_title",
}
"""Reason codes that do not mean that the title was searched and not found, such as ``no_title``."""
ONLINE = "--enable-online asks further sources"
"""Phrase that advises users of the command line to search online.

The web service does not search online.
"""
UNCOVERED = "no source at hand is known to cover"
"""Phrase that precedes the name of a venue that no source covers."""
_DATABASE = "bibliographic_database"
SHOWN = 5
"""Maximum number of nearest works that are shown with a verdict."""


def searched(reference: Reference, findings: Findings, reason: str, venues: Venues) -> str:
    """Return sentences on what was searched and what this proves.

    Empty unless the title was searched and not found.
    """
    if reason in _NO_MISS:
        return ""
    sentences = list(_database_search(reference, findings, venues))
    asked = dict.fromkeys(inquiry.source for inquiry in findings.inquiries if inquiry.searched)
    if online := [source for source in asked if source != _DATABASE]:
        sentences.append(f"asked online: {', '.join(online)}")
    if sentences and not findings.coverage:
        sentences.append(ONLINE)
    return " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences)


def _database_search(reference: Reference, findings: Findings, venues: Venues) -> Iterator[str]:
    """Yield sentences on how completely the database has the cited volume, or works of the cited
    kind.
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
        place = (
            f"{reference.venue} {volume.year}"
            if str(volume.year) not in reference.venue
            else reference.venue
        )
        # its keys show the volume of a record
        dblp = named(item for item in whole if item.source.endswith("DBLP"))
        yield (
            f"{dblp or held} {'holds' if dblp else verb} {volume.completeness:.0%} of {place}, and"
            " not this title"
        )
    elif broad:
        yield (
            f"{named(broad)} {'hold' if len(broad) > 1 else 'holds'} {broad[0].part} broadly, and"
            " not this title"
        )
    elif reference.venue and not venues.resolve(reference.venue):
        yield f"{held} {verb} no such title, and {UNCOVERED} {reference.venue}"
    else:
        yield f"{held} {verb} no such title, and need not have it"
    yield from [item.doubt for item in findings.covered if item.doubt][:1]
    if not any(inquiry.complete for inquiry in findings.inquiries):
        yield "the search was not exhaustive"


def _volume(reference: Reference, volumes: Iterable[Volume], venues: Venues) -> Volume | None:
    """Return the largest volume of the cited venue and year.

    None if a venue of this name has no such volume.
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
    names = []
    for item in sources:
        field = item.part if item.covers is Covers.NOTHING else ""
        said = ", ".join(filter(None, (field, item.until and f"to {item.until[:7]}")))
        names.append(f"{item.source} ({said})" if said else item.source)
    names = list(dict.fromkeys(names))
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def nearest_works(
    verdict: Verdict, candidates: Sequence[Candidate], venues: Venues
) -> tuple[NearestWork, ...]:
    """Return the works among ``candidates`` that the reference may mean, with every field compared.

    The best match comes first. Web search hits are shown only if there is no best match. A work
    found only by its authors must have half of the cited authors, and more of them than the other
    works. It must also pass :func:`_telling`, unless another work has the cited title.
    """
    reference, best = verdict.reference, verdict.best_match
    explaining = [
        candidate
        for candidate in candidates
        if candidate.match in {MatchKind.NEARBY, MatchKind.AUTHORS}
    ]
    explaining.sort(key=lambda candidate: -candidate.similarity)
    in_order = [item.candidate for item in compare_all(reference, candidates)]
    hits = (
        [] if best else [candidate for candidate in candidates if candidate.match is MatchKind.WEB]
    )
    known = [candidate for candidate in candidates if candidate.match is not MatchKind.WEB]
    by_work: dict[tuple[str, tuple[str, ...]], list[Candidate]] = {}
    for candidate in [*([best] if best else []), *hits, *in_order, *explaining, *known]:
        record = candidate.record
        by_work.setdefault((title_form(record.title).normal, record.authors), []).append(candidate)
    others, by_authors = [], []
    for work in by_work.values():
        if all(candidate.match is MatchKind.AUTHORS for candidate in work):
            by_authors.append(work[0])
        else:
            others.append(work)
    titled = any(compare_titles(reference.title, work[0].record.title).same for work in others)
    chosen = [
        one
        for one in _better(reference, by_authors, others)
        if titled or _telling(reference, one, venues)
    ]
    shown = (*others[: SHOWN - len(chosen)], *([candidate] for candidate in chosen))
    return tuple(_compared(reference, work, venues) for work in shown)


def near_miss(meant: Sequence[NearestWork]) -> str:
    """Return a sentence that names a work in ``meant`` with a title very similar to the cited
    title.

    Else empty.
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


def _better(
    reference: Reference, by_authors: list[Candidate], others: list[list[Candidate]]
) -> list[Candidate]:
    """Return at most two of ``by_authors``: works with most cited authors.

    Empty if one of ``others`` has as many.
    """
    known = max(
        (compare_authors(reference, work[0].record).agreeing for work in others), default=0.0
    )
    matches = [
        (compare_authors(reference, candidate.record), candidate) for candidate in by_authors
    ]
    better = [
        pair
        for pair in matches
        if pair[0].comparable and pair[0].agrees and pair[0].agreeing > known
    ]
    better.sort(key=lambda pair: (-pair[0].agreeing, len(pair[0].uncited), -pair[1].similarity))
    return [candidate for match, candidate in better[:2] if match.agreeing == better[0][0].agreeing]


def _telling(reference: Reference, candidate: Candidate, venues: Venues) -> bool:
    """Return whether a work of the cited authors has a similar title, or agrees in year, venue and
    all authors.

    Other works of the cited authors are shown only if a work has the cited title. Without this
    rule, unrelated works were shown for 99 of 200 true references whose records had been removed.
    """
    if candidate.similarity >= ALIKE:
        return True
    record = candidate.record
    same_place = (
        reference.year == record.year and _venue(reference, record, venues) is Agreement.SAME
    )
    return same_place and compare_authors(reference, record).everyone


def _compared(reference: Reference, routes: Sequence[Candidate], venues: Venues) -> NearestWork:
    """Compare one work with the reference, field by field.

    ``routes`` are the candidates that describe this work.
    """
    record = routes[0].record
    unclear = doi_says_nothing(reference.doi) or is_aside(record.doi)
    fields = (
        _title(reference.title, routes[0]),
        _authors(reference, record),
        _plain("year", str(reference.year or ""), str(record.year or "")),
        FieldComparison("venue", _venue(reference, record, venues), reference.venue, record.venue),
        _plain(
            "doi",
            reference.doi.lower(),
            record.doi.lower(),
            Agreement.UNCLEAR if unclear else Agreement.DIFFERENT,
        ),
        _plain("arxiv_id", arxiv_id_of(reference).lower(), record.arxiv_id.lower()),
    )
    return NearestWork(
        routes[0], tuple(dict.fromkeys(candidate.match for candidate in routes)), fields
    )


def _plain(
    field: FieldName, cited: str, recorded: str, otherwise: Agreement = Agreement.DIFFERENT
) -> FieldComparison:
    """Compare the cited with the recorded value of ``field``.

    If the values differ, the agreement is ``otherwise``.
    """
    agreement = Agreement.SAME if cited == recorded else otherwise
    return FieldComparison(
        field, agreement if cited and recorded else Agreement.ABSENT, cited, recorded
    )


def _title(cited: str, candidate: Candidate) -> FieldComparison:
    recorded = candidate.record.title
    if not cited or compare_titles(cited, recorded).same:
        return FieldComparison(
            "title", Agreement.SAME if cited else Agreement.ABSENT, cited, recorded
        )
    sides = differing_words(cited, recorded)
    only = [tuple(text for text, differs in runs(words) if differs) for words in sides]
    agreement = Agreement.PARTLY if candidate.similarity >= ALIKE else Agreement.DIFFERENT
    return FieldComparison("title", agreement, cited, recorded, *only)


def runs(words: Iterable[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Join consecutive words with the same flag: ``[("a", True), ("b", True)]`` becomes ``[("a b",
    True)]``.
    """
    return [
        (" ".join(word for word, _ in run), differs)
        for differs, run in groupby(words, key=itemgetter(1))
    ]


def _authors(reference: Reference, record: Record) -> FieldComparison:
    match = compare_authors(reference, record)
    cited, recorded = "; ".join(reference.authors), "; ".join(record.authors)
    if not match.comparable:
        return FieldComparison("authors", Agreement.ABSENT, cited, recorded)
    agreement = Agreement.PARTLY if match.agreeing else Agreement.DIFFERENT
    if match.everyone and not match.absent:
        agreement = Agreement.SAME
    return FieldComparison("authors", agreement, cited, recorded, match.absent, match.uncited)


def _venue(reference: Reference, record: Record, venues: Venues) -> Agreement:
    if not reference.venue or not record.venue:
        return Agreement.ABSENT
    agreement = compare_venue(reference.venue, (record,), venues)
    if agreement is VenueAgreement.SAME:
        return Agreement.SAME
    unclear = agreement in {VenueAgreement.NOT_COMPARABLE, VenueAgreement.LIKE}
    return Agreement.UNCLEAR if unclear else Agreement.DIFFERENT
