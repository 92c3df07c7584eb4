"""What a reference may have meant: the nearest real works, each with what agrees and what does not.

By title, by people and by identifier; the work of the cited title and the works of the cited people
are often two, and seeing both explains the reference. Nothing here bears on the verdict.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from citeproof.models import Agreement, FieldComparison, MatchKind, NearestWork
from citeproof.text.differences import differing_words
from citeproof.validation.compare.authors import compare_authors
from citeproof.validation.compare.identifiers import arxiv_id_of, doi_says_nothing, is_aside
from citeproof.validation.compare.titles import compare_titles, title_form
from citeproof.validation.compare.venues import VenueAgreement, compare_venue
from citeproof.validation.work import compare_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citeproof.models import Candidate, Record, Reference, Verdict
    from citeproof.validation.venues import Venues

SHOWN = 5
"""How many works a verdict names at most."""
_BY_AUTHORS = 2
"""How many of them for the sake of their authors alone."""
_ALIKE = 0.65
"""From this similarity on a title that differs is shown as one that is alike."""
_EXPLAINING = frozenset({MatchKind.NEARBY, MatchKind.AUTHORS})
_BY_VENUE = {
    VenueAgreement.SAME: Agreement.SAME,
    VenueAgreement.NOT_COMPARABLE: Agreement.UNCLEAR,
    VenueAgreement.LIKE: Agreement.UNCLEAR,
}


def nearest_works(verdict: Verdict, candidates: Sequence[Candidate], venues: Venues) -> tuple[NearestWork, ...]:
    """Return the works among ``candidates`` that the reference may have meant, with every field compared.

    The best match comes first, then what agrees best. Hits of a web search are shown where nothing
    better is known. A work that was found for its authors alone is shown where it has more of the
    cited names than those that were found otherwise, half of them at least, and something else
    speaks for it: see :func:`_telling`.
    """
    reference, best = verdict.reference, verdict.best_match
    explaining = sorted((c for c in candidates if c.match in _EXPLAINING), key=lambda candidate: -candidate.similarity)
    in_order = [item.candidate for item in compare_all(reference, candidates)]
    hits = [] if best else [candidate for candidate in candidates if candidate.match is MatchKind.WEB]
    known = [candidate for candidate in candidates if candidate.match is not MatchKind.WEB]
    works = _works([*([best] if best else []), *hits, *in_order, *explaining, *known])
    others = [work for work in works if any(candidate.match is not MatchKind.AUTHORS for candidate in work)]
    titled = any(compare_titles(reference.title, work[0].record.title).same for work in others)
    of_people = [work[0] for work in works if all(candidate.match is MatchKind.AUTHORS for candidate in work)]
    telling = of_people if titled else [one for one in of_people if _telling(reference, one, venues)]
    people = [one for one in _better(reference, of_people, others) if one in telling] if telling else []
    chosen = (*others[: SHOWN - len(people)], *([candidate] for candidate in people))
    return tuple(_compared(reference, work, venues) for work in chosen)


def _better(
    reference: Reference, people: Sequence[Candidate], others: Sequence[Sequence[Candidate]]
) -> list[Candidate]:
    """Return the few of ``people`` that have most of the cited names, if more than any of ``others`` has."""
    if not people:
        return []
    known = max((compare_authors(reference, work[0].record).agreeing for work in others), default=0.0)
    matches = [(compare_authors(reference, candidate.record), candidate) for candidate in people]
    better = [pair for pair in matches if pair[0].comparable and pair[0].agrees and pair[0].agreeing > known]
    better.sort(key=lambda pair: (-pair[0].agreeing, len(pair[0].uncited), -pair[1].similarity))
    return [candidate for match, candidate in better[:_BY_AUTHORS] if match.agreeing == better[0][0].agreeing]


def _telling(reference: Reference, candidate: Candidate, venues: Venues) -> bool:
    """Whether a work of the cited people may be the cited one: its title is alike, or all else is the same.

    Where the cited title is other people's work, their own work explains the reference whatever its title is. Where
    nobody has the title, it would be named for no reason: of 200 true references without their records, 99 were shown
    works of the same people that had nothing to do with them.
    """
    record = candidate.record
    if candidate.similarity >= _ALIKE:
        return True
    if reference.year != record.year or _venue(reference, record, venues).agreement is not Agreement.SAME:
        return False
    people = compare_authors(reference, record)
    return people.comparable and people.share == 1 and not people.uncited


def _compared(reference: Reference, routes: Sequence[Candidate], venues: Venues) -> NearestWork:
    """Return the one work of ``routes`` with every field compared."""
    first = routes[0]
    record = first.record
    fields = (
        _title(reference, first),
        _authors(reference, record),
        _plain("year", str(reference.year or ""), str(record.year or "")),
        _venue(reference, record, venues),
        _doi(reference, record),
        _plain("arxiv_id", arxiv_id_of(reference).lower(), record.arxiv_id.lower()),
    )
    return NearestWork(first, tuple(dict.fromkeys(candidate.match for candidate in routes)), fields)


def _works(candidates: Iterable[Candidate]) -> list[list[Candidate]]:
    """Put the candidates together that are one work: equal in title and authors."""
    works: dict[tuple[str, tuple[str, ...]], list[Candidate]] = {}
    for candidate in candidates:
        record = candidate.record
        works.setdefault((title_form(record.title).normal, record.authors), []).append(candidate)
    return list(works.values())


def _title(reference: Reference, candidate: Candidate) -> FieldComparison:
    cited, recorded = reference.title, candidate.record.title
    if not cited:
        return FieldComparison("title", Agreement.ABSENT, cited, recorded)
    if compare_titles(cited, recorded).same:
        return FieldComparison("title", Agreement.SAME, cited, recorded)
    agreement = Agreement.PARTLY if candidate.similarity >= _ALIKE else Agreement.DIFFERENT
    ours, theirs = differing_words(cited, recorded)
    return FieldComparison("title", agreement, cited, recorded, _runs(ours), _runs(theirs))


def _runs(words: Sequence[tuple[str, bool]]) -> tuple[str, ...]:
    """Return the stretches of words that differ."""
    runs = groupby(words, key=itemgetter(1))
    return tuple(" ".join(word for word, _ in run) for differs, run in runs if differs)


def _authors(reference: Reference, record: Record) -> FieldComparison:
    cited, recorded = "; ".join(reference.authors), "; ".join(record.authors)
    match = compare_authors(reference, record)
    if not match.comparable:
        return FieldComparison("authors", Agreement.ABSENT, cited, recorded)
    if match.absent or match.uncited or match.share < 1:
        agreement = Agreement.PARTLY if match.agreeing else Agreement.DIFFERENT
    else:
        agreement = Agreement.SAME
    return FieldComparison("authors", agreement, cited, recorded, match.absent, match.uncited)


def _venue(reference: Reference, record: Record, venues: Venues) -> FieldComparison:
    cited, recorded = reference.venue, record.venue
    if not cited or not recorded:
        return FieldComparison("venue", Agreement.ABSENT, cited, recorded)
    agreement = compare_venue(cited, (record,), venues)
    return FieldComparison("venue", _BY_VENUE.get(agreement, Agreement.DIFFERENT), cited, recorded)


def _doi(reference: Reference, record: Record) -> FieldComparison:
    compared = _plain("doi", reference.doi.lower(), record.doi.lower())
    if compared.agreement is Agreement.DIFFERENT and (doi_says_nothing(reference.doi) or is_aside(record.doi)):
        return FieldComparison("doi", Agreement.UNCLEAR, compared.cited, compared.recorded)
    return compared


def _plain(field: str, cited: str, recorded: str) -> FieldComparison:
    """Compare what is either equal or not."""
    if not cited or not recorded:
        return FieldComparison(field, Agreement.ABSENT, cited, recorded)
    return FieldComparison(field, Agreement.SAME if cited == recorded else Agreement.DIFFERENT, cited, recorded)
