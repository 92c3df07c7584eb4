"""From names to references: which format, which encoding, and what is refused with one line."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from citeproof.errors import Exit, InputError
from citeproof.formats import names, read_all
from citeproof.inputs import open_documents

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.models import Bibliography


def read_input(source: str, name: str | None = None) -> Bibliography:
    (bibliography,) = read_all(open_documents([source], name))
    return bibliography


BIB = "@misc{k, title={Über}}\n"
CSL = '[{"title": "Über", "issued": {"raw": "2001"}}]'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.bib", BIB),
        ("A.BIB", BIB),
        ("a.json", CSL),
        ("a.json", '["Über"]'),
        ("a.jsonl", '{"title": "Über"}\n'),
        ("a.txt", "Über\n"),
        ("no_suffix", BIB),
        ("strange.suffix", CSL),
        ("strange.suffix", '["Über"]'),
    ],
)
def test_the_format_is_found(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    (reference,) = read_input(str(path)).references
    assert (reference.title, reference.file, reference.line) == ("Über", str(path), 1)


def test_a_named_format_outranks_the_suffix(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_text("One title\nAnother\n", encoding="utf-8")
    assert [reference.title for reference in read_input(str(path), "titles").references] == ["One title", "Another"]


@pytest.mark.parametrize(("name", "content"), [("titles", "Über"), ("bibtex", BIB), (None, BIB), (None, CSL)])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, name: str | None, content: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode()), encoding="ascii"))
    (reference,) = read_input("-", name).references
    assert (reference.title, reference.file, reference.line) == ("Über", "<stdin>", 1)


@pytest.mark.parametrize(("encoding", "notes"), [("utf-8-sig", 0), ("utf-16", 0), ("cp1252", 1)])
def test_other_encodings_are_read_and_said(tmp_path: Path, encoding: str, notes: int) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes(BIB.encode(encoding))
    bibliography = read_input(str(path))
    assert bibliography.references[0].title == "Über"
    assert len(bibliography.notes) == notes


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.bib", b"no entries here", "no entry found"),
        ("a.bib", b"", "no entry found"),
        ("a.bib", b"{" * 10_000_000, "no entry found"),
        ("a.bib", b"@comment{only}", "no entry found"),
        ("a.json", b"{" * 1_000_000, "not JSON"),
        ("a.json", b"[" * 1_000_000, "not JSON"),
        ("a.json", b"[]", "no entry found"),
        ("a.txt", b"# nothing\n\n", "no entry found"),
        ("a.pdf", b"%PDF-1.5\n\0\0\0", "is a PDF"),
        ("a.bin", b"\x00\x01\x02\x03", "binary"),
        ("a.html", b"<!DOCTYPE html><p>Hello", "--from"),
        ("a.csv", b"title,year\n", "--from"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    _refused(str(path), None, says)


def test_missing_files_directories_and_unknown_formats_are_refused(tmp_path: Path) -> None:
    _refused(str(tmp_path / "missing.bib"), None, "No such file")
    _refused(str(tmp_path), None, "directory")
    _refused("nul\0byte.bib", None, "cannot be read")
    (tmp_path / "a.bib").write_text(BIB)
    _refused(str(tmp_path / "a.bib"), "endnote", ", ".join(names()))


def _refused(source: str, name: str | None, says: str) -> None:
    with pytest.raises(InputError) as caught:
        read_input(source, name)
    message = str(caught.value)
    assert says in message
    assert "\n" not in message
    assert len(message) < 400
    assert caught.value.exit_code is Exit.USAGE
