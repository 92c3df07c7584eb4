"""Coverage: which kinds of works the sources of a database have completely or mostly, and up to
which date.

:data:`DECLARED` says what the publisher of each source covers. The statement is used only if counts
of the records confirm it, because a file may be only a part of a dump. If parts of a source were
skipped, the identifiers in the source are not counted.

* arXiv numbers the papers of a month from 1. Example: the database has 10,240 papers of June 2017,
  up to number 10245, so the share is 0.9995. A month is used only if the next month has papers,
  too, because a file may end within a month.
* The share of a registrant's DOIs that Crossref has is estimated from the other sources. Example:
  the other sources have 1,000 DOIs of the registrant ``10.1145``, and Crossref has 990 of these.
  The share is (990 - 3) / 1000 (:data:`BY_CHANCE`).
* The RFC Editor's index has the DOIs of all RFCs.
* A source has most works of a kind, such as books, if it has as many records as the publisher's
  whole dump.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise, starmap
from operator import itemgetter
from typing import Any, Self

from citeproof.database.layout import Layout, check_seal, seal
from citeproof.model.findings import Covers, SourceCoverage
from citeproof.store.sqlite import BulkFile, ReadOnlyFile

Source = Mapping[str, Any]  # a row of the table ``sources``, as a map from column to value


@dataclass(frozen=True, slots=True)
class Declared:
    """What the publisher of a source, such as DBLP, states about the works in a complete dump."""

    title: str
    field: str  # field of study that the dump covers; empty for all fields
    kinds: tuple[str, ...] = ()  # kinds of works, such as "books", of which the dump contains most
    # minimum number of records of a complete dump: 90 % of the dump of November 2026
    whole: int = 0


_ALL = (
    "journal articles",
    "conference papers",
    "chapters",
    "works of an unstated kind",
    "other preprints",
)
DECLARED: Mapping[str, Declared] = {
    "dblp": Declared("DBLP", "computer science", ("conference papers",), 7_300_000),
    "acl": Declared("ACL Anthology", "computational linguistics"),
    "arxiv": Declared("arXiv", "preprints", ("arXiv's preprints",), 2_600_000),
    "crossref": Declared("Crossref", "", _ALL, 153_000_000),
    "open-library": Declared("Open Library", "", ("books",), 45_000_000),
    # nearly all articles and chapters have a DOI; conference papers often have none
    "opencitations": Declared(
        "OpenCitations Meta", "", ("journal articles", "chapters"), 100_000_000
    ),
    "rfc": Declared("RFC Editor", "internet standards", (), 9_500),
    "openalex": Declared("OpenAlex", "", (*_ALL, "arXiv's preprints"), 243_000_000),
}
"""Map from the format of a source to the contents of a complete dump.

Formats such as BibTeX have no complete dump.
"""
CHECKSUM = "coverage_crc32"
"""Name in the table ``meta`` of the checksum of the table ``coverage``."""
BY_CHANCE = 3
"""Number that is subtracted from the number of DOIs found, as a safety margin of the share (rule of
three).

