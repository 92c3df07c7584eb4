"""Venues: same, different, or not comparable, and what each is worth.

A name that cannot be compared is never held against a reference. A different venue decides only
where the cited volume is itself at hand, because a work may have appeared twice.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from citeproof.text.venue_names import (
    bare_words,
    is_beside,
    is_preprint_server,
    is_series,
    may_spell,
    spells_out,
    venue_words,
)
from citeproof.validation.claims import cited_place, doi_agrees
from citeproof.validation.codes import issue
from citeproof.validation.thresholds import HELD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.models import Issue, Record, Reference, Volume
    from citeproof.validation.venues import Venues

_LONG_ACRONYM = 5
"""An acronym of so many letters (``IJCNLP``) is hardly spelled out by another venue's name."""
_SHORT_NAME = re.compile(r"[A-Za-z]{3,}")
_KINDS = {"inproceedings": "conf/", "article": "journals/"}
"""Of a record's kind of publication, how the keys of its venues begin."""

_EDITIONS = 4
"""So many editions in years of one parity, and none between them, make a venue one that meets every other year."""


class Place(Enum):
    """How a cited venue relates to those of a work's records."""

    SAME = "same"
    DIFFERENT = "different"
    """Both are known, and they are two venues."""
    UNKNOWN = "unknown"
    """Nobody has heard of the cited one, and the recorded one, whose full name is known, is not spelled so."""
    BESIDE = "beside"
    """The cited one is a workshop or companion, where a work may have appeared as well."""
    LIKE = "like"
    """The cited one may be the recorded one in words that the data do not know."""
    PREPRINT_ONLY = "preprint only"
    """A venue is cited, and all records are preprints."""
    NOT_COMPARABLE = "not comparable"


def is_preprint(record: Record) -> bool:
    """Whether a record is of a preprint."""
    return record.publtype == "informal" or is_preprint_server(record.venue)


def compare_venue(name: str, records: Sequence[Record], venues: Venues) -> Place:
    """Compare the cited venue with those of all records of one work."""
    if not name or is_series(name):
        return Place.NOT_COMPARABLE
    if is_preprint_server(name):
        return Place.SAME if any(map(is_preprint, records)) else Place.NOT_COMPARABLE
    published = [record for record in records if record.venue and not is_preprint(record)]
    if not published:
        return Place.PREPRINT_ONLY if any(map(is_preprint, records)) else Place.NOT_COMPARABLE
    cited = {_stream(venue) for venue in venues.resolve(name)}
    recorded = {_stream(venue) for record in published for venue in venues.of_record(record)}
    if _meet(cited, recorded):
        return Place.SAME
    if any(may_spell(name, other) for record in published for other in venues.names(record)):
        return Place.SAME
    if not recorded or any(record.pub_type not in ("article", "inproceedings") for record in published):
        return Place.NOT_COMPARABLE
    names = {other for record in published for other in venues.names(record)}
    spelled = [word for record in published for word in _acronyms_of(record.venue) if spells_out(name, word)]
    own = any(set(venue_words(record.venue)) <= set(venue_words(name)) for record in published)
    full_name_known = any(len(venue_words(other)) > 1 for other in names)
    if own or any(len(word) >= _LONG_ACRONYM for word in spelled) or (spelled and not full_name_known):
        return Place.NOT_COMPARABLE
    if spelled:
        return Place.LIKE
    if is_beside(name):
        return Place.BESIDE
    if cited and venues.is_certain(name):
        return Place.DIFFERENT
    if not full_name_known:
        return Place.NOT_COMPARABLE
    return Place.LIKE if any(_shares_words(name, other) for other in names) else Place.UNKNOWN


def _acronyms_of(venue: str) -> list[str]:
    """Return the short names in a record's venue: ``HLT-NAACL`` has two, ``ACL (1)`` one."""
    return [word for word in _SHORT_NAME.findall(venue) if sum(char.isupper() for char in word) > 1]


def _shares_words(name: str, other: str) -> bool:
    """Whether half of the words of the cited venue, at least two, are in a name of the recorded one."""
    telling = set(bare_words(venue_words(name)))
    shared = len(telling & set(venue_words(other)))
    return shared > 1 and 2 * shared >= len(telling)


