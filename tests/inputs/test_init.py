"""Names as documents: each is a document or a diagnostic that says why not."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from citeproof import inputs
from citeproof.inputs import open_documents, opening
from citeproof.inputs.document import Document
from citeproof.models import Diagnostic, Severity

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_what_cannot_be_opened_is_a_diagnostic_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("@misc{a}")
    names = ["none.bib", ".", "nul\0.bib", "a.bib", "sub/../a.bib"]
    (tmp_path / "sub").mkdir()
    opened = list(open_documents([str(tmp_path / name) for name in names]))
    codes = [one.code if isinstance(one, Diagnostic) else "" for one in opened]
    assert codes == ["document.missing", "", "document.unreadable", "", "document.repeated"]
    assert {code for code in codes if code} <= set(inputs.CODES)
    assert [one.file if isinstance(one, Diagnostic) else one.name for one in opened] == [
        str(tmp_path / name) for name in names
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


def test_standard_input_is_a_document_without_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a")))
    (document,) = open_documents(["-"], "titles")
    assert isinstance(document, Document)
    assert (document.name, document.text, document.path, document.format) == ("<stdin>", "a", None, "titles")