If none of N sampled DOIs is missing, up to 3/N of all DOIs may still be missing.
"""
_FIRST_YEAR = 2009  # first year for which the share of arXiv's papers in the database is computed
# first month of arXiv ids such as ``0704.0001``: year * 12 + month, January is 0
_SCHEME_BEGAN = 2007 * 12 + 3
_ARXIV = re.compile(r"(\d{4})\.(\d{4,5})|([a-z-]+/\d{4})(\d{3})")
_RFC_PREFIX = "10.17487"  # prefix of the DOIs of all RFCs
# number of latest months that are assumed to be incomplete, because papers are added late
_LATE_MONTHS = 2
_ROWS = "SELECT kind, part, held, given FROM coverage ORDER BY kind, part"


def learn(file: BulkFile) -> None:
    """Write the table ``coverage``: how many ids of each arXiv month and each DOI registrant the
    database has.

    A row has two numbers: of the ids in the database, and of all ids that are expected. If parts of
    arXiv or Crossref were skipped, the source is left out.
    """
    sources = file.execute("SELECT format, records, faults FROM sources")
    trusted = {kind for kind, _, _ in sources} - {kind for kind, _, faults in sources if faults}
    rows: list[tuple[str, str, int, int]] = []
    if "arxiv" in trusted:
        found = file.stream("SELECT DISTINCT arxiv_id FROM publications WHERE arxiv_id IS NOT NULL")
        rows += [("arxiv_id", *row) for row in _series(arxiv_id for (arxiv_id,) in found)]
    if "crossref" in trusted:
        # sources have consecutive ids
        bounds = accumulate((records for _, records, _ in sources), initial=1)
        ids = starmap(range, pairwise(bounds))
        own = [each for each, (kind, _, _) in zip(ids, sources, strict=True) if kind == "crossref"]
        found = file.stream("SELECT doi, id FROM publications WHERE doi IS NOT NULL ORDER BY doi")
        rows += [("doi", *row) for row in _registrants(found, own)]
    file.execute_many("INSERT INTO coverage VALUES (?, ?, ?, ?)", rows)
    seal(file, CHECKSUM, _ROWS)


def _series(ids: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """Yield ``(month, number of ids, highest number in an id)`` for each month of arXiv: ``("1706",
    10240, 10245)``.
    """
    known: dict[str, tuple[int, int]] = {}
    for arxiv_id in ids:
        if found := _ARXIV.fullmatch(arxiv_id):
            series, number = found[1] or found[3], int(found[2] or found[4])
            held, highest = known.get(series, (0, 0))
            known[series] = held + 1, max(highest, number)
    return ((series, *counts) for series, counts in known.items())


def _registrants(
    rows: Iterable[tuple[str, int]], own: Sequence[range]
) -> Iterator[tuple[str, int, int]]:
    """Yield ``(registrant, shared, count)`` for each DOI prefix.

    ``count`` is the number of distinct DOIs in sources other than Crossref. ``shared`` is the
    number of these DOIs that Crossref has, too.

    ``rows`` are pairs of a DOI and a record id, sorted by DOI. ``own`` are the id ranges of the
    records from Crossref.
    """
    held, stated = Counter[str](), Counter[str]()
    for doi, group in groupby(rows, key=itemgetter(0)):
        among = [any(record_id in ids for ids in own) for _, record_id in group]
        if not all(among):
            prefix = doi.partition("/")[0]
            held[prefix] += any(among)
            stated[prefix] += 1
    return ((prefix, held[prefix], count) for prefix, count in stated.items())


class CoverageTable:
    """States which works the sources of a database have completely or mostly."""

    def __init__(
        self, parts: Mapping[tuple[str, str], tuple[int, int]], sources: Sequence[Source]
    ) -> None:
        """``parts`` are the rows of the table ``coverage``.

        ``sources`` are the rows of the table ``sources``.
        """
        self.parts = parts
        self._sources = tuple(sources)

    @classmethod
    def read(cls, file: ReadOnlyFile, layout: Layout, sources: Sequence[Source]) -> Self:
        """Read the table ``coverage`` of ``file``. ``sources`` are the rows of the table
        ``sources``.

        If an older database does not have the table ``coverage``, no shares of ids are known.
        """
        if "coverage" not in layout.tables:
            return cls({}, sources)
        fault = "its coverage does not agree with its"
        check_seal(file, layout.meta.get(CHECKSUM), fault, _ROWS)
        rows = file.rows(_ROWS)
        return cls({(kind, part): (held, given) for kind, part, held, given in rows}, sources)

    def all_sources(self) -> tuple[SourceCoverage, ...]:
        """Return name, field of study and date of each source.

        Their completeness is given as 0, because nothing is known about the share of works that
        they have.
        """
        every = (
            (source, declared, "" if whole else "a part of ")
            for source, declared, whole in self._declared()
        )
        return tuple(
            _coverage(source, Covers.NOTHING, declared.field, 0.0, part)
            for source, declared, part in every
        )

    def of_arxiv_id(self, arxiv_id: str) -> SourceCoverage | None:
        """Return the share of arXiv's papers from the month of ``arxiv_id`` that the database has,
        or None if it is unknown.
        """
        found, source = _ARXIV.fullmatch(arxiv_id), self._newest("arxiv")
        if not found or not source:
            return None
        series = found[1] or found[3]
        if (share := self._share(series)) is None:
            return None
        if found[1]:  # 1706 is June of 2017
            month = (2000 + int(series[:2])) * 12 + int(series[2:]) - 1
            if self._share_of_month(month) is None or not _is_before(month, source["dump_date"]):
                return None
        return _coverage(source, Covers.IDENTIFIER, f"arXiv's ids of {series}", share)

    def of_doi(self, doi: str, year: int | None) -> SourceCoverage | None:
        """Return the share of the DOIs of the registrant of ``doi`` that the database has, or None
        if it is unknown.

        The share is unknown if the cited ``year`` is not before the year of the newest record of
        the source.
        """
        prefix, source = doi.partition("/")[0], self._newest("crossref")
        rfcs = self._newest("rfc")
        if prefix == _RFC_PREFIX and rfcs and rfcs["records"] >= DECLARED["rfc"].whole:
            known = _is_year_before(year, rfcs["dump_date"])
            return _coverage(rfcs, Covers.IDENTIFIER, "all RFCs", 1.0) if known else None
        held, stated = self.parts.get(("doi", prefix), (0, 0))
        if not source or not stated or not _is_year_before(year, source["dump_date"]):
            return None
        return _coverage(
            source, Covers.IDENTIFIER, f"the DOIs of {prefix}", max(0.0, held - BY_CHANCE) / stated
        )

    def of_preprints(self, year: int | None) -> SourceCoverage | None:
        """Return the share of arXiv's papers of about ``year`` that the database has, or None if it
        is unknown.
        """
        source = self._newest("arxiv")
        if (
            not source
            or year is None
            or year < _FIRST_YEAR
            or not _is_year_before(year, source["dump_date"])
        ):
            return None
        around = range(max((year - 1) * 12, _SCHEME_BEGAN), (year + 2) * 12)
        months = [month for month in around if _is_before(month, source["dump_date"])]
        shares = [share for month in months if (share := self._share_of_month(month)) is not None]
        if not shares or len(shares) < len(months):
            return None
        return _coverage(source, Covers.PREPRINTS, f"arXiv's papers of {year}", min(shares))

    def broad_for(self, kind: str, year: int | None) -> tuple[SourceCoverage, ...]:
        """Return the sources that contain most works of ``kind``, such as books, and have records
        after ``year``.
        """
        return tuple(
            _coverage(source, Covers.KIND, kind, 1.0)
            for source, declared, whole in self._declared()
            if whole and kind in declared.kinds and _is_year_before(year, source["dump_date"])
        )

    def _declared(self) -> Iterator[tuple[Source, Declared, bool]]:
        """Yield ``(source, declared coverage, whether the source has as many records as a complete
        dump)``.
        """
        for source in self._sources:
            if declared := DECLARED.get(str(source.get("format"))):
                yield source, declared, source["records"] >= declared.whole

    def _newest(self, kind: str) -> Source | None:
        own = [
            source
            for source in self._sources
            if source.get("format") == kind and source["dump_date"]
        ]
        return max(own, key=lambda source: str(source["dump_date"]), default=None)

    def _share(self, series: str) -> float | None:
        held, given = self.parts.get(("arxiv_id", series), (0, 0))
        return held / given if given else None

    def _share_of_month(self, month: int) -> float | None:
        """Return the share of a month's arXiv papers in the database.

        None if the next month has no papers.
        """
        share, following = (
            self._share(f"{own // 12 % 100:02}{own % 12 + 1:02}") for own in (month, month + 1)
        )
        return share if following is not None else None


NO_COVERAGE = CoverageTable({}, ())


def _coverage(
    source: Source, covers: Covers, part: str, share: float, beginning: str = ""
) -> SourceCoverage:
    title = beginning + DECLARED[str(source["format"])].title
    return SourceCoverage(title, covers, part, min(1.0, share), str(source["dump_date"] or ""))


def _is_before(month: int, day: str) -> bool:
    """Return whether a month is at least two months before ``day``.

    June 2017 as ``month`` is 2017 * 12 + 5.
    """
    return month + _LATE_MONTHS <= int(day[:4]) * 12 + int(day[5:7]) - 1


def _is_year_before(year: int | None, day: str | None) -> bool:
    return year is not None and bool(day) and year < int(str(day)[:4])
