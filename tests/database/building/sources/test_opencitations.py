"""OpenCitations Meta as a source: a made sample with all its types and oddities."""

from __future__ import annotations

import csv
import gzip
import io
import tarfile
import zipfile
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from citeproof.database.building.prepared import read as read_source
from citeproof.database.building.source import open_source
from citeproof.database.building.sources import opencitations
from tests.database.building.sources.given import Read, read

SAMPLE = Path(__file__).parents[3] / "data" / "bibdb" / "opencitations.csv"
CONTENT = SAMPLE.read_bytes()
HEADER = CONTENT.partition(b"\n")[0] + b"\n"


@pytest.fixture(scope="module")
def sample() -> Read:
    return read(SAMPLE)


def row(sample: Read, key: str) -> dict[str, Any]:
    return next(row for row in sample.rows if row["key"] == key)


def test_records_are_the_works_and_the_rest_is_counted(sample: Read) -> None:
    assert len(list(csv.reader(io.StringIO(CONTENT.decode())))) == 1 + 120
    # two works more by two DOIs and by a translated title; 16 containers and texts about works
    assert (len(sample.rows), sample.skipped) == (120 - 16 + 1 + 2, 16)
    assert (sample.label, sample.date, sample.faults) == ("opencitations", "2024-12-20", [])
    assert sum(not row["title"] for row in sample.rows) == 2  # these are left out later


def test_records_of_all_types_have_the_types_of_dblp(sample: Read) -> None:
    types = {row["key"]: row["pub_type"] for row in sample.rows if "type." in row["key"]}
    wanted = "article article incollection book inproceedings phdthesis techreport data"
    numbers = (1, 20, 5, 4, 33, 16, 37, 13)
    assert [types[f"10.5555/type.{number}"] for number in numbers] == wanted.split()
    containers = {8, 11, 19, 22, 23, 25, 27, 29, 34, 38, 39, 40, 42}
    assert {f"10.5555/type.{n}" for n in range(1, 44) if n not in containers} == set(types)


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("10.5555/html", "Growth of Lampyris at 3 < x & CO2"),
        ("10.5555/mathml", "The limit k of lamps"),
        ("pmid:111", "[The treatment of lamps in winter]."),
        ("10.5555/chemistry", "Lamps by [3+2] cycloaddition of [60]fullerene"),
        ("10.5555/aside", "The Tower at Night [with discussion]"),
        ("10.5555/quote", 'The "Lamp", Quoted'),
        ("10.5555/newline", "Lamps on Two Lines"),
        ("10.5555/chinese", "关于灯塔的研究"),
    ],
)
def test_records_have_plain_titles(sample: Read, key: str, title: str) -> None:
    assert row(sample, key)["title"] == title


@pytest.mark.parametrize(
    ("key", "authors"),
    [
        ("10.5555/type.1", "Ann Rain; Bo Tor"),
        ("10.5555/group", "Oslo Lamp Group; World Lamp Organization"),
        ("10.5555/whole", "Woong-Gee Min; Hyeong-Seok Kim"),
        ("10.5555/onestring", "J. Smith; K. Jones; L. Brown"),
        ("isbn:9780000000002", "Itta Ed; Actor Red"),
        ("10.5555/noauthor", None),
    ],
)
def test_records_have_names_in_order(sample: Read, key: str, authors: str | None) -> None:
    assert row(sample, key)["authors"] == authors


def test_records_of_a_work_with_two_titles_or_two_dois_are_several(sample: Read) -> None:
    titles = [row["title"] for row in sample.rows if row["key"] == "10.5555/translated"]
    assert titles == [
        "Der Turm bei Nacht [The Tower at Night]",
        "Der Turm bei Nacht",
        "The Tower at Night",
    ]
    dois = [row["doi"] for row in sample.rows if row["title"] == "One Lamp With Two Numbers"]
    assert dois == ["10.5555/two.a", "10.5555/two.b"]


