"""Names as documents: each is a document or a diagnostic that says why not."""

from __future__ import annotations

import io
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from citeproof import inputs
from citeproof.errors import InputError
from citeproof.inputs import open_documents, opening
from citeproof.inputs.collection import Collection
from citeproof.inputs.document import Document
from citeproof.models import Diagnostic, Severity

if TYPE_CHECKING:
    from pathlib import Path


def test_what_cannot_be_opened_is_a_diagnostic_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("@misc{a}")
    names = ["none.bib", ".", "nul\0.bib", "a.bib", "sub/../a.bib"]
    (tmp_path / "sub").mkdir()
    opened = list(open_documents([str(tmp_path / name) for name in names]))
    codes = [one.code if isinstance(one, Diagnostic) else "" for one in opened]
    assert codes == ["document.missing", "", "document.unreadable", "", "document.repeated"]
    assert {code for code in codes if code} <= set(inputs.CODES)
    assert [one.file if isinstance(one, Diagnostic) else one.name for one in opened] == [
        str(tmp_path / name).replace("\0", "\\x00") for name in names
    ]


def test_a_document_given_twice_is_read_once_and_a_note_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_text("@misc{a}")
    _, again = open_documents([str(path), str(path)])
    assert isinstance(again, Diagnostic)
    assert (again.code, again.severity) == ("document.repeated", Severity.NOTE)


def test_a_document_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LARGEST", 10)
    (tmp_path / "a.bib").write_bytes(b"x" * 11)
    (tmp_path / "b.bib").write_bytes(b"x" * 10)
    large, fitting = open_documents([str(tmp_path / "a.bib"), str(tmp_path / "b.bib")])
    assert isinstance(large, Diagnostic)
    assert large.code == "document.too_large"
    assert not isinstance(fitting, Diagnostic)


def test_a_file_of_2_gb_is_refused_without_being_read(tmp_path: Path) -> None:
    for name in ("a.bib", "folder/a.bib"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        with (tmp_path / name).open("wb") as file:
            file.truncate(2**31)  # a sparse file: it takes no place on the disk
    (tmp_path / "folder" / "main.tex").write_text("\\cite{a}\\bibliography{a}")
    tracemalloc.start()
    alone, folder = open_documents([str(tmp_path / "a.bib"), str(tmp_path / "folder")])
    assert isinstance(alone, Diagnostic)
    assert isinstance(folder, Collection)
    member = folder.members[0].open()
    assert isinstance(member, Diagnostic)
    assert [one.code for one in (alone, member)] == ["document.too_large"] * 2
    paper = folder.members[1].open()
    assert isinstance(paper, Document)
    assert paper.neighbours.find("a.bib") is None
    with pytest.raises(InputError, match="16 MB, and is no list of names"):
        inputs.listed(str(tmp_path / "a.bib"))
    assert tracemalloc.get_traced_memory()[1] < 2**26
    tracemalloc.stop()


def test_of_an_endless_standard_input_no_more_is_read_than_a_document_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = Endless()
    monkeypatch.setattr("sys.stdin", endless)
    monkeypatch.setattr(inputs, "LARGEST", 1000)
    monkeypatch.setattr(opening, "LARGEST", 1000)
    (refused,) = open_documents(["-"])
    assert isinstance(refused, Diagnostic)
    assert (refused.code, endless.read_bytes) == ("document.too_large", 1001)


class Endless(io.RawIOBase):
    """A standard input that never ends."""

    def __init__(self) -> None:
        self.buffer = self
        self.read_bytes = 0

    def read(self, size: int = -1) -> bytes:
        assert size >= 0
        self.read_bytes += size
        return b" " * size


def test_standard_input_is_a_document_without_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a")))
    (document,) = open_documents(["-"], "titles")
    assert isinstance(document, Document)
    assert (document.name, document.text, document.path, document.format) == ("<stdin>", "a", None, "titles")
