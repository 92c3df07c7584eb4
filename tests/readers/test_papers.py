"""The papers of a folder or an archive: each once, in the order of names, and nothing lost without
a word.
"""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers.formats import read_all
from citeproof.readers.opening import open_documents
from citeproof.readers.papers import papers_of
from tests.readers.formats.pdf.typeset import column, pdf

if TYPE_CHECKING:
    from pathlib import Path

TEX = "\\documentclass{article}\\begin{document}\\cite{a}\\bibliography{../refs}\\end{document}"
BIB = "@misc{a, title={One Work}}\n@misc{b, title={Another Work}}\n"
FILES = {
    "paper 2/main.tex": TEX,
    "paper 2/main.pdf": "%PDF-1.5",
    "paper 2/main.bbl": "",
    "paper 2/unused.bib": BIB,
    "paper 2/figure.png": "PNG",
    "paper 10/list.ris": "TY  - GEN\nTI  - One Title\nER  -\nTY  - GEN\nTI  - Two\nER  -\n",
    "refs.bib": BIB,
    "README.md": "Read me",
    "notes.txt": "any text",
    ".git/x.bib": BIB,
}


def project(root: Path) -> Path:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def read(path: Path | str, *, everything: bool = False) -> tuple[list[tuple[str, str]], list[str]]:
    """Return each reference's paper, inside ``path``, and its title; and the notes."""
    found = read_all(papers_of(open_documents([str(path)], everything=everything)))
    entries = [entry for one in found for entry in one.entries]
    assert all(isinstance(entry, Reference) for entry in entries)
    named = [
        (entry.paper.removeprefix(f"{path}/"), entry.title)
        for entry in entries
        if isinstance(entry, Reference)
    ]
    return named, [note for one in found for note in one.notes]


EXPECTED = [
    ("paper 2/main.tex", "One Work"),
    ("paper 10/list.ris", "One Title"),
    ("paper 10/list.ris", "Two"),
]


def test_papers_of_a_latex_project_is_one_paper_and_2_comes_before_10(tmp_path: Path) -> None:
    found, notes = read(project(tmp_path))
    assert found == EXPECTED
    assert "6 files not checked" in notes[-1]
    assert "paper 2/unused.bib" in notes[-1]


def test_papers_of_an_archive_is_read_as_the_folder_is(tmp_path: Path) -> None:
    path = tmp_path / "papers.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in FILES.items():
            archive.writestr(name, text)
    found, _ = read(path)
    assert found == EXPECTED


def test_papers_of_all_checks_a_library_that_no_paper_names(tmp_path: Path) -> None:
    found, _ = read(project(tmp_path), everything=True)
    assert [title for paper, title in found if paper == "paper 2/unused.bib"] == [
        "One Work",
        "Another Work",
    ]
    assert [title for paper, title in found if paper == "paper 2/main.tex"] == [
        "One Work",
        "Another Work",
    ]


def test_papers_of_a_member_that_cannot_be_read_costs_only_itself(tmp_path: Path) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.bib", BIB)
        archive.writestr("../b.bib", BIB)
        archive.writestr("c.bib", " " * 3_000_000)
    (tmp_path / "p.zip").write_bytes(target.getvalue())
    found = read_all(papers_of(open_documents([str(tmp_path / "p.zip")])))
    codes = [getattr(entry, "code", "") for one in found for entry in one.entries]
    assert sorted(codes) == ["", "", "document.bomb", "document.outside"]


def test_papers_of_a_link_out_of_the_folder_is_named_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "out.bib").write_text(BIB)
    root = tmp_path / "in"
    root.mkdir()
    (root / "a.bib").write_text(BIB)
    (root / "link.bib").symlink_to(tmp_path / "out.bib")
    (root / "again.bib").symlink_to(root / "a.bib")
    found = read_all(papers_of(open_documents([str(root)])))
    assert [getattr(entry, "code", "") for one in found for entry in one.entries] == [
        "",
        "",
        "document.link",
    ]


