"""Collect the names of venues (conferences and journals) while a database is built, and look up
venues by name.

A *stated* name occurs in a record or in the title of proceedings. A *derived* name is the last part
of the key of a venue, a stated name without words such as "conference", or an acronym in a stated
name. A derived name has the count 0. A name that is derived for a venue, and stated for another
venue, therefore means the other venue.

A *stream* is DBLP's word for a conference series or journal, such as ``conf/icml``. Workshops and
companions of a conference are separate venues: ``conf/cvpr:w`` and ``conf/mm:wismm``.
https://dblp.org/faq/How+to+use+the+dblp+keys
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import takewhile

from citeproof.text.venue_names import (
    abbreviates,
    acronyms,
    bare_words,
    contracts,
    initials,
    is_beside,
    is_preprint_server,
    is_series,
    venue_pieces,
    venue_words,
    without_societies,
)

BESIDE = ":"
"""Separator in the key of a workshop, such as ``conf/cvpr:w``.

The key of the conference comes before the separator.
"""
_STREAM = re.compile(r"(?:conf|journals)/[^/]+(?=/)")
_SEGMENTS = re.compile(r"\s*[,:()]\s*|\s+[-–]\s+")
_LIST = re.compile(r"(?<!\d),(?=(?:[^\d,:()]+,){0,3}\s*(?:and|&)\s)")
"""Regex for a comma that belongs to the name of a conference: ``Systems, Man, and Cybernetics``."""
_ACRONYM_YEAR = re.compile(r"(\S+(?:\s\S+)?)(?:\s*['’]\d\d|\s+(?:19|20)\d\d|-(?:19|20)?\d\d)\.?$")
_MONTH = re.compile(
    r"(?i)\b(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december)\b"
)
_KIND = re.compile(
    r"\b(?:conference|symposium|workshop|meeting|congress|colloquium|school|forum)\b", re.IGNORECASE
)

# a venue with less than this share of the records of another venue with the same name is ignored
_MINOR = 0.05
SHORTEST_ACRONYM = 3  # minimum number of letters of the acronym of a venue
# a word is a usual name if it has at least one in this many of the records of the commonest name
_USUAL = 5
_CACHED = 50_000  # maximum number of names whose venues are cached
_FIRST, _LAST = "\0", "\U0010ffff"  # characters that sort before and after all letters


def stream_of(key: str) -> str:
    """Return the series in a DBLP key: ``conf/icml`` for ``conf/icml/Zhang22``.

    Empty for books and other keys.
    """
    found = _STREAM.match(key)
    return found[0] if found else ""


def stream_of_venue(venue: str) -> str:
    """Return the conference series or journal of a venue: ``conf/cvpr`` for the workshops
    ``conf/cvpr:w``.
    """
    return venue.partition(BESIDE)[0]


def names_in_title(title: str) -> Iterator[str]:
    """Yield the names of a conference in the title of proceedings.

    Example: ``Proceedings of the 38th International Conference on Machine Learning, ICML 2021,
    18-24 July 2021, Virtual Event`` yields ``Proceedings of the 38th International Conference on
    Machine Learning`` and ``ICML``.
    """
    parts = filter(None, _SEGMENTS.split(_LIST.sub("", title)))
    segments = list(takewhile(lambda part: not _MONTH.search(part), parts))
    short = [
        index
        for index, part in enumerate(segments)
        if _ACRONYM_YEAR.match(part) and len(venue_words(part)) <= 2
    ]
    end = next((index for index in short if index), len(segments) if short else 1)
    for index, segment in enumerate(segments[: end + 1]):
        acronym = _ACRONYM_YEAR.match(segment) if index in short else None
        if acronym:
            yield acronym[1]
        elif len(venue_words(segment)) > 1 and (
            index == 0 or index - 1 in short or _KIND.search(segment)
        ):
            yield segment


def count_names(
    counts: Counter[tuple[str, str]], venue: str, spellings: Iterable[str], records: int
) -> None:
    """Add ``records`` to ``counts[name, venue]`` for each name in ``spellings``.

    Names derived from ``spellings``, such as acronyms, get the count 0. If ``venue`` is a workshop,
    a name of the conference is not counted.
    """
    stream, beside, _ = venue.partition(BESIDE)
    stated, derived = _spelled(stream, bool(beside), tuple(spellings))
    for name in stated:
        if not (beside and counts.get((name, stream), 0)):
            counts[name, venue] += records
    for name in derived:
        counts[name, venue] += 0


@lru_cache(maxsize=1024)  # the papers of a venue state the same names every year
def _spelled(
    stream: str, beside: bool, spellings: tuple[str, ...]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return two sets: the normalised names in ``spellings``, and names derived from these, such as
    acronyms.

    ``stream`` is the key of the conference or journal. If ``beside`` is true, the names are those
    of a workshop, from which no names are derived.
    """
    words = [venue_words(spelling) for spelling in spellings]
    stated = frozenset(" ".join(name) for name in words) - {""}
    if beside:
        return stated, frozenset()
    derived = {stream.rpartition("/")[2].lower(), *(" ".join(bare_words(name)) for name in words)}
    return stated, frozenset(derived.union(*map(acronyms, spellings)) - stated - {""})


