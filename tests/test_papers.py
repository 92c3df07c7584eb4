"""The papers of a folder or an archive: each once, in the order of names, and nothing lost without a word."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

from citeproof.formats import read_all
from citeproof.inputs import open_documents
from citeproof.models import Reference
from citeproof.papers import papers_of

if TYPE_CHECKING:
    from pathlib import Path

TEX = "\\documentclass{article}\\begin{document}\\cite{a}\\bibliography{../refs}\\end{document}"
BIB = "@misc{a, title={One Work}}\n@misc{b, title={Another Work}}\n"
FILES = {
    "paper 2/main.tex": TEX, "paper 2/main.pdf": "%PDF-1.5", "paper 2/main.bbl": "", "paper 2/unused.bib": BIB,
    "paper 2/figure.png": "PNG",
    "paper 10/list.ris": "TY  - GEN\nTI  - One Title\nER  -\nTY  - GEN\nTI  - Two\nER  -\n",
    "refs.bib": BIB, "README.md": "Read me", "notes.txt": "any text", ".git/x.bib": BIB,
}  # fmt: skip


def project(root: Path) -> Path:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def read(path: Path, *, everything: bool = False) -> tuple[list[tuple[str, str]], list[str]]:
    """Return each reference's paper, inside ``path``, and its title; and the notes."""
    found = read_all(papers_of(open_documents([str(path)], everything=everything)))
    entries = [entry for one in found for entry in one.entries]
    assert all(isinstance(entry, Reference) for entry in entries)
    named = [(entry.paper.removeprefix(f"{path}/"), entry.title) for entry in entries if isinstance(entry, Reference)]
    return named, [note for one in found for note in one.notes]


EXPECTED = [("paper 2/main.tex", "One Work"), ("paper 10/list.ris", "One Title"), ("paper 10/list.ris", "Two")]


def test_a_latex_project_is_one_paper_and_2_comes_before_10(tmp_path: Path) -> None:
    found, notes = read(project(tmp_path))
    assert found == EXPECTED
    assert "6 files in it not checked" in notes[-1]
    assert "paper 2/unused.bib" in notes[-1]


def test_an_archive_is_read_as_the_folder_is(tmp_path: Path) -> None:
    path = tmp_path / "papers.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in FILES.items():
            archive.writestr(name, text)
    found, _ = read(path)
    assert found == EXPECTED


def test_all_checks_a_library_that_no_paper_names(tmp_path: Path) -> None:
    found, _ = read(project(tmp_path), everything=True)
    assert [title for paper, title in found if paper == "paper 2/unused.bib"] == ["One Work", "Another Work"]
    assert [title for paper, title in found if paper == "paper 2/main.tex"] == ["One Work", "Another Work"]


def test_a_member_that_cannot_be_read_costs_only_itself(tmp_path: Path) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.bib", BIB)
        archive.writestr("../b.bib", BIB)
        archive.writestr("c.bib", " " * 3_000_000)
    (tmp_path / "p.zip").write_bytes(target.getvalue())
    found = read_all(papers_of(open_documents([str(tmp_path / "p.zip")])))
    codes = [getattr(entry, "code", "") for one in found for entry in one.entries]
    assert sorted(codes) == ["", "", "document.bomb", "document.outside"]


def test_a_link_out_of_the_folder_is_named_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "out.bib").write_text(BIB)
    root = tmp_path / "in"
    root.mkdir()
    (root / "a.bib").write_text(BIB)
    (root / "link.bib").symlink_to(tmp_path / "out.bib")
    (root / "again.bib").symlink_to(root / "a.bib")
    found = read_all(papers_of(open_documents([str(root)])))
    assert [getattr(entry, "code", "") for one in found for entry in one.entries] == ["", "", "document.link"]
