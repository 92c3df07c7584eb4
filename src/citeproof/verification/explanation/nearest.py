"""Find the nearest real works to a reference, and compare their fields with it.

They are found by title, authors and identifier: the work of the cited title and that of the cited authors often differ,
and seeing both explains the reference. Nothing here affects the verdict.
"""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from citeproof.model.findings import Agreement, FieldComparison, FieldName, NearestWork
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import Verdict
from citeproof.text.identifiers import doi_says_nothing, is_aside
from citeproof.text.similarity import differing_words
from citeproof.verification.validation.compare.authors import compare_authors
from citeproof.verification.validation.compare.identifiers import arxiv_id_of
from citeproof.verification.validation.compare.titles import compare_titles, title_form
from citeproof.verification.validation.compare.venues import VenueAgreement, compare_venue
from citeproof.verification.validation.venues import Venues
from citeproof.verification.validation.work import compare_all

SHOWN = 5
"""Maximum number of nearest works in a verdict."""
_BY_AUTHORS = 2
"""Maximum number of shown works that were found by their authors alone."""
_ALIKE = 0.65
"""Minimum similarity of a different title for calling it similar."""
_NEAR_MISS = 0.9
"""Minimum similarity of a title that may be the cited title with a typo."""
_EXPLAINING = frozenset({MatchKind.NEARBY, MatchKind.AUTHORS})
_BY_VENUE = {
    VenueAgreement.SAME: Agreement.SAME,
    VenueAgreement.NOT_COMPARABLE: Agreement.UNCLEAR,
    VenueAgreement.LIKE: Agreement.UNCLEAR,
}


def nearest_works(verdict: Verdict, candidates: Sequence[Candidate], venues: Venues) -> tuple[NearestWork, ...]:
    """Return the works among ``candidates`` that the reference may mean, with every field compared.

    The best match comes first, then the works that agree best. Web search hits are shown if there is no best match. A
    work that was found by authors alone is shown if it has at least half of the cited names, more of them than the
    other works, and :func:`_telling` accepts it.
    """
    reference, best = verdict.reference, verdict.best_match
    explaining = sorted((c for c in candidates if c.match in _EXPLAINING), key=lambda candidate: -candidate.similarity)
    in_order = [item.candidate for item in compare_all(reference, candidates)]
    hits = [] if best else [candidate for candidate in candidates if candidate.match is MatchKind.WEB]
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
    telling = [one for one in by_authors if titled or _telling(reference, one, venues)]
    chosen = [one for one in _better(reference, by_authors, others) if one in telling] if telling else []
    shown = (*others[: SHOWN - len(chosen)], *([candidate] for candidate in chosen))
    return tuple(_compared(reference, work, venues) for work in shown)


def near_miss(meant: Sequence[NearestWork]) -> str:
    """Return a sentence on the nearest work if its title is nearly the cited one, else an empty text."""
    near = next((work for work in meant if work.candidate.similarity >= _NEAR_MISS), None)
    if near is None:
        return ""
    record = near.record
    authors = [record.authors[0] + (" and others" if record.authors[1:] else "")] if record.authors else []
    place = ", ".join([*authors, f"{record.venue} {record.year or ''}".strip()])
    return f" The nearest title is “{record.title}” ({place})."


def _better(
    reference: Reference, by_authors: Sequence[Candidate], others: Sequence[Sequence[Candidate]]
) -> list[Candidate]:
    """Return the works of ``by_authors`` with most of the cited names, if they have more than all ``others``."""
    known = max((compare_authors(reference, work[0].record).agreeing for work in others), default=0.0)
    matches = [(compare_authors(reference, candidate.record), candidate) for candidate in by_authors]
    better = [pair for pair in matches if pair[0].comparable and pair[0].agrees and pair[0].agreeing > known]
    better.sort(key=lambda pair: (-pair[0].agreeing, len(pair[0].uncited), -pair[1].similarity))
    return [candidate for match, candidate in better[:_BY_AUTHORS] if match.agreeing == better[0][0].agreeing]


def _telling(reference: Reference, candidate: Candidate, venues: Venues) -> bool:
    """Return whether a work of the cited authors may be the cited work: its title is similar, or all other fields
    agree.

    The question arises only if no other work has the cited title. Without this condition, 99 of 200 true references
    without their records were shown unrelated works of the same authors.
    """
    record = candidate.record
    if candidate.similarity >= _ALIKE:
        return True
    same_place = reference.year == record.year and _venue(reference, record, venues) is Agreement.SAME
    return same_place and compare_authors(reference, record).everyone


def _compared(reference: Reference, routes: Sequence[Candidate], venues: Venues) -> NearestWork:
    """Return the work that all of ``routes`` led to, with every field compared with the reference."""
    record = routes[0].record
    unclear = doi_says_nothing(reference.doi) or is_aside(record.doi)
    fields = (
        _title(reference.title, routes[0]),
        _authors(reference, record),
        _plain("year", str(reference.year or ""), str(record.year or "")),
        FieldComparison("venue", _venue(reference, record, venues), reference.venue, record.venue),
        _plain("doi", reference.doi.lower(), record.doi.lower(), Agreement.UNCLEAR if unclear else Agreement.DIFFERENT),
        _plain("arxiv_id", arxiv_id_of(reference).lower(), record.arxiv_id.lower()),
    )
    return NearestWork(routes[0], tuple(dict.fromkeys(candidate.match for candidate in routes)), fields)


def _plain(field: FieldName, cited: str, recorded: str, otherwise: Agreement = Agreement.DIFFERENT) -> FieldComparison:
    """Return the comparison of a field that is either equal or ``otherwise``."""
    agreement = Agreement.SAME if cited == recorded else otherwise
    return FieldComparison(field, agreement if cited and recorded else Agreement.ABSENT, cited, recorded)


def _title(cited: str, candidate: Candidate) -> FieldComparison:
    recorded = candidate.record.title
    if not cited:
        return FieldComparison("title", Agreement.ABSENT, cited, recorded)
    if compare_titles(cited, recorded).same:
        return FieldComparison("title", Agreement.SAME, cited, recorded)
    agreement = Agreement.PARTLY if candidate.similarity >= _ALIKE else Agreement.DIFFERENT
    return FieldComparison("title", agreement, cited, recorded, *map(_runs, differing_words(cited, recorded)))


def _runs(words: Sequence[tuple[str, bool]]) -> tuple[str, ...]:
    """Return the sequences of words in which two titles differ."""
    runs = groupby(words, key=itemgetter(1))
    return tuple(" ".join(word for word, _ in run) for differs, run in runs if differs)


def _authors(reference: Reference, record: Record) -> FieldComparison:
    match = compare_authors(reference, record)
    agreement = Agreement.PARTLY if match.agreeing else Agreement.DIFFERENT
    if not match.comparable:
        agreement = Agreement.ABSENT
    elif match.everyone and not match.absent:
        agreement = Agreement.SAME
    only = (match.absent, match.uncited) if match.comparable else ()
    return FieldComparison("authors", agreement, "; ".join(reference.authors), "; ".join(record.authors), *only)


def _venue(reference: Reference, record: Record, venues: Venues) -> Agreement:
    if not reference.venue or not record.venue:
        return Agreement.ABSENT
    return _BY_VENUE.get(compare_venue(reference.venue, (record,), venues), Agreement.DIFFERENT)
