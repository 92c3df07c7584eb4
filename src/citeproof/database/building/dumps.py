"""The published dumps of bibliographic records that citeproof can read, such as DBLP's."""

from dataclasses import dataclass
from datetime import date, timedelta

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Dump:
    """A published dump of bibliographic records, such as DBLP's, with expected sizes and
    durations.
    """

    name: str
    title: str
    holds: str  # short description of the works in the dump
    licence: str
    # URL of the file; empty if users must download the dump themselves, as ``by_hand`` says
    url: str = ""
    # suffix of the URL of the checksum, such as ``.md5``; empty if no checksum is published
    checksum: str = ""
    bytes: int = 0  # size of the download in bytes
    records: int = 0
    growth: float = 1.0  # size of the database and title index, divided by the size of the download
    # duration of a build on two cores, in seconds per megabyte of the download
    seconds_a_mb: float = 0.0
    by_hand: str = ""  # text that tells users which files to download themselves, and from where
    # format string for the URL of a monthly release, tried if ``url`` fails; the argument is a date
    releases: str = ""
    # URLs of lists of the files of the newest version; Zenodo and figshare publish such lists
    listings: tuple[str, ...] = ()

    def urls(self, today: date) -> tuple[str, ...]:
        """Return the URLs to try, in order: the current dump, then the newest three monthly
        releases.
        """
        first = today.replace(day=1)
        months = [
            first,
            (first - timedelta(days=1)).replace(day=1),
            (first - timedelta(days=32)).replace(day=1),
        ]
        return tuple(
            filter(
                None,
                (self.url, *(self.releases.format(month) for month in months if self.releases)),
            )
        )

    def disk(self, size: int) -> int:
        """Return the disk space in bytes for a download of ``size`` bytes and the database built
        from the download.
        """
        return round(size * (1 + self.growth))

    def seconds(self, size: int) -> float:
        """Return the expected number of seconds for building a database from a download of ``size``
        bytes.
        """
        return size / MB * self.seconds_a_mb


DUMPS = (  # in the order of ``citeproof db list``; sizes and numbers of November 2026, rounded
    Dump(
        "dblp",
        "DBLP",
        "computer science: conference papers, journals, books, CoRR",
        "CC0 1.0",
        "https://dblp.org/xml/dblp.xml.gz",
        ".md5",
        bytes=1_050 * MB,
        records=8_200_000,
        growth=5.3,
        seconds_a_mb=0.28,
        by_hand=(
            "dblp.xml.gz from https://dblp.org/xml/, or the newest release from"
            " https://doi.org/10.4230/dblp.xml"
        ),
        releases=(
            "https://drops.dagstuhl.de/storage/artifacts/dblp/xml/{0:%Y}/dblp-{0:%Y-%m-%d}.xml.gz"
        ),
    ),
    Dump(
        "acl",
        "ACL Anthology",
        "computational linguistics: conference papers and journals",
        "CC BY 4.0",
        "https://github.com/acl-org/acl-anthology/archive/refs/heads/master.tar.gz",
        bytes=130 * MB,
        records=115_000,
        growth=1.0,
        seconds_a_mb=0.2,
    ),
    Dump(
        "retraction-watch",
        "Retraction Watch",
        "notices of retraction and concern, which flag works of other sources",
        "CC0 1.0",
        "https://gitlab.com/crossref/retraction-watch-data/-/raw/main/retraction_watch.csv",
        bytes=65 * MB,
        records=65_000,
        growth=0.3,
        seconds_a_mb=0.1,
    ),
    Dump(
        "arxiv",
        "arXiv",
        "all preprints of arXiv, by id and title",
        "CC0 1.0",
        "https://www.kaggle.com/api/v1/datasets/download/Cornell-University/arxiv",
        bytes=1_700 * MB,
        records=2_900_000,
        growth=1.1,
        seconds_a_mb=0.1,
    ),
    Dump(
        "rfc",
        "RFC Editor",
        "all RFCs, by number and title",
        "free to use",
        "https://www.rfc-editor.org/rfc-index.xml",
        bytes=13 * MB,
        records=9_700,
        growth=1.0,
        seconds_a_mb=0.2,
    ),
    Dump(
        "open-library",
        "Open Library",
        "editions of books: publishers, years, ISBNs",
        "public domain where it applies",
        bytes=13_000 * MB,
        records=50_000_000,
        growth=1.2,
        by_hand=(
            "ol_dump_editions_latest.txt.gz and ol_dump_authors_latest.txt.gz in one folder "
            "(https://openlibrary.org/developers/dumps)"
        ),
    ),
    Dump(
        "opencitations",
        "OpenCitations Meta",
        "articles, chapters, books and papers of all fields, mostly with a DOI",
        "CC0 1.0",
        listings=(
            "https://zenodo.org/api/records/15625650",
            "https://api.figshare.com/v2/articles/21747461",
        ),
        bytes=13_000 * MB,
        records=110_000_000,
        growth=2.6,
        seconds_a_mb=0.5,
        by_hand=(
            "the newest CSV dump of OpenCitations Meta from https://download.opencitations.net/#meta"
        ),
    ),
    Dump(
        "crossref",
        "Crossref",
        "what publishers registered: articles, proceedings, books, of all fields",
        "facts, CC0 1.0",
        bytes=200_000 * MB,
        records=170_000_000,
        growth=0.7,
        by_hand=(
            "the public data file by torrent (https://www.crossref.org/learning/public-data-file/)"
        ),
    ),
    Dump(
        "openalex",
        "OpenAlex",
        "works of all kinds and fields",
        "CC0 1.0",
        bytes=330_000 * MB,
        records=270_000_000,
        growth=0.6,
        by_hand=(
            "aws s3 sync s3://openalex/data/works works --no-sign-request"
            " (https://developers.openalex.org)"
        ),
    ),
)
BY_NAME = {dump.name: dump for dump in DUMPS}
