"""The papers of a folder or an archive: each once, in the order of names, and nothing lost without
a word.
"""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import InputError
from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers.document import Document
from citeproof.readers.formats import read_all
from citeproof.readers.opening import open_documents
from citeproof.readers.papers import left_out_message, may_be_paper, open_file, papers_of
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
            f"{name}: 3 files not checked (without references, or a part of another paper): "
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


def write(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


MAIN = "\\documentclass{article}\\begin{document}\\cite{a}\\bibliography{refs}\\end{document}"
AUX = "\\relax\n\\citation{a}\n\\bibdata{refs}\n"


def test_papers_of_leaves_out_what_latex_wrote_for_a_paper(tmp_path: Path) -> None:
    root = write(tmp_path, main_tex=MAIN, main_aux=AUX, refs_bib=BIB, chapters__one_aux=AUX)
    named, notes = read(root)
    assert named == [("main.tex", "One Work")]
    assert notes[-1].endswith(": chapters/one.aux, main.aux")


def test_papers_of_reads_what_latex_wrote_if_the_paper_itself_is_missing(tmp_path: Path) -> None:
    named, _ = read(write(tmp_path, main_aux=AUX, refs_bib=BIB))
    assert named == [("main.aux", "One Work")]


def test_papers_of_markdown_names_its_bibliography(tmp_path: Path) -> None:
    text = "---\nbibliography: refs.bib\n---\nAs said [@a].\n"
    named, notes = read(write(tmp_path, paper_md=text, refs_bib=BIB, other_bib=BIB))
    assert named == [("paper.md", "One Work")]
    assert notes[-1].endswith(": other.bib")


def test_papers_of_names_a_pdf_without_a_list_unless_it_is_below_a_paper(tmp_path: Path) -> None:
    page = pdf([column(["Only words of a figure."])])
    root = write(tmp_path, paper__main_tex=MAIN, paper__refs_bib=BIB)
    for folder in ("paper/figures", "other"):
        (root / folder).mkdir()
        (root / folder / "one.pdf").write_bytes(page)
    found = read_all(papers_of(open_documents([str(root)])))
    faults = [one for each in found for one in each.entries if isinstance(one, Diagnostic)]
    assert [(one.code, one.place.file) for one in faults] == [
        ("pdf.without_list", f"{root}/other/one.pdf")
    ]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["p/a.png"], "1 file not checked (without references, or a part of another paper): a.png"),
        (
            [f"p/{number}.png" for number in range(9, 0, -1)],
            "9 files not checked (without references, or a part of another paper): 1.png, 2.png,"
            " 3.png, 4.png, 5.png, 6.png, 7.png, 8.png and 1 more",
        ),
    ],
)
def test_left_out_message_names_the_first_eight_files(names: list[str], message: str) -> None:
    assert left_out_message(names, "p/") == message


def test_open_file_tells_a_text_from_the_name_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "two\nlines.bib"
    path.write_text(BIB)
    (document,) = open_file(path)
    assert isinstance(document, Document)
    with pytest.raises(InputError, match="give the content of a file as bytes"):
        list(open_file(BIB))
    with pytest.raises(InputError, match="not int"):
        list(open_file(3))  # type: ignore[arg-type]
    (missing,) = open_file("none.bib")
    assert isinstance(missing, Diagnostic)


@pytest.mark.parametrize(
    ("name", "may"),
    [
        ("a.bib", True),
        ("a/b.TEX", True),
        ("x.tgz", True),
        ("a.png", False),
        ("a/texput.tex", False),
        ("~$paper.docx", False),
        ("a-blx.bib", False),
        ("paper.synctex.gz", False),
        ("a.bib/x", False),
    ],
)
def test_may_be_paper_by_its_suffix(name: str, *, may: bool) -> None:
    assert may_be_paper(name) is may
