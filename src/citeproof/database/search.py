"""Search works by any words of their titles, people, venues and years.

Nobody says which word is which. First all words are looked for in titles; then one word is taken for a name, a venue or
a year of the record, then two, then three. The first step that finds works ends the search::

    dean mapreduce 2004      no title has all three
    dean | mapreduce 2004    no record of Dean has both words in its title
    dean 2004 | mapreduce    found: "MapReduce: Simplified Data Processing on Large Clusters", Dean, 2004
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from citeproof.model.errors import DatabaseError
from citeproof.text.names import fold_words
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citeproof.database.lookup import Database
    from citeproof.model.record import Record

MOST_WORDS = 12
"""Maximum words of a query; further ones are ignored."""
MOST_OTHERS = 3
"""Maximum words that are no words of the title."""
MOST_READ = 5_000
"""Maximum titles read for one combination of words."""
MOST_RECORDS = 2_000
"""Maximum records compared for one combination of words."""


def search(database: Database, text: str, most: int) -> list[Record]:
    """Return at most ``most`` works that have all words of ``text``, those with the fewest other words first.

    A miss proves nothing: common words are not searched to their end.
    """
    words = list(dict.fromkeys(normalize_title(text).split()))[:MOST_WORDS]
    people = {word: frozenset(ids) for word in words if word.isalpha() and (ids := database.ids_by_family(word))}
    for count in range(min(MOST_OTHERS, len(words)) + 1):
        found: dict[tuple[str, str], Record] = {}
        for others in combinations(words, count):
            titled = [word for word in words if word not in others]
            ids = _ids(database, titled, [people[word] for word in others if word in people])
            for record in database.records(ids):
                if not {*others} - _words_beside(record):
                    found[record.source, record.key] = record
        if found:
            return sorted(found.values(), key=lambda record: _rank(record, words))[:most]
    return []


def _ids(database: Database, titled: Sequence[str], people: Sequence[frozenset[int]]) -> list[int]:
    """Return the ids of the records with all words ``titled`` in their titles, by all of ``people``."""
    by_people = frozenset[int].intersection(*people) if people else None
    if by_people is not None and len(by_people) <= MOST_RECORDS:
        titles = database.titles_by_id(sorted(by_people))
        return [number for number, title in titles.items() if {*titled} <= {*normalize_title(title).split()}]
    if not titled or not database.word_index:
        return []
    counts = sorted((count, word) for word, count in database.title_counts(titled))
    if not counts or not counts[0][0]:
        return []
    try:
        found = database.word_index.holding([word for _, word in counts], MOST_READ)
    except DatabaseError:
        return []
    return [number for number, _ in found if by_people is None or number in by_people]


def _words_beside(record: Record) -> set[str]:
    """Return the words of people and venue, and the year."""
    return {*_folded(record.authors), *normalize_title(record.venue).split(), str(record.year or "")}


def _folded(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        yield from fold_words(name)


def _rank(record: Record, words: Sequence[str]) -> tuple[int, int, str]:
    """Return a sort key: fewest title words that were not asked for, then the latest year."""
    return len({*normalize_title(record.title).split()} - {*words}), -(record.year or 0), record.title
