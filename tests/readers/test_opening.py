"""Names as documents: each is a document or a diagnostic that says why not."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
import tracemalloc
import zipfile
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from unittest.mock import ANY

import pytest

from citeproof.model.errors import InputError
from citeproof.model.reference import Diagnostic, Severity
from citeproof.readers import opening
from citeproof.readers.document import Collection, Document
from citeproof.readers.opening import neighbour_on_disk, open_documents

if TYPE_CHECKING:
    from pathlib import Path


def test_files_of_the_folder_are_found_and_none_outside(tmp_path: Path) -> None:
    inside = tmp_path / "paper"
    (inside / "sub").mkdir(parents=True)
    (inside / "sub" / "refs.bib").write_text("@misc{a}")
    (tmp_path / "secret.bib").write_text("@misc{b}")
    (inside / "link.bib").symlink_to(tmp_path / "secret.bib")
    find = partial(neighbour_on_disk, inside, inside)
    found = find("sub/refs.bib")
    assert found
    assert found.text == "@misc{a}"
    assert found.neighbour("sub/refs.bib") == replace(found, neighbour=ANY)
    outside = (
        "../secret.bib",
        str(tmp_path / "secret.bib"),
        "link.bib",
        "sub/../../secret.bib",
        "sub",
        "none",
        "a\0b",
    )
    assert [name for name in outside if find(name)] == []


def test_neighbour_on_disk_a_file_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "LARGEST", 10)
    (tmp_path / "a.bib").write_text("x" * 11)
    assert neighbour_on_disk(tmp_path, tmp_path, "a.bib") is None


def test_open_documents_what_cannot_be_opened_is_a_diagnostic_and_the_others_go_on(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.bib").write_text("@misc{a}")
    names = ["none.bib", ".", "nul\0.bib", "a.bib", "sub/../a.bib"]
    (tmp_path / "sub").mkdir()
    opened = list(open_documents([str(tmp_path / name) for name in names]))
    codes = [one.code if isinstance(one, Diagnostic) else "" for one in opened]
    assert codes == ["document.missing", "", "document.unreadable", "", "document.repeated"]
    assert {code for code in codes if code} <= set(opening.CODES)
    assert [one.file if isinstance(one, Diagnostic) else one.name for one in opened] == [
        str(tmp_path / name).replace("\0", "\\x00") for name in names
    ]


def test_open_documents_a_document_given_twice_is_read_once_and_a_note_says_so(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.bib"
    path.write_text("@misc{a}")
    _, again = open_documents([str(path), str(path)])
    assert isinstance(again, Diagnostic)
    assert (again.code, again.severity) == ("document.repeated", Severity.NOTE)


def test_open_documents_a_document_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "LARGEST", 10)
    (tmp_path / "a.bib").write_bytes(b"x" * 11)
    (tmp_path / "b.bib").write_bytes(b"x" * 10)
    large, fitting = open_documents([str(tmp_path / "a.bib"), str(tmp_path / "b.bib")])
    assert isinstance(large, Diagnostic)
    assert large.code == "document.too_large"
    assert not isinstance(fitting, Diagnostic)


def test_open_documents_a_file_of_2_gb_is_refused_without_being_read(tmp_path: Path) -> None:
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
    assert paper.neighbour("a.bib") is None
    with pytest.raises(InputError, match="16 MB, and is not a list of names"):
        opening.listed(str(tmp_path / "a.bib"))
    assert tracemalloc.get_traced_memory()[1] < 2**26
    tracemalloc.stop()


def test_of_an_endless_standard_input_no_more_is_read_than_a_document_may_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    endless = Endless()
    monkeypatch.setattr("sys.stdin", endless)
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


def test_open_documents_standard_input_is_a_document_without_neighbours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a")))
    (document,) = open_documents(["-"], "titles")
    assert isinstance(document, Document)
    assert (document.name, document.text, document.path, document.format) == (
        "<stdin>",
        "a",
        None,
        "titles",
    )


def test_walk_says_why_a_path_is_not_read_and_goes_on(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("needs links and pipes")
    root = tmp_path / "papers"
    (root / "sub").mkdir(parents=True)
    (root / "b.bib").write_text("@misc{b}")
    (tmp_path / "secret.txt").write_text("out")
    (root / "inside.bib").symlink_to(root / "b.bib")
    (root / "out.txt").symlink_to(tmp_path / "secret.txt")
    (root / "dangling.bib").symlink_to(root / "nowhere.bib")
    (root / "loop.bib").symlink_to(root / "loop.bib")
    (root / "sub" / "up").symlink_to(tmp_path)
    os.mkfifo(root / "pipe.jsonl")
    found = [
        (path.relative_to(root).as_posix(), fault and fault.code)
        for path, fault in opening.walk(root)
    ]
    assert found == [
        ("b.bib", None),
        ("dangling.bib", "document.link"),
        ("loop.bib", "document.link"),
        ("out.txt", "document.link"),
        ("sub/up", "document.link"),
    ]


def test_open_documents_reads_a_pipe_that_is_named(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("needs links and pipes")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"@misc{a, title = {A}}",))
    writer.start()
    (document,) = open_documents([str(pipe)])
    writer.join()
    assert isinstance(document, Document)
    assert document.text == "@misc{a, title = {A}}"


def test_open_documents_an_empty_name_is_not_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.bib").write_text("@misc{a, title={A title}}")
    monkeypatch.chdir(tmp_path)
    (opened,) = open_documents([""])
    assert isinstance(opened, Diagnostic)
    assert "the name is empty" in opened.message


def test_open_documents_a_paper_of_arxiv_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arxiv:2001.00001").write_text("@misc{a, title={A}}")
    fetched: dict[str, bytes | str] = {
        "1706.03762": gzip.compress(b"@misc{b, title={B}}"),
        "2001.00002": "no connection",
    }
    names = ["arxiv:2001.00001", "arXiv:1706.03762v5", "arxiv:2001.00002", "arxiv:x"]
    opened = list(open_documents(names, fetch=fetched.__getitem__))
    assert [one.data for one in opened if isinstance(one, Document)] == [
        b"@misc{a, title={A}}",
        b"@misc{b, title={B}}",
    ]
    assert [str(one) for one in opened if isinstance(one, Diagnostic)] == [
        "arxiv:2001.00002: no connection",
        "arxiv:x: is not an arXiv id, such as arxiv:1706.03762",
    ]
    (refused,) = open_documents(["arxiv:1706.03762"])
    assert "--enable-online fetches it" in str(refused)


def test_listed_reads_names_by_line_or_by_zero_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "names"
    path.write_bytes(b"a.bib\r\n\n  \nb c.bib\n")
    assert opening.listed(str(path)) == ["a.bib", "b c.bib"]
    path.write_bytes(b"a\nb.bib\0c.bib\0")
    assert opening.listed(str(path)) == ["a\nb.bib", "c.bib"]
    monkeypatch.setattr(opening, "_LONGEST_LIST", 14)
    assert len(opening.listed(str(path))) == 2
    path.write_bytes(b"a\nb.bib\0cc.bib\0")
    with pytest.raises(InputError, match="is not a list of names"):
        opening.listed(str(path))
    path.write_bytes(b" \n")
    with pytest.raises(InputError, match="names no file"):
        opening.listed(str(path))


def test_open_bytes_names_some_refused_members_and_counts_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(opening, "_MOST_REFUSED", 2)
    for count, said in ((2, []), (3, ["1 more members"]), (4, ["2 more members"])):
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr("a.bib", "@misc{a}")
            for number in range(count):
                archive.writestr(f"../{number}.bib", "x")
        found = opening.open_bytes("p.zip", target.getvalue())
        assert isinstance(found, Collection)
        assert [one.place.file for one in found.diagnostics][:2] == [
            "p.zip/../0.bib",
            "p.zip/../1.bib",
        ]
        rest = [one.message for one in found.diagnostics[2:]]
        assert [message[: len("1 more members")] for message in rest] == said


def test_open_documents_a_name_that_failed_may_be_named_again(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    opened = open_documents([str(path), str(path)])
    first = next(opened)
    path.write_text("@misc{a}")
    second = next(opened)
    assert isinstance(first, Diagnostic)
    assert isinstance(second, Document)


def test_open_path_reads_nothing_beside_a_document_but_what_is_in_the_root(
    tmp_path: Path,
) -> None:
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "main.tex").write_text("x")
    (tmp_path / "refs.bib").write_text("@misc{a}")
    alone = opening.open_path(str(tmp_path / "paper" / "main.tex"))
    inside = opening.open_path(str(tmp_path / "paper" / "main.tex"), root=tmp_path)
    assert isinstance(alone, Document)
    assert isinstance(inside, Document)
    assert alone.neighbour("../refs.bib") is None
    found = inside.neighbour("../refs.bib")
    assert found
    assert found.text == "@misc{a}"
