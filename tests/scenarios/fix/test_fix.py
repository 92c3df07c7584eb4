"""``citeproof fix`` from end to end, against the built-in sample."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.program import Program

EXAMPLES = Path(__file__).parents[3] / "examples" / "references.bib"
WRONG_YEAR = """% said \xe9 before
@article{valiant, author = "Valiant, Leslie G.",
   title = {A Theory of the {Learnable}}, journal = cacm, year = 1988 }
"""


def test_the_patch_applies_and_mends_what_it_claims(citeproof: Program) -> None:
    shutil.copy(EXAMPLES, citeproof.folder / "refs.bib")
    done = citeproof("fix", "refs.bib")
    assert done.returncode == 0
    assert "refs.bib:122 valiant88: year: 1988 -> 1984" in done.stderr
    subprocess.run(
        ["git", "apply", "-"], input=done.stdout.encode(), cwd=citeproof.folder, check=True
    )
    assert citeproof("fix", "refs.bib").stdout == ""


def test_only_the_value_changes_in_any_encoding_and_with_any_ends_of_lines(
    citeproof: Program,
) -> None:
    path = citeproof.folder / "refs.bib"
    old = WRONG_YEAR.replace("\n", "\r\n").encode("latin-1")
    path.write_bytes(old)
    done = citeproof("fix", "--write", "refs.bib")
    assert "1 field corrected" in done.stderr
    assert path.read_bytes() == old.replace(b"1988", b"1984")
    assert path.with_name("refs.bib.orig").read_bytes() == old


def test_a_misspelt_title_is_corrected_though_it_counts_against_nobody(citeproof: Program) -> None:
    entry = (
        "@article{{p, author = {{Leslie Lamport}}, title = {{The {} Parliament}}, journal = tocs,"
        " year = 1998}}"
    )
    path = citeproof.folder / "refs.bib"
    path.write_text(entry.format("Prat-Time"))
    assert citeproof("verify", "refs.bib").returncode == 0
    citeproof("fix", "--write", "refs.bib")
    assert path.read_text() == entry.format("Part-Time")


def test_what_was_written_before_is_not_overwritten(citeproof: Program) -> None:
    path = citeproof.folder / "refs.bib"
    path.write_text(WRONG_YEAR)
    path.with_name("refs.bib.orig").write_text("mine")
    done = citeproof("fix", "--write", "refs.bib")
    assert done.returncode == 2
    assert "refs.bib.orig: exists already" in done.stderr
    assert path.read_text() == WRONG_YEAR


@pytest.mark.parametrize("left", ["refs.bib.orig", "refs.bib.building", "refs.bib.orig.building"])
def test_fix_goes_on_after_a_run_that_was_killed(citeproof: Program, left: str) -> None:
    path = citeproof.folder / "refs.bib"
    path.write_text(WRONG_YEAR)
    (citeproof.folder / left).write_text(WRONG_YEAR if left.endswith("orig") else "half")
    done = citeproof("fix", "--write", "refs.bib")
    assert (done.returncode, path.read_text()) == (0, WRONG_YEAR.replace("1988", "1984"))
    assert path.with_name("refs.bib.orig").read_text() == WRONG_YEAR
    assert sorted(each.name for each in citeproof.folder.glob("refs*")) == [
        "refs.bib",
        "refs.bib.orig",
    ]


def test_a_wrong_doi_is_replaced_in_the_address_too(citeproof: Program) -> None:
    path = citeproof.folder / "refs.bib"
    path.write_text(
        "@article{rsa, author = {Rivest, Ronald L. and Shamir, Adi and Adleman, Leonard M.}, year ="
        " {1978},\ntitle = {A Method for Obtaining Digital Signatures and Public-Key"
        " Cryptosystems}, journal = {Commun. ACM},\ndoi = {10.1145/359168.359176}, url ="
        " {https://doi.org/10.1145/359168.359176}}\n"
    )
    citeproof("fix", "--write", "refs.bib")
    assert path.read_text().count("10.1145/359340.359342") == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [("refs.ris", "TY  - JOUR\nTI  - A Title\nER  - \n"), ("refs.bib", "no"), ("no.bib", None)],
)
def test_what_cannot_be_corrected_in_place_is_refused_in_one_line(
    citeproof: Program, name: str, content: str | None
) -> None:
    if content is not None:
        (citeproof.folder / name).write_text(content)
    done = citeproof("fix", name)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


def test_a_title_by_other_people_is_left_alone(citeproof: Program) -> None:
    (citeproof.folder / "refs.bib").write_text(
        "@inproceedings{chimera, author = {Smith, Ann and Jones, Bob}, title = {The Google File"
        " System},\nbooktitle = {SOSP}, year = {2003}}\n"
    )
    done = citeproof("fix", "refs.bib")
    assert (done.stdout, done.returncode) == ("", 0)


def test_fix_writes_no_part_of_a_publication_beside_parts_of_another(citeproof: Program) -> None:
    """ICML 2018 with its series, volume and pages does not become NIPS of 2018."""
    cited = (
        "@inproceedings{vaswani, title = {Attention is All you Need}, author = {Vaswani, Ashish and"
        " Shazeer, Noam and others}, booktitle = {International Conference on Machine Learning},"
        " series = {PMLR}, volume = {80}, pages = {100--110}, year = {2018}}\n"
    )
    (citeproof.folder / "refs.bib").write_text(cited)
    done = citeproof("fix", "refs.bib", "--no-cache")
    assert (done.returncode, done.stdout) == (0, "")
    assert "to correct" in done.stderr


def test_fix_makes_no_proceedings_of_a_preprint_server(citeproof: Program) -> None:
    cited = (
        "@inproceedings{he, title = {Deep Residual Learning for Image Recognition}, author = {He,"
        " Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian}, booktitle = {NIPS}, year ="
        " {2015}}\n"
    )
    (citeproof.folder / "refs.bib").write_text(cited)
    assert "CoRR" not in citeproof("fix", "refs.bib", "--no-cache").stdout


def test_offline_is_stated_by_the_report(citeproof: Program) -> None:
    done = citeproof("verify", "--offline", "--format", "json", "--no-cache", EXAMPLES)
    assert "Offline: this process opens no connection" in done.stdout
    assert done.returncode == 1


def test_what_names_bibliographies_is_refused_with_their_names(citeproof: Program) -> None:
    paper = citeproof.folder / "paper"
    paper.mkdir()
    (paper / "refs.bib").write_text(WRONG_YEAR)
    (paper / "main.tex").write_text("\\documentclass{article}\\cite{valiant}\\bibliography{refs}")
    (paper / "main.bbl").write_text(
        "\\begin{thebibliography}{1}\\bibitem{a} L. Valiant.\\end{thebibliography}"
    )
    for name, hint in (
        ("paper/main.tex", "name paper/refs.bib"),
        ("paper/main.bbl", "name the .bib file from which it was made"),
    ):
        done = citeproof("fix", name)
        assert done.returncode == 2
        assert (
            done.stderr
            == f"citeproof: {name}: is not a BibTeX file, and only BibTeX files can be corrected;"
            f" {hint}\n"
        )


def test_fix_corrects_the_bibliographies_of_a_folder(citeproof: Program) -> None:
    (citeproof.folder / "paper").mkdir()
    path = citeproof.folder / "paper" / "refs.bib"
    path.write_text(WRONG_YEAR)
    (citeproof.folder / "paper" / "main.tex").write_text("\\bibliography{refs}")
    assert "+++ b/paper/refs.bib" in citeproof("fix", "paper").stdout
    assert citeproof("fix", "--write", "paper").returncode == 0
    assert "1984" in path.read_text()


def test_fix_prints_a_patch_for_the_unpacked_archive_and_writes_none(citeproof: Program) -> None:
    packed = citeproof.folder / "overleaf.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("sub/references.bib", WRONG_YEAR)
        archive.writestr("main.tex", "x")
    before = packed.read_bytes()
    done = citeproof("fix", "overleaf.zip")
    assert done.returncode == 0
    assert "overleaf.zip/sub/references.bib:2 valiant: year: 1988 -> 1984" in done.stderr
    unpacked = citeproof.folder / "unpacked"
    zipfile.ZipFile(packed).extractall(unpacked)
    subprocess.run(["git", "apply", "-"], input=done.stdout.encode(), cwd=unpacked, check=True)
    assert "1984" in (unpacked / "sub" / "references.bib").read_text()
    refused = citeproof("fix", "--write", "overleaf.zip")
    assert (refused.returncode, refused.stdout, refused.stderr) == (
        2,
        "",
        (
            "citeproof: overleaf.zip: is an archive, which --write cannot change; unpack it, or"
            " omit --write and apply the printed patch\n"
        ),
    )
    assert packed.read_bytes() == before


def test_fix_names_each_finding_that_it_leaves_and_why(citeproof: Program) -> None:
    (citeproof.folder / "refs.bib").write_text(
        "@article{given, author = {Leonard Lamport}, title = {The Part-Time Parliament}, journal ="
        " tocs, year = 1994}\n@misc{unknown, title = {Notes on a Workshop that Left No Trace},"
        " author = {Quillon Marrowby}, year = 2001}\n"
    )
    done = citeproof("fix", "refs.bib")
    why = "(the rest of the entry does not identify the work with certainty)"
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines()[-3:] == [
        (
            "citeproof: refs.bib:1 given: left: the given name does not agree: recorded Leslie"
            f" Lamport, cited Leonard Lamport {why}"
        ),
        (
            "citeproof: refs.bib:1 given: left: the year does not agree: recorded 1998, cited 1994"
            f" {why}"
        ),
        "citeproof: 0 fields to correct, 2 findings left",
    ]


def test_one_bad_file_does_not_cost_the_others(citeproof: Program) -> None:
    for name in ("a.bib", "b.bib"):
        (citeproof.folder / name).write_text(WRONG_YEAR)
    (citeproof.folder / "b.bib.orig").write_text("mine")
    done = citeproof("fix", "--write", "no.bib", "b.bib", "a.bib", "a.bib")
    assert done.returncode == 3
    assert "1988" in (citeproof.folder / "b.bib").read_text()
    assert "1984" in (citeproof.folder / "a.bib").read_text()
    said = done.stderr.splitlines()
    assert "a.bib: is named twice; it is read once" in said[0]
    assert "1 field corrected" in said[-3]
    assert said[-2].startswith("citeproof: no.bib: No such file")
    assert "b.bib.orig: exists already" in said[-1]
    done = citeproof("fix", "no.bib", "neither.bib")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 2)


def test_entries_that_cannot_be_read_are_counted_and_stay(citeproof: Program) -> None:
    path = citeproof.folder / "refs.bib"
    path.write_text(WRONG_YEAR + "@article{broken, title = {never closed\n")
    done = citeproof("fix", "--write", "refs.bib")
    assert (
        "refs.bib: 1 entry cannot be read and stays as it is; see citeproof verify refs.bib"
        in done.stderr
    )
    assert (
        path.read_text()
        == WRONG_YEAR.replace("1988", "1984") + "@article{broken, title = {never closed\n"
    )
