"""Find works of which a person remembers only some words, authors or the year.

A work may lack some words of the query, because people misremember, misspell, join or inflect
words. First, works that share rare words or authors with the query are collected. Then the works
are ranked by the share of the query that they contain, and by the words of their title that the
query lacks. Example, for the query ``dean map reduce large cluster``::

    "MapReduce: Simplified Data Processing on Large Clusters", Jeffrey Dean has everything
    "Scheduling for a Large Cluster", Mary Major lacks dean map reduce
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from math import log
from typing import NamedTuple

from citeproof.database.lookup import NEAREST_FROM, Database
from citeproof.database.title_index.exact import main_title
from citeproof.model.record import Record
from citeproof.text.name_comparison import NameAgreement, compare_names, is_letter_apart
from citeproof.text.names import fold_words, parse_name
from citeproof.text.normalize import normalize_title
from citeproof.text.spelling import has_same_stem, is_typo

_MOST_WORDS = 16  # maximum number of words of a query; further words are ignored
_MOST_READ = 5_000  # maximum number of titles that are read from the word index
# maximum number of records by an author whose titles are all read
_MOST_RECORDS = 10_000
_MOST_COMPARED = 400  # maximum number of records that are compared with the whole query
_TITLES = 5_000_000  # assumed number of titles: a word that n titles have weighs log(_TITLES / n)
_AUTHOR = 8.0  # weight of the name of an author
_YEAR = 4.0  # weight of a year
_UNKNOWN = 8.0  # weight of a word that no title has; it may be misspelt
_FUNCTION_WORD = 0.3  # weight of a word such as "the"
_FUNCTION_WORD_LIST = """
a an and are as at by can do for from how in into is its of on or that the to via what with your
"""
_FUNCTION_WORDS = frozenset(_FUNCTION_WORD_LIST.split())
# agreement, 0 to 1, of joined with separate words, such as "pretraining" with "pre training"
_JOINED = 0.95
_ALIKE = 0.8  # agreement, 0 to 1, of a word with a misspelt or inflected form
_NEXT_YEAR = 0.6  # agreement, 0 to 1, of a year with the year before or after
_LEAST_SHARE = 0.5  # minimum share of the query, by weight, that a work must contain
_OF_TITLE = 0.3  # share of the score that depends on how much of the title is in the query
_OF_MAIN_TITLE = 0.9  # weight of the share of the title before a colon, relative to the whole title


class Found(NamedTuple):
    """A work that has most of a query."""

    record: Record
    missing: tuple[str, ...]
    """Words, names and year of the query that the work does not have."""


class _Query(NamedTuple):
    """A query, as maps from each word or name to its weight."""

    words: Mapping[str, float]  # normalised words; each may be in title, authors, venue or year
    title: Mapping[str, float]  # normalised words of the title
    authors: Mapping[str, float]  # names
    year: int | None


def search(
    database: Database,
    words: str,
    most: int,
    *,
    title: str = "",
    authors: Sequence[str] = (),
    year: int | None = None,
) -> list[Found]:
    """Return at most ``most`` works that fit a description, best work first.

    Each of ``words`` may be in title, authors, venue or year. ``title`` has words of the title.
    Among equally good works, preprints come last, and earlier works come first. ``authors`` are
    full names or family names. A work by none of these authors does not fit.
    """
    anywhere, titled = _words(words), _words(title)
    counts = dict(database.title_counts(tuple(dict.fromkeys((*titled, *anywhere)))))
    by_author = {
        name: ids
        for name in (*authors, *anywhere)
        if name not in _FUNCTION_WORDS and (ids := frozenset(database.ids_by_author(name)))
    }
    query = _Query(
        {word: _weight(word, counts, word in by_author) for word in anywhere},
        {word: _weight(word, counts) for word in titled},
        dict.fromkeys(authors, _AUTHOR),
        year,
    )
    found = _ranked(query, database.records(_ids(database, query, by_author)))
    if not found:
        # all words may be misspelt, so search for a similar title
        near = database.look_up(f"{title} {words}", nearest_from=NEAREST_FROM)
        similar = (*near.candidates, *([near.nearest] if near.nearest else ()), *near.related)
        found = _ranked(query, [candidate.record for candidate in similar])
    return found[:most]


def _ranked(query: _Query, records: Iterable[Record]) -> list[Found]:
    compared = {record.identity: _compared(query, record) for record in records}
    found = sorted((one for one in compared.values() if one[0] >= _LEAST_SHARE), key=_rank)
    return [work for _, work in found]


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(normalize_title(text).split()))[:_MOST_WORDS]


def _weight(word: str, counts: Mapping[str, int], is_name: bool = False) -> float:
    if word in _FUNCTION_WORDS:
        return _FUNCTION_WORD
    if _is_year(word):
        return _YEAR
    return log(_TITLES / count) if (count := counts.get(word)) else _AUTHOR if is_name else _UNKNOWN


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and word[:2] in {"19", "20"}


def _ids(database: Database, query: _Query, by_author: Mapping[str, frozenset[int]]) -> list[int]:
    """Return the ids of the records that have the most words and authors, by weight.

    ``by_author`` has the ids of the records of each author.
    """
    words = {**query.words, **query.title}
    joined = map("".join, (pair for part in query[:2] for pair in _windows(list(part), 2)))
    titles = database.titles_sharing_words(" ".join((*words, *joined)), _MOST_READ)
    # the works of each author with few works, and the works that two authors have in common
    sets = list(by_author.values())
    sets += [one & other for place, one in enumerate(sets) for other in sets[:place]]
    sets += [frozenset.intersection(*sets)] if sets else []
    few = frozenset[int]().union(*(ids for ids in sets if len(ids) <= _MOST_RECORDS))
    titles |= database.titles_by_id(sorted(few - titles.keys()))
    titles = {number: normalize_title(title) for number, title in titles.items()}
    named = [(ids, {**words, **query.authors}[name]) for name, ids in by_author.items()]

    def rank(number: int) -> tuple[float, int]:
        shares, _ = _agreeing(words, titles[number].split())
        weight = sum(words[word] * share for word, share in shares.items())
        weight += sum(weight for ids, weight in named if number in ids)
        return -weight, len(titles[number])

    return sorted(titles, key=rank)[:_MOST_COMPARED]


def _compared(query: _Query, record: Record) -> tuple[float, Found]:
    """Return the score of a record, 0 to 1, and the parts of the query that the record lacks."""
    title = normalize_title(record.title).split()
    anywhere, used = _agreeing(query.words, title)
    titled, others = _agreeing(query.title, title)
    folded = {word for author in record.authors for word in fold_words(author)}
    folded |= {*normalize_title(record.venue).split()}
    for word in query.words:
        share = float(word in folded) or (_is_year(word) and _year_share(int(word), record))
        anywhere[word] = max(anywhere.get(word, 0.0), share)
    authors = {name: _author_share(name, record.authors) for name in query.authors}
    parts = [
        (part, weight, shares.get(part, 0.0))
        for weights, shares in zip(query[:3], (anywhere, titled, authors), strict=True)
        for part, weight in weights.items()
    ]
    if query.year:
        parts.append((str(query.year), _YEAR, _year_share(query.year, record)))
    is_by_others = bool(authors) and not any(authors.values())
    explained = 0.0 if is_by_others else sum(weight * share for _, weight, share in parts)
    used |= others
    main = main_title(record.title).split()
    of_title = max(_share_of(title, used), _OF_MAIN_TITLE * _share_of(main, used))
    score = explained / sum(weight for _, weight, _ in parts) * (1 - _OF_TITLE * (1 - of_title))
    missing = (part for part, _, share in parts if share < _ALIKE and part not in _FUNCTION_WORDS)
    return score, Found(record, tuple(missing))


def _agreeing(asked: Iterable[str], title: Sequence[str]) -> tuple[dict[str, float], set[str]]:
    """Compare the words ``asked`` with the words of a title.

    Return two values: a map from each word that agrees with the title to the agreement, 0 to 1; and
    the set of title words that agree with a word of the query.
    """
    asked = list(asked)
    shares = {word: 1.0 for word in asked if word in title}
    used = {*shares}
    open_words = {*asked} - used
    if not open_words:
        return shares, used
    for size in (2, 3):
        for parts in _windows(title, size):
            if (whole := "".join(parts)) in open_words:
                shares[whole] = _JOINED
                used.update(parts)
        for parts in _windows(asked, size):
            if (whole := "".join(parts)) in title and open_words.issuperset(parts):
                shares |= dict.fromkeys(parts, _JOINED)
                used.add(whole)
    for word in open_words - shares.keys():
        for other in title:
            if other not in used and (is_typo(word, other) or has_same_stem(word, other)):
                shares[word] = _ALIKE
                used.add(other)
                break
    return shares, used


def _share_of(title: Iterable[str], used: Set[str]) -> float:
    """Return the share, by weight and from 0 to 1, of the words of ``title`` that are in
    ``used``.
    """
    weights = {
        word: _FUNCTION_WORD if word in _FUNCTION_WORDS else 1.0 for word in dict.fromkeys(title)
    }
    has = sum(weight for word, weight in weights.items() if word in used)
    return has / sum(weights.values()) if weights else 0.0


def _windows(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(size)), strict=False)


def _author_share(name: str, authors: Sequence[str]) -> float:
    cited = parse_name(name)
    if len(cited.words) == 1:
        return float(any(cited.words[0] in fold_words(author) for author in authors))
    recorded = list(map(parse_name, authors))
    if any(compare_names(cited, one) is NameAgreement.SAME for one in recorded):
        return 1.0
    return _ALIKE if any(is_letter_apart(cited, one) for one in recorded) else 0.0


def _year_share(year: int, record: Record) -> float:
    if not record.year or abs(record.year - year) > 1:
        return 0.0
    return 1.0 if record.year == year else _NEXT_YEAR


def _rank(one: tuple[float, Found]) -> tuple[float, bool, int, str]:
    score, (record, _) = one
    return -round(score, 3), record.venue == "CoRR", record.year or 9_999, record.title
