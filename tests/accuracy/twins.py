"""Twin titles: pairs of real works with similar titles. Each work is cited with its own authors,
venue and year, but with the title of the other.

The titles differ by a slip that an honest author may make: a function word, a number, a subtitle.
Such a reference describes a real work and must never be INVALID. The work that is meant is the one
with which everything except the title agrees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from citeproof.text.normalize import normalize_title
from tests.accuracy.entries import entry, escaped, fields_of, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citeproof.database.lookup import Database
    from citeproof.model.record import Record
    from citeproof.model.verdict import Verdict

ALIKE = 0.9
_HEADING_WORDS = 3
"""Titles of fewer words, such as "Guest Editorial", are those of many works."""


class Twin(NamedTuple):
    """A work and the title of another one."""

    own: Record
    other: Record


def twins(database: Database, records: Sequence[Record], most: int) -> list[Twin]:
    """Return at most ``most`` twins, both ways round, of works without a common author among those
    like ``records``.
    """
    found: dict[frozenset[str], tuple[Record, Record]] = {}
    for record in records:
        for candidate in database.look_up(record.title, ALIKE, every=True).candidates:
            pair = record, candidate.record
            if _are_twins(*pair):
                found.setdefault(frozenset({record.key, candidate.record.key}), pair)
        if 2 * len(found) >= most:
            break
    return [twin for one, two in found.values() for twin in (Twin(one, two), Twin(two, one))]


def _are_twins(one: Record, two: Record) -> bool:
    """Whether two records are two works: other titles, each with people, venue and year, and nobody
    in common.
    """
    titles = [normalize_title(record.title) for record in (one, two)]
    usable = all(record.authors and record.venue and record.year for record in (one, two))
    return (
        usable
        and titles[0] != titles[1]
        and all(len(title.split()) >= _HEADING_WORDS for title in titles)
        and {one.pub_type, two.pub_type} <= {"article", "inproceedings"}
        and not {*map(normalize_title, one.authors)} & {*map(normalize_title, two.authors)}
    )


def entries(pairs: Sequence[Twin]) -> Iterator[str]:
    """Yield a BibTeX entry for each twin: the work as it is, but for its DOI, with the other's
    title.
    """
    for number, twin in enumerate(pairs):
        fields = fields_of(twin.own) | {"title": escaped(twin.other.title), "doi": ""}
        yield entry(kind_of(twin.own), f"twin{number}", fields)


def means(verdict: Verdict, work: Record) -> bool:
    """Whether a verdict names ``work`` first: as what it was compared with, or as what was probably
    meant.
    """
    first = verdict.best_match or (verdict.meant[0].candidate if verdict.meant else None)
    if first is None:
        return False
    same_title = normalize_title(first.record.title) == normalize_title(work.title)
    return same_title and set(first.record.authors) == set(work.authors)
