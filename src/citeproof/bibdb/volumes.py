"""Volumes and venue names, learnt from a database while it is built.

For every volume of every conference: how many records it has, how complete it is and what that
rests on, how many of its papers have a DOI and how those begin. For every venue: the names that
records and titles of proceedings give it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol

from citeproof.bibdb import completeness
from citeproof.bibdb.proceedings_names import names_in_title
from citeproof.bibdb.volume_keys import stream_of, venue_of
from citeproof.text.venue_names import acronyms, bare_words, venue_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

TABLES = """
CREATE TABLE volumes (
    key TEXT PRIMARY KEY, venue TEXT NOT NULL, year INTEGER NOT NULL, records INTEGER NOT NULL,
    completeness REAL NOT NULL, basis TEXT NOT NULL, dois INTEGER NOT NULL, doi_stem TEXT NOT NULL,
    doi_head TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX volumes_venue ON volumes (venue, year);
CREATE TABLE venue_names (
    name TEXT, venue TEXT, records INTEGER NOT NULL, PRIMARY KEY (name, venue)
) WITHOUT ROWID;
"""

_PROCEEDINGS = "SELECT key, title FROM publications WHERE pub_type = 'proceedings'"
_PAPERS = """
SELECT crossref, key, year, venue, pages, doi FROM publications
WHERE pub_type = 'inproceedings' AND crossref LIKE 'conf/%' ORDER BY crossref
"""
_JOURNALS = """
SELECT venue, substr(key, 1, 8 + instr(substr(key, 10), '/')), count(*) FROM publications
WHERE pub_type = 'article' AND key LIKE 'journals/%' AND venue IS NOT NULL GROUP BY 1, 2
"""
_LETTERS = re.compile(r"\D*")
_STEM_SHARE = 0.9
"""A beginning is a volume's own when this share of its DOIs has it."""

_STEM_CHARS = 6
"""A beginning of fewer letters and digits behind the registrant (``10.1117/12.``) is that of many volumes."""


class File(Protocol):
    """The database in the making."""

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run statements and return their rows."""

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each of ``rows``."""

    def stream(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query one by one."""


@dataclass(frozen=True, slots=True)
class _Volume:
    """What the papers of one volume state, summed up."""

    key: str
    venue: str
    year: int
    records: int
    estimate: completeness.Estimate | None
    keys: completeness.KeyEvidence | None
    dois: int
    doi_stem: str
    doi_head: str


def learn(file: File) -> None:
    """Add the tables of volumes and venue names to a database whose records are complete."""
    titles = dict(file.stream(_PROCEEDINGS))
    names: Counter[tuple[str, str]] = Counter()
    volumes: list[_Volume] = []
    for _, stream in groupby(file.stream(_PAPERS), key=lambda row: stream_of(row[0])):
        volumes += _volumes_of_stream(list(stream), titles, names)
    for name, stream_key, records in file.stream(_JOURNALS):
        _add_names(names, stream_key, [name], records)
    file.execute(TABLES)
    file.execute_many("INSERT INTO volumes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", _rows(volumes))
    file.execute_many("INSERT INTO venue_names VALUES (?, ?, ?)", ((*key, count) for key, count in names.items()))


def _volumes_of_stream(
    rows: list[tuple[Any, ...]], titles: dict[str, str], names: Counter[tuple[str, str]]
) -> Iterator[_Volume]:
    """Sum up each volume of one stream, and count the names that it gives its venue."""
    siblings: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        siblings[_year_digits(row[1])].append(_last(row[1]))
    for key, grouped in groupby(rows, key=lambda row: row[0]):
        papers = list(grouped)
        booktitles = Counter(row[3] or "" for row in papers)
        booktitle = booktitles.most_common(1)[0][0]
        title = titles.get(key, "")
        venue = venue_of(key, booktitle, title)
        if not venue:
            continue
        for other, count in booktitles.items():
            _add_names(names, venue, [other, *other.split("/")], count)
        _add_names(names, venue, names_in_title(title), len(papers))
        yield _sum_up(key, venue, papers, siblings)


def _sum_up(key: str, venue: str, papers: list[tuple[Any, ...]], siblings: dict[str, list[str]]) -> _Volume:
    year = Counter(row[2] for row in papers).most_common(1)[0][0] or 0
    estimate = completeness.from_pages([row[4] for row in papers])
    keys = None
    if estimate is None:
        own = [_last(row[1]) for row in papers]
        keys = completeness.evidence_of_keys(own, siblings[_year_digits(papers[0][1])])
    dois = [row[5] for row in papers if row[5]]
    return _Volume(key, venue, year, len(papers), estimate, keys, len(dois), _stem(dois), _head(dois))


def _rows(volumes: list[_Volume]) -> Iterator[tuple[Any, ...]]:
    """Yield the table's rows; volumes without pages are weighed against those that have them."""
    prior = completeness.Prior((v.year, v.records, v.estimate.completeness) for v in volumes if v.estimate)
    spread: Counter[str] = Counter()
    for volume in volumes:
        if volume.keys:
            spread.update({letter: share * volume.records for letter, share in volume.keys.initials.items()})
    total = sum(spread.values())
    shares = {letter: count / total for letter, count in spread.items()} if total else {}
    for volume in volumes:
        estimate = volume.estimate
        if estimate is None and volume.keys is not None:
            estimate = completeness.from_keys(volume.keys, prior.mean(volume.year, volume.records), shares)
        if estimate:
            share = round(min(1.0, estimate.completeness), 4)
            yield (
                volume.key, volume.venue, volume.year, volume.records, share, estimate.basis,
                volume.dois, volume.doi_stem, volume.doi_head,
            )  # fmt: skip


def _add_names(names: Counter[tuple[str, str]], venue: str, spellings: Iterable[str], count: int) -> None:
    """Count what a venue is called. Names that only stand to reason count nothing, and serve for want of better.

    Those are the name in the venue's key, a name without its "conference", and the acronyms inside a name.
    Papers beside a conference sometimes state the conference's own short name, which is not theirs.
    """
    stream, beside, _ = venue.partition(":")
    weak = set() if beside else {stream.rpartition("/")[2].lower()}
    strong = set()
    for spelling in spellings:
        words = venue_words(spelling)
        strong.add(" ".join(words))
        if not beside:
            weak |= {" ".join(bare_words(words)), *acronyms(spelling)}
    for name in strong - {""}:
        if not (beside and names.get((name, stream), 0)):
            names[name, venue] += count
    for name in weak - strong - {""}:
        names[name, venue] += 0


def _stem(dois: Sequence[str]) -> str:
    """Return how nearly all DOIs of a volume begin, up to a separator; empty when they have nothing in common."""
    if len(dois) < 10:
        return ""
    stems = Counter(doi[: max(doi.rfind("."), doi.rfind("/"), doi.rfind("-")) + 1] for doi in dois)
    stem, count = stems.most_common(1)[0]
    own = sum(char.isalnum() for char in stem.partition("/")[2])
    return stem if own >= _STEM_CHARS and count >= _STEM_SHARE * len(dois) else ""


def _head(dois: Sequence[str]) -> str:
    """Return the commonest beginning of DOIs up to the first digit behind the registrant: ``10.1609/aaai.v``."""
    heads = Counter(doi_head(doi) for doi in dois)
    return heads.most_common(1)[0][0] if heads else ""


def doi_head(doi: str) -> str:
    """Return a DOI up to the first digit behind its registrant."""
    registrant, _, suffix = doi.partition("/")
    return f"{registrant}/{_LETTERS.match(suffix)[0]}"  # type: ignore[index]


def _last(key: str) -> str:
    return key.rsplit("/", 1)[-1]


def _year_digits(key: str) -> str:
    """Return the two digits of the year in a key: letters are given per stream and year."""
    digits = [char for char in _last(key).rstrip("abcdefghijklmnopqrstuvwxyz")[-2:] if char.isdigit()]
    return "".join(digits)