class VenueNames:
    """Finds the venues in a database (conferences and journals) by name, and the names of a
    venue.
    """

    def __init__(self, rows: Iterable[tuple[str, str, int]]) -> None:
        """``rows`` are the rows of the table ``venue_names``: name, key of the venue, number of
        records.
        """
        self._rows = sorted(rows)
        self._by_initials = cache(self._names_by_initials)
        self.resolve = lru_cache(_CACHED)(self._resolve)
        """Return the keys of the venues that a name or an abbreviation may mean.

        Empty if no venue is found.
        """
        self.of_stream = lru_cache(_CACHED)(self._of_stream)
        """Return the names of a journal, or of a conference and its workshops. Names that mostly
        mean another venue are left out.
        """
        self._venues = lru_cache(_CACHED)(self._with_name)
        self.is_certain = lru_cache(_CACHED)(self._is_certain)
        """Return whether a venue has this name, or has a longer name that this name abbreviates.
        False if the name is only an acronym.
        """

    def _is_certain(self, name: str) -> bool:
        return any(self._by_words(venue_words(piece)) for piece in venue_pieces(name))

    def is_usual(self, name: str, venue: str) -> bool:
        """Return whether ``name`` is a usual name of ``venue``. Usual names are the full name, the
        acronym in the key, and a single word that has at least a fifth as many records as the most
        frequent name.

        ``Ecosystems`` is not a usual name of the conference on Management of Emergent Digital
        Ecosystems.
        """
        stream = stream_of_venue(venue)
        records = {row[0]: row[2] for row in self._rows_of(stream)}
        most = max(records.values(), default=0)
        for words in map(venue_words, venue_pieces(name)):
            telling = without_societies(words)
            word = telling[0] if len(telling) == 1 else ""
            if word and (
                word == stream.rpartition("/")[2] or 0 < most <= _USUAL * records.get(word, 0)
            ):
                return True
            # a society and a word: ``Journal of the ACM``, ``ACM Multimedia``
            is_whole = venue.startswith("journals/") or " ".join(words) in records
            is_full = len(telling) > 1 or (len(words) > 1 and is_whole)
            if is_full and venue in self._by_words(words):
                return True
        return False

    def usual(self, venue: str) -> tuple[str, ...]:
        """Return the names of a venue, most frequent name first.

        Names of workshops and rare names are left out.

        A name is rare if it has less than 1 % of the records of the most frequent name.
        """
        known = self.of_stream(venue)
        records = {
            name: count
            for name, bearer, count in self._rows_of(stream_of_venue(venue))
            if bearer == venue and name in known
        }
        least = max(records.values(), default=0) / 100
        usual = (name for name, count in records.items() if count >= least)
        return tuple(sorted(usual, key=lambda name: (-records[name], name)) or sorted(known))

    def _rows_of(self, stream: str) -> Sequence[tuple[str, str, int]]:
        return self._by_stream.get(stream, ())

    @cached_property
    def _by_stream(self) -> Mapping[str, Sequence[tuple[str, str, int]]]:
        """Map from a series to the rows of its venues."""
        found: defaultdict[str, list[tuple[str, str, int]]] = defaultdict(list)
        for row in self._rows:
            found[stream_of_venue(row[1])].append(row)
        return found

    def _of_stream(self, stream: str) -> frozenset[str]:
        return frozenset(
            name for name, venue, _ in self._rows_of(stream) if venue in self._venues(name)
        )

    def _between(self, first: str, last: str) -> list[tuple[str, str, int]]:
        return self._rows[bisect_left(self._rows, (first,)) : bisect_left(self._rows, (last,))]

    def _with_name(self, name: str) -> frozenset[str]:
        """Return the venues with exactly this name.

        Venues that seldom have the name are left out (:data:`_MINOR`).
        """
        rows = self._between(name, name + _FIRST)
        most = max((records for _, _, records in rows), default=0)
        return frozenset(
            venue
            for _, venue, records in rows
            if records >= _MINOR * most and (records or not most)
        )

    def _with_initials(self, letters: str) -> Sequence[tuple[str, ...]]:
        """Return the names with the initials ``letters``, as tuples of words.

        Names of one word are left out.
        """
        names = self._by_initials(letters[0]).get(letters, ()) if letters else ()
        return [tuple(name.split()) for name in names]

    def _names_by_initials(self, first: str) -> Mapping[str, Sequence[str]]:
        """Return ``{initials: names}`` for the names of several words that begin with the letter
        ``first``.
        """
        found: defaultdict[str, list[str]] = defaultdict(list)
        for name in dict.fromkeys(row[0] for row in self._between(first, first + _LAST)):
            if " " in name:
                found[initials(tuple(name.split()))].append(name)
        return found

    def _resolve(self, name: str) -> frozenset[str]:
        if is_preprint_server(name):
            return self._venues("corr")
        if is_series(name):
            return frozenset()
        if (whole := self._of_words(venue_words(name))) or is_beside(name):
            return _with_its_initials(name, whole)
        pieces = [venue_words(piece) for piece in venue_pieces(name) if not is_series(piece)]
        full = frozenset[str]().union(
            *(self._of_words(words) for words in pieces if len(words) > 1)
        )
        short = frozenset[str]().union(
            *(self._of_words(words) for words in pieces if len(words) == 1)
        )
        if full:
            return _with_its_initials(name, full) if full & short or not short else full | short
        # ``ICLR: AI for Earth Science`` is a workshop of ICLR
        explained = venue_words(name.partition(":")[2])
        first = explained or (pieces[1] if len(pieces) > 1 else ())
        fitting = frozenset(venue for venue in short if self._may_be_called(venue, first))
        return fitting or self._contracted(name, pieces)

    def _may_be_called(self, venue: str, words: tuple[str, ...]) -> bool:
        """Return whether ``venue`` can have the full name ``words``, which a reference states
        together with an acronym.

        Example: ``Coalgebraic Methods in Computer Science (CMCS)`` is not the CMCS on Multimedia
        Computing and Systems.
        """
        known = [name.split() for name in self.of_stream(stream_of_venue(venue)) if " " in name]
        telling = bare_words(words)
        return (
            len(telling) <= 1
            or not known
            or any(len(set(telling) & set(name)) > 1 for name in known)
        )

    def _contracted(self, name: str, pieces: Sequence[tuple[str, ...]]) -> frozenset[str]:
        """Return the journals that have a short form of ``name``: ``J. Web Sem.`` for Journal of
        Web Semantics. ``pieces`` are the parts of ``name``, as tuples of words.
        """
        found = (
            [self._venues(acronym) for acronym in acronyms(name)]
            if "journal" in name.lower()
            else []
        )
        for words in (piece for piece in pieces if len(piece) > 1):
            found.append(self._by_words(("j", *words)))
            rows = self._between(words[0][0], words[0][0] + _LAST)
            short = {row[0] for row in rows if 0 < row[0].count(" ") < len(words) - 1 and row[2]}
            found += [
                self._venues(known) for known in short if contracts(tuple(known.split()), words)
            ]
        return frozenset(
            venue for venues in found for venue in venues if venue.startswith("journals/")
        )

    def _of_words(self, words: tuple[str, ...]) -> frozenset[str]:
        """Return the venues that ``words`` mean: as the full name, as an abbreviation of each word,
        or as an acronym such as ``tkde``.

        If several venues have the same initials, the acronym finds no venue.
        """
        found = self._by_words(words)
        if found or len(words) != 1 or len(words[0]) < SHORTEST_ACRONYM:
            return found
        venues = frozenset[str]().union(
            *(self._venues(" ".join(other)) for other in self._with_initials(words[0]))
        )
        return venues if len({stream_of_venue(venue) for venue in venues}) == 1 else frozenset()

    def _by_words(self, words: tuple[str, ...]) -> frozenset[str]:
        exact = self._venues(" ".join(words))
        if len(words) <= 1:
            return exact
        others = self._with_initials(initials(words))
        return exact.union(
            *(self._venues(" ".join(other)) for other in others if abbreviates(words, other))
        )


def _with_its_initials(name: str, venues: frozenset[str]) -> frozenset[str]:
    """Return those of ``venues`` whose key is the initials of ``name``, or all ``venues`` if there
    is no such key.

    ``International Joint Conference on Artificial Intelligence`` is IJCAI, not ICAI.
    """
    own = acronyms(name.lower())  # in lower case, only the initials are found
    return frozenset(one for one in venues if one.rpartition("/")[2].lower() in own) or venues
