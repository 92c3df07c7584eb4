"""What LaTeX notes of a paper: what it cites, and no file outside its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import InputError
from citeproof.model.reference import Diagnostic
from citeproof.readers.formats import read_all
from citeproof.readers.opening import open_documents
from citeproof.readers.papers import papers_of
from tests.readers.formats.paper import codes, keys, read

if TYPE_CHECKING:
    from pathlib import Path


BIB = "@misc{a, title={A}}\n@misc{b, title={B}}\n@misc{c, title={C}}\n"
LIST = (
    "\\begin{thebibliography}{1}\\bibitem{a} A. Lee. \\newblock One. \\newblock"
    " 2001.\\end{thebibliography}"
)


@pytest.mark.parametrize(
    "cited",
    [
        "\\citation{a}\n\\citation{b, a}",
        "\\abx@aux@cite{0}{a}\n\\abx@aux@cite{0}{b}",
        "\\abx@aux@cite{a}\n\\abx@aux@cite{b}",
        "\\bibcite{a}{{1}{2001}{{Lee}}{{}}}\n\\bibcite{b}{2}",
    ],
)
def test_read_what_is_cited_or_else_printed_is_read_from_the_bibliographies(
    tmp_path: Path, cited: str
) -> None:
    found = read(
        tmp_path, main__aux=f"\\relax\n{cited}\n\\bibdata{{main-blx,refs}}\n", refs__bib=BIB
    )
    assert keys(found) == ["a", "b"]
    assert [(note.code, note.message) for note in found.diagnostics] == [
        ("document.never_cited", "'c' is not cited; `citeproof verify --all` checks it too")
    ]


@pytest.mark.parametrize(("cited", "everything"), [("{a}", True), ("{*}", False)])
def test_read_all_is_read_where_the_paper_or_the_user_wants_it(
    tmp_path: Path, cited: str, everything: bool
) -> None:
    found = read(
        tmp_path,
        main__aux=f"\\citation{cited}\n\\bibdata{{refs}}",
        refs__bib=BIB,
        everything=everything,
    )
    assert keys(found) == ["a", "b", "c"]


def test_parts_are_followed_and_a_missing_key_is_named_at_its_place(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "one.aux").write_text(
        "\\relax\n\\@input{main.aux}\n\\citation{b,gone}\n\\@setckpt{one}{}"
    )
    main = "\\@input{parts/one.aux}\n\\@input{no.aux}\n\\@input{ }\n\\citation{a}\n\\bibdata{refs}"
    found = read(tmp_path, main__aux=main, refs__bib=BIB)
    assert (keys(found), codes(found)) == (["a", "b"], ["", "", "document.no_such_entry"])
    assert (found.entries[2].file, found.entries[2].line) == (
        str(tmp_path / "parts" / "one.aux"),
        3,
    )
    assert [note.code for note in found.diagnostics if note.file.endswith("aux")] == [
        "latex-aux.missing_part"
    ]


def test_read_nothing_outside_the_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret.bib").write_text(BIB)
    (tmp_path / "secret.aux").write_text("\\citation{b}")
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "link.bib").symlink_to(tmp_path / "secret.bib")
    named = f"\\bibdata{{../secret,link,{tmp_path}/secret}}\n\\@input{{../secret.aux}}"
    found = read(folder, main__aux=f"\\citation{{a}}\n{named}")
    assert codes(found) == ["latex-aux.missing_bibliography"] * 3
    assert [note.code for note in found.diagnostics] == ["latex-aux.missing_part"]


@pytest.mark.parametrize("named", ["", "\\bibdata{gone}"])
@pytest.mark.parametrize("suffix", ["bbl", "tex"])
def test_read_the_printed_list_stands_in_for_a_missing_bibliography(
    tmp_path: Path, named: str, suffix: str
) -> None:
    (tmp_path / f"main.{suffix}").write_text(LIST)
    found = read(tmp_path, main__aux=f"\\citation{{a}}\n{named}")
    assert [(reference.key, reference.title) for reference in found.references] == [("a", "One")]
    assert (codes(found), found.parts) == ([""], (str(tmp_path / f"main.{suffix}"),))


def test_read_what_biber_reads_is_named_beside_the_file(tmp_path: Path) -> None:
    source = '<bcf:datasource type="file" datatype="bibtex" glob="false">refs.bib</bcf:datasource>'
    assert keys(
        read(tmp_path, main__aux="\\abx@aux@cite{0}{c}", main__bcf=source, refs__bib=BIB)
    ) == ["c"]


@pytest.mark.parametrize(
    ("aux", "said"), [("\\relax\n", "cites nothing"), ("\\citation{a}\n", "no .bbl beside it")]
)
def test_read_a_file_without_bibliographies_says_so(tmp_path: Path, aux: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(tmp_path, main__aux=aux)


def in_folder(folder: Path) -> list[tuple[str, str]]:
    found = read_all(papers_of(open_documents([str(folder)])))
    return [
        (entry.paper.removeprefix(f"{folder}/"), entry.key)
        for one in found
        for entry in one.references
    ]


def test_in_a_folder_it_is_read_only_where_there_is_no_paper(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text(BIB)
    (tmp_path / "part.aux").write_text("\\citation{b}\n\\@setckpt{part}{}")
    (tmp_path / "main.aux").write_text("\\@input{part.aux}\n\\citation{a}\n\\bibdata{a}")
    assert in_folder(tmp_path) == [("main.aux", "a"), ("main.aux", "b")]
    (tmp_path / "main.tex").write_text("\\documentclass{x}\\cite{a}\\bibliography{a}")
    assert in_folder(tmp_path) == [("main.tex", "a")]


def test_read_names_the_files_of_which_a_paper_consists(tmp_path: Path) -> None:
    (tmp_path / "one.aux").write_text("\\citation{b}")
    main = "\\@input{one.aux}\n\\citation{a}\n\\bibdata{refs}"
    found = read(tmp_path, main__aux=main, refs__bib=BIB)
    assert [part.rpartition("/")[2] for part in found.parts] == ["one.aux", "refs.bib"]


def test_read_a_bibliography_that_is_missing_is_named_unless_latex_makes_it(
    tmp_path: Path,
) -> None:
    main = "\\citation{a}\n\\bibdata{main-blx,refs,gone}"
    found = read(tmp_path, main__aux=main, refs__bib=BIB)
    faults = [entry for entry in found.entries if isinstance(entry, Diagnostic)]
    assert [(one.code, one.line) for one in faults] == [("latex-aux.missing_bibliography", 2)]
    assert "gone" in faults[0].message


def test_read_all_of_a_printed_list_if_everything_is_cited(tmp_path: Path) -> None:
    (tmp_path / "main.bbl").write_text(LIST)
    assert keys(read(tmp_path, main__aux="\\citation{*}\n")) == ["a"]
    assert keys(read(tmp_path, main__aux="\\bibcite{a}{1}\n")) == ["a"]


def test_read_everything_cited_wins_over_the_printed_keys(tmp_path: Path) -> None:
    found = read(
        tmp_path, main__aux="\\citation{*}\n\\bibcite{a}{1}\n\\bibdata{refs}", refs__bib=BIB
    )
    assert keys(found) == ["a", "b", "c"]
