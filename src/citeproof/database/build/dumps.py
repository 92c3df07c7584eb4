"""The dumps that ``citeproof db download`` knows: URL, size and licence.

Sizes and numbers are those of November 2026, rounded. The figures that a server states replace them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Dump:
    """A dump, and what fetching and building it takes."""

    name: str
    title: str
    holds: str
    """The works that it holds, in a few words."""
    licence: str
    url: str = ""
    """URL of the file; empty where there is none, and :attr:`by_hand` says how to get it."""
    checksum: str = ""
    """Suffix of the URL of its checksum; empty where none is published."""
    bytes: int = 0
    """Size of the download."""
    records: int = 0
    growth: float = 1.0
    """Bytes of database and title index for each byte of the download."""
    seconds_a_mb: float = 0.0
    """Seconds of a build for each megabyte of the download, on two cores."""
    by_hand: str = ""
    """Instructions for fetching it without this program."""
    releases: str = ""
    """URL of the release of a month, with ``{0:%Y-%m-%d}`` for its first day, where :attr:`url` cannot be reached."""

    def urls(self, today: date) -> tuple[str, ...]:
        """Return the URLs to try one after the other: its own, and those of the newest three releases."""
        first = today.replace(day=1)
        months = [first, (first - timedelta(days=1)).replace(day=1), (first - timedelta(days=32)).replace(day=1)]
        return tuple(filter(None, (self.url, *(self.releases.format(month) for month in months if self.releases))))

    def disk(self, size: int) -> int:
        """Return the bytes of dump and database together while a download of ``size`` bytes is built."""
        return round(size * (1 + self.growth))

    def seconds(self, size: int) -> float:
        """Return the seconds that building a download of ``size`` bytes takes."""
        return size / MB * self.seconds_a_mb


DUMPS = (
    Dump(
        "dblp", "DBLP", "computer science: conference papers, journals, books, CoRR",
        "CC0 1.0", "https://dblp.org/xml/dblp.xml.gz", ".md5", 1_050 * MB, 8_200_000, 5.3, 0.28,
        by_hand="dblp.xml.gz from https://dblp.org/xml/, or the newest release from https://doi.org/10.4230/dblp.xml",
        releases="https://drops.dagstuhl.de/storage/artifacts/dblp/xml/{0:%Y}/dblp-{0:%Y-%m-%d}.xml.gz",
    ),
    Dump(
        "acl", "ACL Anthology", "computational linguistics: conference papers and journals",
        "CC BY 4.0", "https://github.com/acl-org/acl-anthology/archive/refs/heads/master.tar.gz",
        bytes=130 * MB, records=115_000, growth=1.0, seconds_a_mb=0.2,
    ),
    Dump(
        "retraction-watch", "Retraction Watch", "notices of retraction and concern, which flag works of other sources",
        "CC0 1.0", "https://gitlab.com/crossref/retraction-watch-data/-/raw/main/retraction_watch.csv",
        bytes=65 * MB, records=65_000, growth=0.3, seconds_a_mb=0.1,
    ),
    Dump(
        "arxiv", "arXiv", "all preprints of arXiv, by id and title",
        "CC0 1.0", "https://www.kaggle.com/api/v1/datasets/download/Cornell-University/arxiv",
        bytes=1_700 * MB, records=2_900_000, growth=1.1, seconds_a_mb=0.1,
    ),
    Dump(
        "rfc", "RFC Editor", "all RFCs, by number and title",
        "free to use", "https://www.rfc-editor.org/rfc-index.xml",
        bytes=13 * MB, records=9_700, growth=1.0, seconds_a_mb=0.2,
    ),
    Dump(
        "open-library", "Open Library", "editions of books: publishers, years, ISBNs",
        "public domain where it applies", bytes=13_000 * MB, records=50_000_000, growth=1.2,
        by_hand="ol_dump_editions_latest.txt.gz and ol_dump_authors_latest.txt.gz in one folder "
        "(https://openlibrary.org/developers/dumps)",
    ),
    Dump(
        "crossref", "Crossref", "what publishers registered: articles, proceedings, books, of all fields",
        "facts, CC0 1.0", bytes=200_000 * MB, records=170_000_000, growth=0.7,
        by_hand="the public data file by torrent (https://www.crossref.org/learning/public-data-file/)",
    ),
    Dump(
        "openalex", "OpenAlex", "works of all kinds and fields",
        "CC0 1.0", bytes=330_000 * MB, records=270_000_000, growth=0.6,
        by_hand="aws s3 sync s3://openalex/data/works works --no-sign-request (https://developers.openalex.org)",
    ),
)  # fmt: skip
"""In the order in which ``citeproof db list`` shows them."""

BY_NAME = {dump.name: dump for dump in DUMPS}
