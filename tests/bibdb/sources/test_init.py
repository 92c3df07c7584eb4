"""What a source file is, told by its content; and what is refused."""

from __future__ import annotations

import gzip
import pkgutil
from pathlib import Path

import pytest

from citeproof.bibdb import sources
from citeproof.bibdb.sources import formats, open_source
from citeproof.errors import BuildError

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "database.md").read_text(encoding="utf-8")


def test_every_kind_of_source_is_found_and_documented() -> None:
    modules = {module.name for module in pkgutil.iter_modules(sources.__path__)}
    assert {format_.NAME.replace("-", "_") for format_ in formats()} == modules >= {"bibliography", "dblp"}
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
def test_one_kind_accepts_a_beginning(beginning: bytes, name: str, score: int) -> None:
    scores = {format_.NAME: format_.accepts(beginning) for format_ in formats()}
    assert max(scores.values()) == score
    assert [own for own, value in scores.items() if value == score] == [name]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "is empty", id="empty"),
        pytest.param(gzip.compress(b""), "holds nothing", id="gzip of nothing"),
        pytest.param(gzip.compress(b"<dblp>" + b"<article/>" * 99_999)[:-9], "ends in the middle", id="cut gzip"),
        pytest.param(
            gzip.compress(b"<dblp>" + bytes(range(256)) * 99)[:-8] + b"\0" * 8, "damaged", id="wrong checksum"
        ),
        pytest.param(b"<!DOCTYPE html><html><head><title>Just a moment</title>", "is a web page", id="page"),
        pytest.param(gzip.compress(b"\n<HTML lang='en'>"), "is a web page", id="gzip of a page"),
        pytest.param(
            bytes(range(64)) * 9, "neither a dump of a kind that is known nor a bibliography", id="control characters"
        ),
        pytest.param(
            bytes(range(256)) * 9, "is binary, neither a dump of a kind that is known nor a bibliography", id="binary"
        ),
        pytest.param(
            b"Dear reader,\nno bibliography.\n", "neither a dump of a kind that is known nor a bibliography", id="prose"
        ),
        pytest.param(b"mail me@example.org\n\0\0", "binary|holds no", id="address and zeros"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
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
        source.file.close()
