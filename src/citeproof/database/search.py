"""Search works by words from the title, names of authors, words from the venue, or the year, in any
combination.

First all words are searched in titles. If no work is found, one word is searched in authors, venue
and year, and the other words in titles. Then two words are searched outside the title, then three.
Example::

    dean mapreduce 2004      no title has all three
    dean | mapreduce 2004    no record of Dean has both words in its title
    dean 2004 | mapreduce    found: "MapReduce: Simplified Data Processing on Large Clusters", Dean,
    2004
"""

from collections.abc import Sequence
from itertools import chain, combinations

from citeproof.database.lookup import Database
from citeproof.model.errors import DatabaseError
from citeproof.model.record import Record
from citeproof.text.names import fold_words
from citeproof.text.normalize import normalize_title

_MOST_WORDS = 12  # maximum number of words of a query; further words are ignored
# maximum number of words of a query that are searched in authors, venue and year, not in the title
_MOST_OTHERS = 3
# maximum number of titles that are read from the word index for one combination of words
_MOST_READ = 5_000
# maximum number of records of an author whose titles are read without the word index
_MOST_RECORDS = 2_000


def search(database: Database, text: str, most: int) -> list[Record]:
    """Return at most ``most`` works with all words of ``text`` in title, authors, venue or year.

    The works whose title has the fewest other words come first. A work with common words only may
    be missed.
    """

    def rank(record: Record) -> tuple[int, int, str]:
        """Return a sort key: records with the fewest title words outside the query first, then the
        latest first.
        """
        return (
            len({*normalize_title(record.title).split()} - {*words}),
            -(record.year or 0),
            record.title,
        )

    words = list(dict.fromkeys(normalize_title(text).split()))[:_MOST_WORDS]
    by_name = {
        word: frozenset(ids)
        for word in words
        if word.isalpha() and (ids := database.ids_by_family(word))
    }
    for count in range(min(_MOST_OTHERS, len(words)) + 1):
        found: dict[tuple[str, str], Record] = {}
        for others in combinations(words, count):
            titled = [word for word in words if word not in others]
            ids = _ids(database, titled, [by_name[word] for word in others if word in by_name])
            for record in database.records(ids):
                folded = chain.from_iterable(map(fold_words, record.authors))
                if not {*others} - {
                    *folded,
                    *normalize_title(record.venue).split(),
                    str(record.year or ""),
                }:
                    found[record.source, record.key] = record
        if found:
            return sorted(found.values(), key=rank)[:most]
    return []


def _ids(database: Database, titled: Sequence[str], by_name: Sequence[frozenset[int]]) -> list[int]:
    """Return the ids of the records that are in all sets ``by_name`` and have all words ``titled``
    in the title.
    """
    ids = frozenset[int].intersection(*by_name) if by_name else None
    if ids is not None and len(ids) <= _MOST_RECORDS:
        titles = database.titles_by_id(sorted(ids))
        return [
            number
            for number, title in titles.items()
            if {*titled} <= {*normalize_title(title).split()}
        ]
    if not database.word_index:
        return []
    counts = sorted((count, word) for word, count in database.title_counts(titled))
    if not counts or not counts[0][0]:
        return []
    try:
        found = database.word_index.holding([word for _, word in counts], _MOST_READ)
    except DatabaseError:
        return []
    return [number for number, _ in found if ids is None or number in ids]
