"""Papers in LaTeX: what they cite, and no file outside their folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from citeproof.model.reference import Diagnostic, Severity
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.formats import latex
from tests.readers.formats.paper import codes, keys, read

if TYPE_CHECKING:
    from pathlib import Path


BIB = "@misc{a, title={A}}\n@misc{b, title={B}}\n@misc{C, title={C}}\n@misc{broken, title={D}\n"


def test_read_parts_and_bibliographies_are_followed(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        main__tex="\\documentclass{x}\\input{part}\\include{main}\\bibliography{refs}\n%\\input{no}\\cite{no}",
        part__tex=(
            "\\parencite[see][3]{a}\n\\Textcites(x)[1]{c}[2]{b}\\citestyle{no}"
            "\\newcommand\\x[1]{\\cite{#1}}\\input part"
        ),
        refs__bib=BIB,
    )
    assert keys(found) == ["a", "b", "C"]
    assert found.references[0].file == str(tmp_path / "refs.bib")


@pytest.mark.parametrize(
    "cited",
    ["\\cite{a,b}", "\\citep*[e.g.,][]{a,\n b}", "\\autocites{a}{b}", "\\nocite{a}\\citeauthor{b}"],
)
def test_only_what_is_cited_is_checked_and_the_rest_is_named(tmp_path: Path, cited: str) -> None:
    found = read(
        tmp_path,
        main__tex=f"\\documentclass{{x}}{cited}\\addbibresource[x=y]{{refs.bib}}",
        refs__bib=BIB,
    )
    assert keys(found) == ["a", "b"]
    assert [note.message for note in found.diagnostics if note.code == "document.never_cited"] == [
        "'C' is not cited; `citeproof verify --all` checks it too"
    ]


@pytest.mark.parametrize(
    ("text", "everything"), [("\\cite{a}\\nocite{*}", False), ("\\cite{a}", True), ("", False)]
)
def test_read_all_is_checked_where_the_paper_or_the_user_wants_it(
    tmp_path: Path, text: str, everything: bool
) -> None:
    paper = f"\\documentclass{{x}}{text}\\bibliography{{refs}}"
    found = read(tmp_path, main__tex=paper, refs__bib=BIB, everything=everything)
    assert (keys(found), codes(found)[-1]) == (["a", "b", "C"], "bibtex.unbalanced")


def test_read_a_cited_key_without_an_entry_is_a_diagnostic_at_its_place(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        main__tex="\\documentclass{x}\n\\cite{a,gone}\n\\bibliography{refs}",
        refs__bib=BIB,
    )
    assert codes(found) == ["", "document.no_such_entry"]
    assert (found.entries[1].key, found.entries[1].line) == ("gone", 2)


def test_read_nothing_outside_the_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret.bib").write_text(BIB)
    (tmp_path / "secret.tex").write_text("\\cite{b}")
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "link.bib").symlink_to(tmp_path / "secret.bib")
    named = f"\\bibliography{{../secret,link,{tmp_path}/secret}}\\input{{../secret}}"
    found = read(folder, main__tex=f"\\documentclass{{x}}\\cite{{a}}{named}")
    assert codes(found) == ["latex.missing_bibliography"] * 3
    assert [note.code for note in found.diagnostics] == ["latex.missing_part"]


def test_read_the_bbl_stands_in_for_a_missing_bibliography(tmp_path: Path) -> None:
    bbl = (
        "\\begin{thebibliography}{1}\\bibitem{a} A. Lee. \\newblock One. \\newblock"
        " 2001.\\end{thebibliography}"
    )
    found = read(
        tmp_path, main__tex="\\documentclass{x}\\cite{a}\\bibliography{gone}", main__bbl=bbl
    )
    assert [(reference.key, reference.title) for reference in found.references] == [("a", "One")]
    assert codes(found) == [""]


def test_read_parts_that_input_each_other_are_read_once(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        main__tex="\\documentclass{x}\\input{main}\\input{p}\\bibliography{r}",
        p__tex="\\input{main.tex}\\cite{a}",
        r__bib=BIB,
    )
    assert keys(found) == ["a"]


def test_read_a_bibliography_that_the_paper_holds_is_read_at_its_place(tmp_path: Path) -> None:
    held = "\\begin{filecontents*}[overwrite]{refs.bib}\n" + BIB + "\\end{filecontents*}\n"
    paper = held + "\\documentclass{article}\n\\cite{b}\\bibliography{refs}"
    found = read(tmp_path, main__tex=paper)
    (reference,) = found.references
    assert (reference.key, reference.line) == ("b", 3)
    assert reference.place.span
    assert reference.raw == paper[reference.place.span.start : reference.place.span.end]


def test_read_a_file_comes_before_what_the_paper_holds(tmp_path: Path) -> None:
    paper = "\\begin{filecontents}{refs.bib}\n@misc{a, title={No}}"
    paper += "\n\\end{filecontents}\n\\documentclass{a}\\cite{a}\\bibliography{refs}"
    (reference,) = read(tmp_path, main__tex=paper, refs__bib=BIB).references
    assert reference.title == "A"


def test_read_an_input_without_a_name_is_no_part() -> None:
    text = "\\documentclass{a}\\input{}\\cite{a}"
    text += (
        "\\begin{thebibliography}{1}\\bibitem{a} A. Lee. \\newblock A title.\\end{thebibliography}"
    )
    (reference,) = latex.read(Document.of_text(text, "main.tex")).references
    assert reference.key == "a"


def test_read_a_file_that_is_named_in_two_ways_is_read_once(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        main__tex=(
            "\\documentclass{x}\\input{list}\\input{./list}\\cite{a}\\bibliography{refs,./refs}"
        ),
        list__tex=(
            "\\begin{thebibliography}{1}\\bibitem{z} Z. Lee. Snow."
            " 2001.\\end{thebibliography}\\cite{z}"
        ),
        refs__bib=BIB,
    )
    assert sorted(keys(found)) == ["a", "z"]
    assert {note.code for note in found.diagnostics} == {"document.never_cited"}


@pytest.mark.parametrize("name", ["", ".", "/", "..", "a/.."])
@pytest.mark.parametrize("format_", ["latex", "latex-aux"])
def test_read_takes_a_document_whose_name_is_no_name_of_a_file(name: str, format_: str) -> None:
    paper = Document.of_text("\\documentclass{x}\\cite{a}", name)
    code = {"latex": "latex.no_bibliography", "latex-aux": "latex-aux.no_citation"}[format_]
    assert codes(formats.read(paper, format_)) == [code]


def test_read_says_once_which_entries_are_not_cited(tmp_path: Path) -> None:
    entries = "".join(f"@misc{{k{number}, title={{T{number}}}}}\n" for number in range(12))
    found = read(
        tmp_path, main__tex="\\documentclass{x}\\cite{k0}\\bibliography{refs}", refs__bib=entries
    )
    assert [str(note) for note in found.diagnostics] == [
        f"{tmp_path / 'refs.bib'}: 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8' and 3 more are"
        " not cited; `citeproof verify --all` checks them too"
    ]


MACROS = (
    '@comment{IEEE}\n@string{tip = "IEEE Transactions on Image Processing"}\n@string{year1 ='
    " {2001}}"
)


@pytest.mark.parametrize("first", ["main__tex", "main__aux"])
def test_read_applies_the_macros_of_a_bibliography_in_the_next_ones(
    tmp_path: Path, first: str
) -> None:
    texts: dict[str, Any] = {
        "main__tex": "\\documentclass{x}\\cite{a,b}\\bibliography{macros,refs,more}",
        "main__aux": "\\relax\n\\citation{a,b}\n\\bibdata{macros,refs,more}\n",
    }
    found = read(
        tmp_path,
        **{first: texts[first]},
        macros__bib=MACROS,
        refs__bib="@string{year1 = {2002}}@article{a, title={A}, journal=tip, year=year1}",
        more__bib="@article{b, title={B}, journal=tip, year=year1}",
    )
    assert codes(found) == ["", ""]
    assert [(one.key, one.venue, one.year) for one in found.references] == [
        ("a", "IEEE Transactions on Image Processing", 2002),
        ("b", "IEEE Transactions on Image Processing", 2002),
    ]


def test_read_takes_a_bibliography_of_macros_alone_for_no_fault(tmp_path: Path) -> None:
    (only,) = read(tmp_path, macros__bib=MACROS).entries
    assert isinstance(only, Diagnostic)
    assert (only.code, only.severity) == ("bibtex.only_macros", Severity.NOTE)


def test_read_names_the_files_of_which_a_paper_consists(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        main__tex=(
            '\\documentclass{x}\\input{"one"}\\import{sub/}{two}\\input #1 \\bibliography{refs}'
        ),
        one__tex="\\cite{a}\\input{one.tex}",
        refs__bib=BIB,
    )
    assert [part.removeprefix(f"{tmp_path}/") for part in found.parts] == ["refs.bib", "one.tex"]
    assert [note.message for note in found.diagnostics if "two" in note.message]


def test_read_finds_a_file_with_and_without_its_suffix(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "two.tex").write_text("\\cite{b}")
    found = read(
        tmp_path,
        main__tex=(
            "\\documentclass{x}\\input one.tex\n\\subimport{sub/}{two.tex}"
            "\\addbibresource{refs.bib}\\bibliography{refs}"
        ),
        one__tex="\\cite{a}",
        refs__bib=BIB,
    )
    assert keys(found) == ["a", "b"]
    assert len(found.parts) == 3


def test_read_takes_the_bbl_file_for_a_bibliography_that_is_missing(tmp_path: Path) -> None:
    printed = (
        "\\begin{thebibliography}{1}\\bibitem{a} A. Lee. \\newblock One. \\newblock"
        " 2001.\\end{thebibliography}"
    )
    paper = "\\documentclass{x}\\cite{a,c}\\bibliography{gone}"
    found = read(tmp_path, main__tex=paper, main__bbl=printed)
    assert [part.rpartition("/")[2] for part in found.parts] == ["main.bbl"]
    assert [entry.key for entry in found.entries] == ["a", "c"]
    (tmp_path / "main.bbl").unlink()
    assert codes(read(tmp_path, main__tex=paper)) == ["latex.missing_bibliography"]


def test_read_a_file_that_is_included_again_once(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        main__tex=(
            "\\documentclass{x}\\input{one}\\input{one}\\input{gone}\\input{gone}\\input{\\x}"
            "\\bibliography{refs,refs}"
        ),
        one__tex="\\cite{a}",
        refs__bib=BIB,
    )
    assert (keys(found), len(found.parts)) == (["a"], 2)
    missing = [note for note in found.diagnostics if note.code == "latex.missing_part"]
    assert len(missing) == 1
