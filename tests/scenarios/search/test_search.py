"""``citeproof search`` from end to end, against the built-in sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.program import Program

FOUND = "@inproceedings{dean2004mapreduce,"


@pytest.mark.parametrize(
    "words",
    [
        ["simplified data processing clusters"],
        ["dean", "mapreduce", "2004"],
        ["Ghemawat", "MapReduce"],
        ["osdi", "2004", "clusters", "dean"],
    ],
)
def test_search_prints_the_work_that_has_all_words_as_bibtex(
    citeproof: Program, words: list[str]
) -> None:
    done = citeproof("search", *words)
    assert done.returncode == 0
    assert done.stdout.startswith(FOUND)
    assert done.stdout.count("@") == 1
    assert done.stdout.endswith("}\n")


def test_search_says_what_it_does_not_find(citeproof: Program) -> None:
    done = citeproof("search", "turnips", "in", "the", "meadow")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "citeproof: nothing found for 'turnips in the meadow'; try fewer words\n"
    )
    assert citeproof("search", "...").returncode == 2


def test_search_add_appends_the_only_work_once_and_under_a_free_key(citeproof: Program) -> None:
    refs = citeproof.folder / "refs.bib"
    refs.write_bytes(b"@misc{Dean2004mapreduce, title={Another}}\r\n")
    done = citeproof("search", "mapreduce", "--add", "refs.bib")
    assert (done.returncode, done.stderr.count("Note")) == (0, 0)
    assert done.stdout.startswith(
        "refs.bib: added dean2004mapreduce2: MapReduce: Simplified Data Processing"
    )
    text = refs.read_bytes()
    assert text.startswith(
        b"@misc{Dean2004mapreduce, title={Another}}\r\n\r\n@inproceedings{dean2004mapreduce2,\r\n"
    )
    assert text.count(b"\n") == text.count(b"\r\n")
    again = citeproof("search", "mapreduce", "--add", "refs.bib")
    assert again.returncode == 2
    assert "refs.bib:3 dean2004mapreduce2: is already this work" in again.stderr
    assert refs.read_bytes() == text
    assert citeproof("verify", "refs.bib", "--all", "--format", "csv").stdout.count(",VALID,") == 1


def test_search_add_asks_which_of_several_works_is_meant(citeproof: Program) -> None:
    done = citeproof("search", "learning", "--add", "new.bib")
    assert done.returncode == 2
    assert "works fit; add words, or pick one:\n  --pick 1: " in done.stderr
    assert not (citeproof.folder / "new.bib").exists()
    done = citeproof("search", "learning", "--pick", "2", "--add", "new.bib")
    assert done.returncode == 0
    assert (citeproof.folder / "new.bib").read_text().count("@") == 1


@pytest.mark.parametrize(
    "entry",
    [
        "title = {New Directions in Cryptography}, author = {W. Diffie and M. Hellman}, year=1976",
        "title = {Cryptography}, doi = {10.1109/TIT.1976.1055638}",
    ],
)
def test_search_add_knows_a_work_that_is_written_otherwise(citeproof: Program, entry: str) -> None:
    """By its initials, or by its DOI in other letters."""
    refs = citeproof.folder / "refs.bib"
    refs.write_text(f"@article{{dh, {entry}}}\n")
    again = citeproof("search", "new directions in cryptography", "--add", "refs.bib")
    assert again.returncode == 2
    assert "refs.bib:1 dh: is already this work" in again.stderr
