"""Compute the tables of volumes and venue names from the records of a database while it is built.

The row of a volume of a conference has the number of records, the estimated completeness, the
*basis* (the method of the estimate), and the number and common prefix of the DOIs. Names of venues
are collected at the same time.

Example: three papers have ``crossref`` ``conf/lamps/2012``, pages 1-10, 11-20 and 21-30, and the
DOIs ``10.5555/lamps.2012.1`` to ``.3``. They become one row: key ``conf/lamps/2012``, venue
``conf/lamps``, year 2012, 3 records, completeness 0.75 (the three papers cover all pages, but a
fourth paper may follow), basis ``pages``, 3 DOIs.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from string import ascii_lowercase
from typing import Any, NamedTuple, TypeVar

from citeproof.database.venues import completeness
from citeproof.database.venues.names import BESIDE, count_names, names_in_title, stream_of
from citeproof.database.venues.table import Part, doi_head
from citeproof.store.sqlite import BulkFile, Settled
from citeproof.text.venue_names import is_beside, says_beside

T = TypeVar("T")
Names = Counter[tuple[str, str]]  # map from name and venue to the number of records
# a volume without pages, and the evidence in the DBLP keys of the papers
Unpaged = tuple[Part, completeness.KeyEvidence]
Tables = dict[str, list[tuple[Any, ...]]]
"""Map from the name of a table, ``volumes`` or ``venue_names``, to the rows of the table."""
TABLES = """
CREATE TABLE volumes (
    key TEXT PRIMARY KEY, venue TEXT NOT NULL, year INTEGER NOT NULL, records INTEGER NOT NULL,
    completeness REAL NOT NULL, basis TEXT NOT NULL, dois INTEGER NOT NULL, doi_stem TEXT NOT NULL,
    doi_head TEXT NOT NULL, printed INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE venue_names (
    name TEXT, venue TEXT, records INTEGER NOT NULL, PRIMARY KEY (name, venue)
) WITHOUT ROWID;
"""
_PAPERS = """
SELECT iif(pub_type = 'proceedings', key, crossref) AS volume, pub_type = 'inproceedings' AS paper,
    iif(pub_type = 'proceedings', title, key), year, venue, pages, doi FROM publications
WHERE pub_type = 'proceedings' OR pub_type = 'inproceedings' AND crossref LIKE 'conf/%' ORDER BY
volume, paper
"""
"""SQL statement that selects conference papers and titles of proceedings, sorted by volume."""
_JOURNALS = """
SELECT venue, substr(key, 1, 8 + instr(substr(key, 10), '/')), count(*) FROM publications
WHERE pub_type = 'article' AND key LIKE 'journals/%' AND venue IS NOT NULL GROUP BY 1, 2
"""

_TAIL = re.compile(
    r"(?P<name>[a-z]*?)(?P<year>(?:19|20)\d\d|\d\d)(?P<tag>[a-z][a-z0-9]*)?(?:-\w+)?$",
    re.IGNORECASE,
)
_TO_SEPARATOR = re.compile(r"^(?:.*[./-])?", re.MULTILINE)
_TO_DIGIT = re.compile(r"^[^/\n]*/?[^\d\n]*", re.MULTILINE)
_STEM_SHARE = 0.9  # minimum share of the DOIs of a volume that begin with the common prefix
# minimum letters and digits of a common prefix after the slash; many volumes share ``10.1117/12.``
_STEM_CHARS = 6
_STEM_DOIS = 10  # minimum number of DOIs of a volume for which a common prefix is stored


class _Papers(NamedTuple):
    """A volume of a conference. Each sequence has one value for each paper of the volume."""

    volume: str
    title: str  # title of the proceedings; empty if the database has no record of them
    printed: int  # year of the proceedings; 0 if the database has no record of them
    keys: Sequence[str]
    years: Sequence[int | None]
    venues: Sequence[str | None]
    pages: Sequence[str | None]
    dois: Sequence[str | None]


def write(file: BulkFile, tables: Tables) -> None:
    """Write ``tables`` to ``file``, one table after the other.

    A contiguous table is fast to read.
    """
    file.execute(TABLES)
    file.execute_many(
        "INSERT INTO volumes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", tables["volumes"]
    )
    file.execute_many("INSERT INTO venue_names VALUES (?, ?, ?)", tables["venue_names"])


def learnt(file: BulkFile | Settled) -> Tables:
    """Compute the sorted rows of the tables ``volumes`` and ``venue_names`` from the records of
    ``file``.
    """
    names: Names = Counter()
    paged: list[Part] = []
    unpaged: list[Unpaged] = []
    for stream, volumes in groupby(_volumes(file), key=lambda papers: stream_of(papers.volume)):
        if stream:
            unpaged += _learn_stream(volumes, names, paged)
    for name, stream, records in file.stream(_JOURNALS):
        count_names(names, stream, [name], records)
    prior = completeness.Prior((part.year, part.records, part.completeness) for part in paged)
    parts = chain(paged, _estimated(unpaged, prior))
    rows = [
        tuple(part._replace(completeness=round(min(1.0, part.completeness), 4))) for part in parts
    ]
    return {
        "volumes": sorted(rows),
        "venue_names": sorted((*key, count) for key, count in names.items()),
    }


def _volumes(file: BulkFile | Settled) -> Iterator[_Papers]:
    for volume, grouped in groupby(file.stream(_PAPERS), key=itemgetter(0)):
        rows = list(grouped)
        proceedings = next((index for index, row in enumerate(rows) if row[1]), len(rows))
        title = rows[proceedings - 1][2] if proceedings else ""
        printed = (rows[proceedings - 1][3] or 0) if proceedings else 0
        if papers := rows[proceedings:]:
            yield _Papers(volume, title, printed, *tuple(zip(*papers, strict=True))[2:])


def _learn_stream(volumes: Iterable[_Papers], names: Names, paged: list[Part]) -> Iterator[Unpaged]:
    """Add the ``volumes`` of a conference that have page numbers to the list ``paged``. Yield the
    volumes without page numbers, each with the evidence of its completeness in the DBLP keys.

    Names of the venue are added to ``names``.
    """
    keys: list[Sequence[str]] = []
    without_pages: list[tuple[Part, Sequence[str]]] = []
    for papers in volumes:
        volume = _sum_up(papers, names)
        keys.append(papers.keys)
        if estimate := completeness.from_pages(papers.pages):
            paged.append(volume._replace(**estimate._asdict()))
        else:
            without_pages.append((volume, papers.keys))
    siblings: defaultdict[str, list[str]] = defaultdict(list)
    for key in chain.from_iterable(keys) if without_pages else ():
        siblings[_year_digits(key)].append(_last(key))
    for volume, own in without_pages:
        yield (
            volume,
            completeness.evidence_of_keys([*map(_last, own)], siblings[_year_digits(own[0])]),
        )


def _sum_up(papers: _Papers, names: Names) -> Part:
    """Return the row of the volume ``papers``, without a completeness.

    Count names of the venue in ``names``.
    """
    booktitles = _counted(papers.venues)
    venue = venue_of(papers.volume, _commonest(booktitles) or "", papers.title)
    for name, count in booktitles.items():
        if name:
            count_names(names, venue, [name, *name.split("/")], count)
    count_names(names, venue, names_in_title(papers.title), len(papers.keys))
    year = _commonest(_counted(papers.years)) or 0
    dois = [*filter(None, papers.dois)]
    head = doi_head(_commonest(_counted(_TO_DIGIT.findall("\n".join(dois))))) if dois else ""
    return Part(
        papers.volume,
        venue,
        year,
        len(papers.keys),
        0.0,
        "",
        len(dois),
        _stem(dois),
        head,
        papers.printed,
    )


def _estimated(unpaged: Sequence[Unpaged], prior: completeness.Prior) -> Iterator[Part]:
    spread: Counter[str] = Counter()
    for volume, keys in unpaged:
        spread.update({letter: share * volume.records for letter, share in keys.initials.items()})
    total = sum(spread[letter] for letter in sorted(spread))
    shares = {letter: count / total for letter, count in spread.items()} if total else {}
    for volume, keys in unpaged:
        estimate = completeness.from_keys(keys, prior.mean(volume.year, volume.records), shares)
        yield volume._replace(**estimate._asdict())


def venue_of(volume_key: str, booktitle: str, title: str) -> str:
    """Return the venue of a volume: a conference such as ``conf/cvpr``, or a workshop such as
    ``conf/cvpr:w``.

    ``booktitle`` is the venue in the records of the papers, or empty. ``title`` is the title of the
    proceedings, or empty. The result is empty if ``volume_key`` is not the DBLP key of a volume.
    """
    stream = stream_of(volume_key)
    if not stream:
        return ""
    found = _TAIL.match(volume_key.rsplit("/", 1)[-1])
    tag = (found["tag"] or "") if found else ""
    if not tag and (is_beside(booktitle) or says_beside(booktitle, title)):
        tag = "w"
    return f"{stream}{BESIDE}{tag.lower()}" if tag else stream


def _stem(dois: Sequence[str]) -> str:
    """Return the common prefix of the DOIs of a volume. It is the part of a DOI up to its last
    ``.``, ``/`` or ``-``, and at least 90 % of the DOIs must have the same part.

    Empty if there is no such prefix.
    """
    if len(dois) < _STEM_DOIS:
        return ""
    stems = _counted(_TO_SEPARATOR.findall("\n".join(dois)))
    found = _commonest(stems)
    own = sum(char.isalnum() for char in found.partition("/")[2])
    return found if own >= _STEM_CHARS and stems[found] >= _STEM_SHARE * len(dois) else ""


def _counted(values: Sequence[T]) -> dict[T, int]:
    """Count how often each of ``values`` occurs.

    ``values`` must not be empty. This is fast if all values are equal.
    """
    return {values[0]: len(values)} if values.count(values[0]) == len(values) else Counter(values)


def _commonest(counts: dict[T, int]) -> T:
    """Return the value with the highest count.

    If several values have this count, return the first value.
    """
    return max(counts, key=counts.__getitem__)


def _last(key: str) -> str:
    return key.rsplit("/", 1)[-1]


def _year_digits(key: str) -> str:
    """Return the two digits of the year in a DBLP key: ``22`` for ``conf/icml/ZhangLL22b``."""
    digits = _last(key).rstrip(ascii_lowercase)[-2:]
    return digits if digits.isdigit() else "".join(filter(str.isdigit, digits))


def learn_beside(_: object, path: Path) -> Iterator[Tables | list[object]]:
    """Open the unfinished database at ``path``.

    Yield an empty list, and then the tables of :func:`learnt`.

    This function runs in a child process. The empty list tells the build that the file is open.
    """
    file = Settled(path)
    yield []
    yield learnt(file)
