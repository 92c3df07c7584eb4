"""Opening source files: plain, gzip, broken."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from citeproof.bibdb.sources.detect import open_source
from citeproof.bibdb.sources.stream import SourceFile
from citeproof.errors import BuildError

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_peeked_at_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"one ") + gzip.compress(b"two"))
    file = SourceFile(path)
    assert file.peek(3) == b"one"
    assert file.read_all() == b"one two"
    assert file.position == file.size
    file.close()


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
        pytest.param(bytes(range(64)) * 9, "neither a DBLP dump nor a .bib file", id="control characters"),
        pytest.param(bytes(range(256)) * 9, "is binary, neither a DBLP dump nor a .bib file", id="binary"),
        pytest.param(b"Dear reader,\nno bibliography.\n", "neither a DBLP dump nor a .bib file", id="prose"),
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
        if not sum(map(len, source.rows())):
            raise BuildError(f"{path}: holds no publication")
    finally:
        source.file.close()