TITLES = [
    "On the indexing of ribbon tables",
    "Cold storage of winter apples",
    "A survey of long hedges",
]
LIBRARY = "".join(
    f"@article{{k{number}, author={{Winter, Ada}}, title={{{title}}}, journal={{Annals}},"
    " year={2001}}\n"
    for number, title in enumerate(TITLES)
)


def printed(titles: list[str]) -> bytes:
    lines = [
        f"[{number}] A. Winter. {title}. Annals, 2001."
        for number, title in enumerate(titles, start=1)
    ]
    return pdf([column(["References", *lines])])


def test_papers_of_leaves_out_what_prints_the_list_of_a_paper_in_latex(tmp_path: Path) -> None:
    paper = TEX.replace("a}\\b", "k0,k1,k2}\\b").replace("../refs", "refs")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.tex").write_text(paper)
    (tmp_path / "src" / "refs.bib").write_text(LIBRARY)
    (tmp_path / "src" / "submitted.pdf").write_bytes(printed(TITLES))
    (tmp_path / "final version.pdf").write_bytes(printed(TITLES))
    (tmp_path / "src" / "build").mkdir()
    items = "".join(
        f"\\bibitem{{k{n}}} A. Winter. {title}. Annals, 2001.\n" for n, title in enumerate(TITLES)
    )
    (tmp_path / "src" / "build" / "output.bbl").write_text(
        f"\\begin{{thebibliography}}{{3}}\n{items}\\end{{thebibliography}}"
    )
    (tmp_path / "src" / "other.pdf").write_bytes(
        printed([TITLES[0], "Tin", "A walk in the park of the north"])
    )
    for name in (str(tmp_path), f"{tmp_path}/"):
        found, notes = read(name)
        assert [paper.removeprefix(f"{tmp_path}/") for paper, _ in found] == [
            "src/main.tex"
        ] * 3 + ["src/other.pdf"] * 3
        assert notes == [
            f"{name}: 3 files not checked, without references or part of a paper that was: "
            "final version.pdf, src/build/output.bbl, src/submitted.pdf"
        ]


def test_papers_of_leaves_out_temporary_files(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(TEX.replace("../refs", "refs"))
    (tmp_path / "refs.bib").write_text(BIB)
    for name in (
        "__latexindent_temp.tex",
        "_region_.tex",
        "texput.tex",
        "#main.tex#",
        "main.tex~",
        ".#main.tex",
    ):
        (tmp_path / name).write_text(TEX.replace("../refs", "refs"))
    for name in ("citeproof.toml", "citeproof.accepted.toml"):
        (tmp_path / name).write_text("")
    for name in (
        "main-blx.bib",
        "~$notes.docx",
        "main.synctex.gz",
        "main.tex.bak",
        ".main.tex.swp",
    ):
        (tmp_path / name).write_text(BIB)
    found, notes = read(tmp_path)
    assert found == [("main.tex", "One Work")]
    assert "citeproof" not in notes[-1].removeprefix(str(tmp_path))
    found, _ = read(tmp_path, everything=True)
    assert {paper for paper, _ in found} == {"main.tex"}


def test_papers_of_names_a_damaged_file_whose_suffix_is_that_of_a_paper(tmp_path: Path) -> None:
    """A damaged submission is reported; a text that is merely no bibliography is left out."""
    (tmp_path / "good.bib").write_text(BIB)
    (tmp_path / "cut.bib").write_bytes(b"\x00\x01\x02 nothing to read")
    (tmp_path / "sent.docx").write_bytes(b"not a Word document")
    (tmp_path / "package.json").write_text('{"name": "figures"}')
    found = list(read_all(papers_of(open_documents([str(tmp_path)]))))
    refused = {
        entry.place.file.removeprefix(f"{tmp_path}/"): entry.code
        for one in found
        for entry in one.entries
        if isinstance(entry, Diagnostic)
    }
    assert refused == {"cut.bib": "document.binary", "sent.docx": "docx.no_docx"}
    assert [note for one in found for note in one.notes if "package.json" in note]
