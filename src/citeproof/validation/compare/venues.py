"""Venues: same, different, or not comparable. A name that cannot be compared is never held against a reference."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from citeproof.text.typos import is_typo
from citeproof.text.venue_names import (
    bare_words,
    is_beside,
    is_full_name,
    is_preprint_server,
    is_series,
    may_spell,
    spells_out,
    venue_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.models import Record
    from citeproof.validation.venues import Venues

_LONG_ACRONYM = 5
"""An acronym of so many letters (``IJCNLP``) is hardly spelled out by another venue's name."""
_SHORTEST_NAME = 3
"""A shorter name has no letter to lose."""
_SHORT_NAME = re.compile(r"[A-Za-z]{3,}")


class VenueAgreement(Enum):
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


def compare_venue(name: str, records: Sequence[Record], venues: Venues) -> VenueAgreement:
    """Compare the cited venue with those of all records of one work."""
    if not name or is_series(name):
        return VenueAgreement.NOT_COMPARABLE
    if is_preprint_server(name):
        return VenueAgreement.SAME if any(map(is_preprint, records)) else VenueAgreement.NOT_COMPARABLE
    published = [record for record in records if record.venue and not is_preprint(record)]
    if not published:
        return VenueAgreement.PREPRINT_ONLY if any(map(is_preprint, records)) else VenueAgreement.NOT_COMPARABLE
    cited = {_stream(venue) for venue in venues.resolve(name)}
    recorded = {_stream(venue) for record in published for venue in venues.of_record(record)}
    if _meet(cited, recorded):
        return VenueAgreement.SAME
    if any(may_spell(name, other) for record in published for other in venues.names(record)):
        return VenueAgreement.SAME
    if not recorded or any(record.pub_type not in ("article", "inproceedings") for record in published):
        return VenueAgreement.NOT_COMPARABLE
    names = {other for record in published for other in venues.names(record)}
    spelled = [word for record in published for word in _acronyms_of(record.venue) if spells_out(name, word)]
    own = any(set(venue_words(record.venue)) <= set(venue_words(name)) for record in published)
    full_name_known = any(map(is_full_name, names))
    if own or any(len(word) >= _LONG_ACRONYM for word in spelled) or (spelled and not full_name_known):
        return VenueAgreement.NOT_COMPARABLE
    if spelled:
        return VenueAgreement.LIKE
    if is_beside(name):
        return VenueAgreement.BESIDE
    if cited and venues.is_certain(name):
        return VenueAgreement.DIFFERENT
    if not full_name_known:
        return VenueAgreement.NOT_COMPARABLE
    alike = any(_shares_words(name, other) or _is_letter_apart(name, other) for other in names)
    return VenueAgreement.LIKE if alike else VenueAgreement.UNKNOWN


def _acronyms_of(venue: str) -> list[str]:
    """Return the short names in a record's venue: ``HLT-NAACL`` has two, ``ACL (1)`` one."""
    return [word for word in _SHORT_NAME.findall(venue) if sum(char.isupper() for char in word) > 1]


def _shares_words(name: str, other: str) -> bool:
    """Whether half of the words of the cited venue, at least two, are in a name of the recorded one."""
    telling = set(bare_words(venue_words(name)))
    shared = len(telling & set(venue_words(other)))
    return shared > 1 and 2 * shared >= len(telling)


def _is_letter_apart(name: str, other: str) -> bool:
    """Whether two names differ by a letter, as a misspelt one does: ``AAAI`` and ``AAIA``."""
    return is_typo("".join(venue_words(name)), "".join(venue_words(other)), _SHORTEST_NAME)


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
