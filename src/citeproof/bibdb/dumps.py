"""The dumps that ``citeproof db download`` knows: where they are, how large, and on which terms.

Sizes and numbers are those of November 2026, rounded; the server's own figures take their place where it states them.
"""

from __future__ import annotations

from dataclasses import dataclass

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Dump:
    """One dump, and what it takes to have it."""

    name: str
    title: str
    holds: str
    """What works it holds, in a few words."""
    licence: str
    url: str = ""
    """Where it is fetched; empty where nobody gives it away at one address, and :attr:`by_hand` says how to get it."""
    checksum: str = ""
    """What stands behind the address at which its checksum is published; empty where none is."""
    bytes: int = 0
    """Size of what is fetched."""
    records: int = 0
    growth: float = 1.0
    """Bytes of database and title index for each byte that is fetched."""
    seconds_a_mb: float = 0.0
    """What a build takes for each megabyte that is fetched, on two cores."""
    by_hand: str = ""

    def disk(self, size: int) -> int:
        """Return how many bytes a download of ``size`` bytes takes while it is built, dump and database together."""
        return round(size * (1 + self.growth))

    def seconds(self, size: int) -> float:
        """Return how long the build of a download of ``size`` bytes takes."""
        return size / MB * self.seconds_a_mb


DUMPS = (
    Dump(
        "dblp", "DBLP", "computer science: conference papers, journals, books, CoRR",
        "CC0 1.0", "https://dblp.org/xml/dblp.xml.gz", ".md5", 1_050 * MB, 8_200_000, 5.3, 0.28,
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
