"""Works in the forms of OpenAlex, Crossref and OpenCitations Meta, as many as are wanted.

Languages are as mixed as OpenAlex has them. English titles are put together from real ones
(:mod:`benchmarks.dump`); those of other languages from made words, as long and as frequent as words
are there, and without spaces where these have none. A part of a dump is the same whenever it is
made, so dumps of different sizes share their parts. Lines hold what citeproof reads and little
more: a real line of OpenAlex has some 9 KB, a real one of Crossref 3.5 KB.
"""

from __future__ import annotations

import gzip
import html
import os
import random
import re
import zlib
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import accumulate, islice
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import orjson

from benchmarks.dump import RECORD, TITLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

T = TypeVar("T")
SEED = 20261122
PART_RECORDS = 100_000
LINES_AT_ONCE = 1_000
WORDS = 20_000
"""Made words a language; the word of rank ``r`` is as frequent as ``1 / (r + 5)``."""
_AUTHOR = re.compile(rb"<author>([^<]*)</author>")
_NUMBER = re.compile(r" \d{4}$")
_FRONT = (
    "Editorial",
    "Introduction",
    "Preface",
    "Book Review",
    "Letter to the Editor",
    "前言",
    "Vorwort",
)
_FRONT_SHARE = 0.01
"""Share of works with a title that thousands of works have."""
_WITH_DOI = 0.8


class Language(NamedTuple):
    """How titles of a language look."""

    name: str
    share: float
    """Default share of works in this language."""
    of_word: tuple[int, int] = (0, 0)
    """Fewest and most pieces a word."""
    of_title: tuple[int, int] = (0, 0)
    """Fewest and most words a title."""
    gap: str = " "
    pieces: str = ""
    """Syllables of which the words are made."""


def _between(first: int, count: int) -> str:
    return " ".join(map(chr, range(first, first + count)))


LANGUAGES = (
    Language("English", 0.70),
    Language(
        "Spanish",
        0.08,
        (1, 5),
        (5, 18),
        " ",
        "ca ción de es ta do in pro ma ri al con mien to so ña bre",
    ),
    Language(
        "German",
        0.06,
        (1, 6),
        (3, 12),
        " ",
        "ver ung ge sch aft en ich keit be ein fluß über ent wick lung",
    ),
    Language(
        "French",
        0.05,
        (1, 5),
        (5, 18),
        " ",
        "tion de la ment é tu par sys ème con au ré sur le que",
    ),
    Language("Chinese", 0.04, (2, 3), (4, 12), "", _between(0x4E00, 2_500)),
    Language(
        "Japanese",
        0.03,
        (1, 3),
        (6, 16),
        "",
        f"の を に は と 研究 における 的 性 化 システム {_between(0x5E00, 600)}",
    ),
    Language(
        "Russian",
        0.02,
        (1, 5),
        (4, 12),
        " ",
        "ба ве ги до жа зи ка ло ми но пра ро ста тель ност ский ция",
    ),
    Language("Korean", 0.01, (1, 4), (4, 10), " ", _between(0xAC00, 800)),
    Language(
        "Arabic", 0.01, (1, 4), (4, 12), " ", "ال در اسة في بحث تحل يل عل مي تط بيق مد رسة نظ رية"
    ),
)


class Work(NamedTuple):
    """A work, before it is written in a source's form."""

    number: int
    title: str
    language: str
    authors: list[str]
    year: int
    venue: str
    doi: str