def venue_issues(
    reference: Reference, records: Sequence[Record], volumes: Sequence[Volume], venues: Venues
) -> tuple[Issue, ...]:
    """Report a cited venue that is not the work's; ``volumes`` are those that the reference may claim."""
    place = compare_venue(reference.venue, records, venues)
    shown = "; ".join(dict.fromkeys(f"{record.venue} {record.year or ''}".strip() for record in records))
    held = next((volume for volume in volumes if volume.completeness >= HELD), None)
    own_doi = doi_agrees(reference, records) or any(venues.gives_doi(record, reference.doi) for record in records)
    if place in (Place.DIFFERENT, Place.BESIDE) and reference.doi and own_doi and not held:
        explanation = f"the cited DOI is that of {shown}, not of {reference.venue}"
        return (issue("venue.different", reference.venue, shown, explanation),)
    cited = cited_place(reference)
    elsewhen = reference.year is not None and all(abs(reference.year - (r.year or 0)) > 1 for r in records)
    code, explanation = _judge(place, held, elsewhen=elsewhen)
    if not code or (place is Place.LIKE and reference.doi and own_doi):
        return ()
    if code == "venue.not_confirmed" and place is Place.DIFFERENT and _no_such_edition(reference, venues):
        explanation = "appeared in {recorded}; no edition of {cited} can be: that venue meets every other year"
        code = "venue.no_such_edition"
    elif code == "venue.not_confirmed" and place is Place.DIFFERENT and _appears_once(reference, records, venues):
        kind = "conferences" if any(record.pub_type == "inproceedings" for record in records) else "journals"
        explanation = (
            f"appeared in {{recorded}}, so hardly in {{cited}} too: next to no work is in two {kind} within a year"
        )
        code = "venue.twice"
    return (issue(code, cited, shown, explanation.format(cited=cited, recorded=shown, held=held and held.records)),)


def _appears_once(reference: Reference, records: Sequence[Record], venues: Venues) -> bool:
    """Whether the work is recorded in one kind of venue, and cited in another venue of that kind and time.

    A conference paper becomes an article, and a workshop's becomes a conference's. Of 324,000 conference
    papers in DBLP, 0.05 % appeared at a second conference in the same year or the next, and of 134,000
    articles 0.03 % in a second journal.
    """
    published = [record for record in records if not is_preprint(record)]
    streams = {_KINDS.get(record.pub_type, "") for record in published}
    cited = venues.resolve(reference.venue)
    if len(streams) != 1 or not all(venue.startswith(stream) for venue in cited for stream in streams):
        return False
    near = any(abs((reference.year or 0) - (record.year or 0)) <= 1 for record in published)
    return near and not any(_at_workshop(record, venues) for record in published)


def _at_workshop(record: Record, venues: Venues) -> bool:
    """Whether a record's venue, or every full name of it, is that of a workshop; a conference may have some as well."""
    full = [name for name in venues.names(record) if len(venue_words(name)) > 1]
    return is_beside(record.venue) or (bool(full) and all(map(is_beside, full)))


def _no_such_edition(reference: Reference, venues: Venues) -> bool:
    """Whether the cited venue meets every other year, and not in the cited one."""
    if reference.year is None:
        return False
    meant = venues.resolve(reference.venue)
    return bool(meant) and all(_skips(venues.years_of(venue), reference.year) for venue in meant)


def _skips(years: frozenset[int], cited: int) -> bool:
    return len(years) >= _EDITIONS and len({year % 2 for year in years}) == 1 and cited % 2 != next(iter(years)) % 2


def _judge(place: Place, held: Volume | None, *, elsewhen: bool) -> tuple[str, str]:
    """Return the code and explanation for a comparison; no code where nothing is held against the reference.

    ``elsewhen``: every record is of other years than the cited one, as those of other versions are.
    """
    if place is Place.DIFFERENT and held:
        return "venue.different", "appeared in {recorded}; none of the {held} papers held of {cited} has this title"
    if place is Place.DIFFERENT:
        return "venue.not_confirmed", "appeared in {recorded}; {cited} is not held, so it may have appeared there too"
    if place is Place.BESIDE:
        return "venue.not_confirmed", "appeared in {recorded}; it may have appeared at {cited} too, which is not held"
    if place is Place.LIKE:
        return "venue.like", "appeared in {recorded}; {cited} may be another name for that"
    if place is Place.UNKNOWN and elsewhen:
        return "venue.not_confirmed", "appeared in {recorded}; another version may have appeared in {cited}"
    if place is Place.UNKNOWN:
        return "venue.unknown", "appeared in {recorded}; could not find a venue called {cited}"
    if place is Place.PREPRINT_ONLY and held:
        return (
            "preprint.as_published",
            "only a preprint is held, and none of the {held} papers of {cited} has this title",
        )
    if place is Place.PREPRINT_ONLY:
        return "preprint.not_confirmed", "only a preprint is held; {cited} is not held, so it may have appeared there"
    return "", ""


def _meet(cited: set[str], recorded: set[str]) -> bool:
    """Whether two sets of streams share one; a conference and the journal of its proceedings (VLDB, PVLDB) are one."""
    if cited & recorded:
        return True
    ours = {venue.rpartition("/")[2] for venue in cited}
    theirs = {venue.rpartition("/")[2] for venue in recorded}
    return any(f"p{name}" in theirs for name in ours) or any(f"p{name}" in ours for name in theirs)


def _stream(venue: str) -> str:
    """A workshop of a conference counts as the conference: papers are cited either way."""
    return venue.partition(":")[0]