def test_records_have_identifiers_venues_and_years(sample: Read) -> None:
    preprint = row(sample, "10.48550/arxiv.2302.03976")
    assert (preprint["arxiv_id"], preprint["venue"]) == ("2302.03976", None)
    assert row(sample, "arxiv:hep-th/9901001")["url"] == "https://arxiv.org/abs/hep-th/9901001"
    assert row(sample, "pmid:12345")["url"] == "https://pubmed.ncbi.nlm.nih.gov/12345/"
    assert row(sample, "10.5555/html")["venue"] == "Lamps & Light"
    assert row(sample, "10.5555/html")["pages"] == "e12"
    assert row(sample, "isbn:9780000000002")["venue"] == "Lamp House Ltd"
    assert row(sample, "10.5555/articlepub")["venue"] is None  # a publisher is no journal
    years = {key: row(sample, f"10.5555/{key}")["year"] for key in ("month", "year0", "future")}
    assert years == {"month": 1979, "year0": None, "future": None}


def in_folder(folder: Path) -> Path:
    (folder / "meta").mkdir()
    half = CONTENT.index(b"\n", len(CONTENT) // 2) + 1
    (folder / "meta" / "0.csv").write_bytes(CONTENT[:half])
    (folder / "meta" / "1.csv.gz").write_bytes(gzip.compress(HEADER + CONTENT[half:]))
    return folder / "meta"


def in_zip(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "meta.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("meta/0.csv", CONTENT)
    return folder / "meta.zip"


def in_tar(folder: Path) -> Path:
    with tarfile.open(folder / "meta.tar.gz", "w:gz") as archive:
        archive.add(SAMPLE, "meta/0.csv")
    return folder / "meta.tar.gz"


def in_tar_of_gzip_members(folder: Path) -> Path:
    """Pack as ``pigz`` may: gzip files one after the other are one gzip file."""
    whole = in_tar(folder)
    content = gzip.decompress(whole.read_bytes())
    parts = (content[at : at + 5000] for at in range(0, len(content), 5000))
    whole.write_bytes(b"".join(map(gzip.compress, parts)))
    return whole


@pytest.mark.parametrize("packed", [in_folder, in_zip, in_tar, in_tar_of_gzip_members])
def test_records_are_the_same_in_a_folder_or_an_archive(
    sample: Read, tmp_path: Path, packed: Any
) -> None:
    found = read(packed(tmp_path))
    assert (found.rows, found.skipped) == (sample.rows, sample.skipped)


def test_records_name_the_lines_that_are_no_rows(tmp_path: Path) -> None:
    broken = tmp_path / "broken.csv"
    good = CONTENT.splitlines(keepends=True)[1]
    broken.write_bytes(HEADER + b"one,two\n" + b'"a"b\n' + good + b"\n")
    found = read(broken)
    assert len(found.rows) == 1
    assert [fault.partition(": ")[2] for fault in found.faults] == [
        "line 2: has 2 columns, and the header 11",
        "line 3: is not a row of a table with commas (',' expected after '\"')",
    ]


@pytest.mark.parametrize(
    ("header", "score"),
    [
        (HEADER, 2),
        (b"id,title,author,issue,volume,venue,page,pub_date,type,publisher,editor\n", 2),
        (b"\xef\xbb\xbf" + HEADER, 2),
        (b"id,title,author,year,venue\n", 0),
        (b"{\n" + HEADER, 0),
    ],
)
def test_accepts_knows_the_header(header: bytes, score: int) -> None:
    assert opencitations.accepts(header + b"x") == score


def test_chunks_of_a_table_are_parsed_as_the_whole_table(tmp_path: Path) -> None:
    """A table of 20 MB is read in several processes, with line breaks within values."""
    large, rows = tmp_path / "large.csv", CONTENT[len(HEADER) :]
    large.write_bytes(HEADER + rows * (20_000_000 // len(rows)) + b"short,row\n")
    batches = list(chain.from_iterable(read_source(open_source(large), keep_going=True)))
    times = 20_000_000 // len(rows)
    assert sum(len(batch.rows) for batch in batches) == times * (107 - 2)
    assert sum(batch.skipped for batch in batches) == times * (16 + 2)
    lines = 1 + times * rows.count(b"\n") + 1
    assert [fault for batch in batches for fault in batch.faults] == [
        f"{large}: line {lines}: has 2 columns, and the header 11"
    ]