class Maker:
    """Makes works from real titles and names."""

    def __init__(self, real: Path, chinese: float | None = None) -> None:
        """Read the dump of DBLP ``real``; ``chinese`` is the share of Chinese titles where it is to
        be another one.
        """
        with gzip.open(real) as file:
            content = file.read()
        stated = (TITLE.search(found[0]) for found in RECORD.finditer(content))
        self._titles = [
            title for found in stated if found and (title := _text(found[1]).rstrip("."))
        ]
        names = [
            _NUMBER.sub("", _text(found[1])).split()
            for found in islice(_AUTHOR.finditer(content), 300_000)
        ]
        self._given = [name[0] for name in names if name]
        self._family = [name[-1] for name in names if name]
        choice = random.Random(SEED)
        self._languages = [
            language._replace(share=_share(language, chinese)) for language in LANGUAGES
        ]
        self._words = {each.name: _words(each, choice) for each in self._languages if each.pieces}
        self._frequency = [*accumulate(1 / (rank + 5) for rank in range(WORDS))]
        self._venues = [
            f"Journal of {' '.join(self._english(choice).split()[:3])}" for _ in range(20_000)
        ]

    def works(self, part: int) -> Iterator[Work]:
        """Yield the works of a part, without end; only the first :data:`PART_RECORDS` are
        written.
        """
        choice = random.Random(f"{SEED} {part}")
        shares = [*accumulate(language.share for language in self._languages)]
        number = part * PART_RECORDS
        while True:
            (language,) = choice.choices(self._languages, cum_weights=shares)
            title = (
                _one(choice, _FRONT)
                if choice.random() < _FRONT_SHARE
                else self._title(choice, language)
            )
            people = choice.choices((1, 2, 3, 4, 5, 6, 8, 12), (28, 18, 16, 13, 9, 7, 6, 3))[0]
            authors = [
                f"{_one(choice, self._given)} {_one(choice, self._family)}" for _ in range(people)
            ]
            doi = f"10.{1000 + number % 8000}/j.{number:x}" if choice.random() < _WITH_DOI else ""
            year = 2026 - int(choice.expovariate(1 / 14)) % 120
            yield Work(number, title, language.name, authors, year, _one(choice, self._venues), doi)
            number += 1

    def _title(self, choice: random.Random, language: Language) -> str:
        if not language.pieces:
            return self._english(choice)
        words = choice.choices(
            self._words[language.name],
            cum_weights=self._frequency,
            k=choice.randint(*language.of_title),
        )
        title = language.gap.join(words)
        return title[0].upper() + title[1:]

    def _english(self, choice: random.Random) -> str:
        """Return a title that begins as one real one and ends as another, as :mod:`benchmarks.dump`
        makes them.
        """
        first, other = _one(choice, self._titles).split(), _one(choice, self._titles).split()
        kept = 1 + int(choice.random() * (len(first) - 1))
        return " ".join([*first[:kept], *other[-max(1, len(first) - kept) :]])


def _one(choice: random.Random, values: Sequence[T]) -> T:
    """Return one of ``values``, in a third of the time of ``choice.choice``."""
    return values[int(choice.random() * len(values))]


def _text(raw: bytes) -> str:
    return html.unescape(raw.decode("latin-1"))


def _share(language: Language, chinese: float | None) -> float:
    if chinese is None:
        return language.share
    own = next(each.share for each in LANGUAGES if each.name == "Chinese")
    return chinese if language.name == "Chinese" else language.share * (1 - chinese) / (1 - own)


def _words(language: Language, choice: random.Random) -> list[str]:
    pieces = language.pieces.split()
    return [
        "".join(choice.choices(pieces, k=choice.randint(*language.of_word))) for _ in range(WORDS)
    ]


def openalex(work: Work) -> dict[str, Any]:
    """Return ``work`` as a line of OpenAlex's snapshot."""
    doi = f"https://doi.org/{work.doi}" if work.doi else None
    address = f"https://openalex.org/W{work.number + 10_000_000}"
    authors = [{"author": {"display_name": name}, "raw_author_name": name} for name in work.authors]
    source = {"display_name": work.venue, "type": "journal"}
    return {
        "id": address,
        "doi": doi,
        "title": work.title,
        "display_name": work.title,
        "publication_year": work.year,
        "language": work.language,
        "primary_location": {"landing_page_url": doi, "source": source},
        "type": "article",
        "authorships": authors,
        "biblio": {"volume": "12", "issue": "3", "first_page": "1", "last_page": "11"},
        "is_retracted": False,
        "is_paratext": False,
        "locations": [{"landing_page_url": doi}],
        "updated_date": "2026-10-01",
    }


def crossref(work: Work) -> dict[str, Any]:
    """Return ``work`` as one of Crossref's."""
    doi = work.doi or f"10.9999/{work.number}"
    names = (name.split(" ", 1) for name in work.authors)
    return {
        "DOI": doi,
        "indexed": {"date-time": "2026-10-01T00:00:00Z"},
        "is-referenced-by-count": 3,
        "title": [work.title],
        "author": [{"given": given, "family": family} for given, family in names],
        "container-title": [work.venue],
        "issued": {"date-parts": [[work.year, 5]]},
        "type": "journal-article",
        "page": "1-11",
        "volume": "12",
        "issue": "3",
        "URL": f"https://doi.org/{doi}",
    }


_TYPES = (
    "journal article",
    "book chapter",
    "proceedings article",
    "book",
    "dissertation",
    "preprint",
)
_TYPE_WEIGHTS = (74, 13, 8, 3, 1, 1)
_CHAPTERS = 12
"""Chapters of a book."""
_SUBTITLED = 0.3
"""Share of titles that get a subtitle, so that the mean title is as long as Crossref's."""
HEADER = b"id,title,author,pub_date,venue,volume,issue,page,type,publisher,editor\n"


