"""Neighbours of a file: those of its folder, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.inputs.folder import Folder

if TYPE_CHECKING:
    from pathlib import Path


def test_files_of_the_folder_are_found_and_none_outside(tmp_path: Path) -> None:
    inside = tmp_path / "paper"
    (inside / "sub").mkdir(parents=True)
    (inside / "sub" / "refs.bib").write_text("@misc{a}")
    (tmp_path / "secret.bib").write_text("@misc{b}")
    (inside / "link.bib").symlink_to(tmp_path / "secret.bib")
    folder = Folder(inside, limit=100)
    found = folder.find("sub/refs.bib")
    assert found
    assert found.text == "@misc{a}"
    assert found.neighbours is folder
    outside = ("../secret.bib", str(tmp_path / "secret.bib"), "link.bib", "sub/../../secret.bib", "sub", "none", "a\0b")
    assert [name for name in outside if folder.find(name)] == []


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("x" * 11)
    assert Folder(tmp_path, limit=10).find("a.bib") is None
