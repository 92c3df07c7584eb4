"""What a source file is, told by its content; and what is refused."""

import gzip
import pkgutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from citeproof.database.building import source_file, sources
from citeproof.database.building.source import open_source
from citeproof.database.building.sources import formats, notices_of, row_of, row_of_fields
from citeproof.database.schema import COLUMNS
from citeproof.model.errors import BuildError
from citeproof.model.record import Record
from tests.database.building.sources.given import read

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "database.md").read_text(encoding="utf-8")


def test_formats_every_kind_of_source_is_found_and_documented() -> None:
    modules = {module.name for module in pkgutil.iter_modules(sources.__path__)}
    assert (
        {format_.NAME.replace("-", "_") for format_ in formats()}
        == modules
        >= {"bibliography", "dblp"}
    )
    for format_ in formats():
        assert f"  | `{format_.NAME}` |" in PAGE


@pytest.mark.parametrize(
    ("beginning", "name", "score"),
    [
        (b"<?xml version='1.0'?>\n<dblp>", "dblp", 2),
        (b"\xef\xbb\xbf<dblp>", "dblp", 2),
        (b"<rss>write to me@example.org</rss>", "dblp", 1),
        (b"% my library\n@book{a, title = {A}}", "bibliography", 1),
        ("@book{a".encode("utf-16-le"), "bibliography", 1),
        (b"TY  - JOUR\nTI  - A\nER  - \n", "bibliography", 1),
        (b"<?xml version='1.0'?>\n<collection id='P19'>", "acl", 2),
        (b'{"id":"0704.0001","authors_parsed":[],"categories":"cs.DL"}', "arxiv", 2),
        (b'{"indexed": {}, "DOI": "10.1/a", "title": ["A"]}', "crossref", 2),
        (b'{"items":[{"DOI":"10.1/a","indexed":{}}]}', "crossref", 2),
        (b'{"id":"https://openalex.org/W1","publication_year":2001}', "openalex", 2),
        (b"Record ID,Title,RetractionNature,OriginalPaperDOI\n", "retraction-watch", 2),
        (b"id;title;year\n1;A;2001\n", "table", 1),
        (b'{"title": "A", "year": 2001}\n', "table", 1),
    ],
)
def test_accepts_one_kind_accepts_a_beginning(beginning: bytes, name: str, score: int) -> None:
    scores = {format_.NAME: format_.accepts(beginning) for format_ in formats()}
    assert max(scores.values()) == score
    assert [own for own, value in scores.items() if value == score] == [name]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "is empty", id="empty"),
        pytest.param(
            gzip.compress(b""), "is empty after decompression; fetch it again", id="gzip of nothing"
        ),
        pytest.param(
            gzip.compress(b"<dblp>" + b"<article/>" * 99_999)[:-9],
            "ends in the middle",
            id="cut gzip",
        ),
        pytest.param(
            gzip.compress(b"<dblp>" + bytes(range(256)) * 99)[:-8] + b"\0" * 8,
            "damaged",
            id="wrong checksum",
        ),
        pytest.param(
            b"<!DOCTYPE html><html><head><title>Just a moment</title>", "is a web page", id="page"
        ),
        pytest.param(gzip.compress(b"\n<HTML lang='en'>"), "is a web page", id="gzip of a page"),
        pytest.param(
            bytes(range(64)) * 9,
            "neither a known kind of dump nor a bibliography",
            id="control characters",
        ),
        pytest.param(
            bytes(range(256)) * 9,
            "is binary, neither a known kind of dump nor a bibliography",
            id="binary",
        ),
        pytest.param(
            b"Dear reader,\nno bibliography.\n",
            "neither a known kind of dump nor a bibliography",
            id="prose",
        ),
        pytest.param(b"mail me@example.org\n\0\0", "binary|holds no", id="address and zeros"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "source"
    path.write_bytes(content)
    with pytest.raises(BuildError, match=message) as caught:
        _read_through(path)
    assert "\n" not in str(caught.value)


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="no such file"):
        open_source(tmp_path / "missing")
    with pytest.raises(BuildError, match="directory"):
        open_source(tmp_path)


def _read_through(path: Path) -> None:
    source = open_source(path)
    try:
        if not sum(len(batch.rows) for batch in source.batches):
            raise BuildError(f"{path}: holds no publication")
    finally:
        source.close()


def row(**fields: Any) -> dict[str, Any]:
    return dict(
        zip(
            COLUMNS,
            row_of_fields({"key": "W1", "title": "Lamps", **fields}, "openalex"),
            strict=True,
        )
    )


@pytest.mark.parametrize(
    ("authors", "stored"),
    [
        ((), None),
        (("Ada Lovelace",), "Ada Lovelace"),
        (("Ada Lovelace", "", "Zoë Ríos"), "Ada Lovelace; Zoë Ríos"),
        (("Smith; Jones",), "Smith, Jones"),
        (("A; B", "C D"), "A, B; C D"),
        (("A;", ";B", "C"), "A,; ,B; C"),
    ],
)
def test_row_of_fields_what_parts_names_stands_in_no_name(
    authors: tuple[str, ...], stored: str | None
) -> None:
    assert row(authors=authors)["authors"] == stored


def test_row_of_a_record_and_its_fields_are_one_row() -> None:
    fields: dict[str, Any] = {
        "key": "W1",
        "title": "Pt<sub>3</sub>Ni &amp; <i>C.  elegans</i>",
        "authors": ("A; B", "C"),
        "year": 2001,
        "venue": "J. of &lt;X&gt;",
        "pub_type": "article",
        "doi": "10.5555/1",
        "arxiv_id": "2001.00001",
        "pages": "1-2",
        "volume": "3",
        "number": "4",
        "url": "https://x.org",
        "crossref": "conf/x",
        "publtype": "informal",
    }
    stored = row_of_fields(fields, "s")
    assert stored == row_of(Record(**fields), "s")
    assert stored[:5] == ("W1", "s", "Pt3Ni & C. elegans", 2001, "J. of <X>")
    assert None not in stored


def test_notices_of_a_work_without_a_doi_carries_no_notice() -> None:
    said = {"retraction": "https://x.org/r", "concern": "https://x.org/c"}
    assert notices_of(said, "s") == ()
    assert [notice[3:5] for notice in notices_of({**said, "doi": "10.5555/1"}, "s")] == [
        ("retraction", "https://x.org/r"),
        ("concern", "https://x.org/c"),
    ]


def test_a_damaged_member_of_an_archive_is_one_fault(tmp_path: Path) -> None:
    index = b"<rfc-index>%s</rfc-index>" % (
        b"<rfc-entry><doc-id>RFC0001</doc-id><title>Lamps</title></rfc-entry>" * 999
    )
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.xml", index)
        archive.writestr("b.xml", index)
    (tmp_path / "a.zip").write_bytes(
        (tmp_path / "a.zip").read_bytes().replace(b"Lamps", b"Lumps", 1)
    )
    found = read(tmp_path / "a.zip")
    assert found.faults == [
        f"{tmp_path / 'a.zip' / 'a.xml'}: cannot be read: Bad CRC-32 for file 'a.xml'"
    ]
    assert len(found.rows) == 999


def test_standard_input_cannot_be_opened_by_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.xml").write_text("<dblp></dblp>")
    monkeypatch.setattr(
        source_file, "open", lambda *_, **__: (tmp_path / "a.xml").open("rb"), raising=False
    )
    source = open_source(Path("-"))
    assert not source.from_file
    source.close()