def opencitations(work: Work) -> bytes:
    """Return ``work`` as a row of OpenCitations Meta, with identifiers as long and as many as it
    has: 400 bytes a row.
    """
    choice = random.Random(work.number)
    omid = f"06{work.number:09}"
    (kind,) = choice.choices(_TYPES, _TYPE_WEIGHTS)
    article = kind == "journal article"
    venue = (
        work.venue
        if article
        else f"Handbook {work.number // _CHAPTERS % 99_991} of {work.venue[11:]}"
    )
    issn = f"{hash_of(venue) % 10_000:04}-{hash_of(venue) // 7 % 10_000:04}"
    other = "" if choice.random() < _SUBTITLED else f"openalex:W{work.number + 1_000_000_000} "
    people = []
    for place, name in enumerate(work.authors):
        given, _, family = name.partition(" ")
        orcid = f"orcid:0000-0002-{place:04}-{work.number % 10_000:04} " if place % 3 == 0 else ""
        people.append(f"{family}, {given} [{orcid}omid:ra/{omid}{place}]")
    title = work.title
    if choice.random() < _SUBTITLED:
        title = f"{title}: {venue[11:]} and {title[:30].strip()}"
    first = choice.randrange(1, 2_000)
    doi = (
        f"10.{1000 + hash_of(venue) % 3000}/{'j.' if article else '978-3-'}{issn[:4]}."
        f"{work.year}.{work.number:09}"
    )
    values = (
        f"doi:{doi} {other}omid:br/{omid}",
        title,
        "; ".join(people),
        f"{work.year}-{1 + work.number % 12:02}",
        f"{venue} [issn:{issn} omid:br/{omid}]",
        str(work.number % 90) if article else "",
        str(work.number % 12) if article else "",
        f"{first}-{first + choice.randrange(3, 20)}",
        kind,
        f"Publisher Of {venue[:12]} [crossref:{len(venue)} omid:ra/{omid}]",
        "",
    )
    return (",".join('"' + value.replace('"', '""') + '"' for value in values) + "\n").encode()


def hash_of(text: str) -> int:
    """Return a number that is the same in every process."""
    return zlib.crc32(text.encode())


class Form(NamedTuple):
    """How a work is written: as a line of a file."""

    line: Callable[[Work], bytes]
    header: bytes = b""


FORMS = {
    "openalex": Form(lambda work: orjson.dumps(openalex(work)) + b"\n"),
    "crossref": Form(lambda work: orjson.dumps(crossref(work)) + b"\n"),
    "opencitations": Form(opencitations, HEADER),
}


def write(folder: Path, make: Callable[[], Maker], form: str, records: int) -> Path:
    """Return the dump of ``records`` works in ``folder``; parts that are there already are used
    again.

    Parts are made by as many processes as there are cores: a million works take a minute and a half
    of one.
    """
    dump, parts = folder / f"{records}", folder / "parts"
    dump.mkdir(parents=True, exist_ok=True)
    parts.mkdir(exist_ok=True)
    sizes = [min(PART_RECORDS, records - first) for first in range(0, records, PART_RECORDS)]
    wanted = [(parts / f"{part:05}-{size}.gz", part, size) for part, size in enumerate(sizes)]
    missing = [each for each in wanted if not each[0].exists()]
    if missing:
        maker = make()  # once, and the forked processes share it
        with ProcessPoolExecutor(
            mp_context=get_context("fork"), initializer=_use, initargs=(maker, form)
        ) as pool:
            for done in as_completed([pool.submit(_write_part, *each) for each in missing]):
                done.result()
    for path, _, _ in wanted:
        if not (dump / path.name).exists():
            os.link(path, dump / path.name)
    return dump


_shared: list[tuple[Maker, str]] = []
"""State of a process that writes parts: works and output form."""


def _use(maker: Maker, form: str) -> None:
    _shared[:] = [(maker, form)]


def _write_part(path: Path, part: int, size: int) -> None:
    ((maker, form),) = _shared
    unfinished = path.with_suffix(".unfinished")
    with gzip.open(unfinished, "wb", compresslevel=1) as out:
        out.write(FORMS[form].header)
        lines = map(FORMS[form].line, islice(maker.works(part), size))
        while some := b"".join(islice(lines, LINES_AT_ONCE)):
            out.write(some)
    unfinished.rename(path)
