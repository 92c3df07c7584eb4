"""``citeproof lookup`` from end to end, against the built-in sample."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.program import Program


def test_a_title_with_a_typo_is_found(citeproof: Program) -> None:
    done = citeproof("lookup", "A Relational Modle of Data for Large Shared Data Banks")
    assert done.returncode == 0
    assert "A Relational Model of Data for Large Shared Data Banks" in done.stdout
    assert "https://doi.org/10.1145/362384.362685" in done.stdout


def test_a_title_that_differs_in_words_is_near(citeproof: Program) -> None:
    done = citeproof("lookup", "Attention is what you need", "The Google File System")
    assert done.returncode == 1
    assert (
        "near       Attention is what you need\n  0.902  Attention Is All You Need" in done.stdout
    )
    assert "found      The Google File System" in done.stdout


def test_single_words_are_one_title(citeproof: Program) -> None:
    done = citeproof("lookup", "The", "Google", "File", "System")
    assert done.returncode == 0
    assert (
        done.stdout.count("found      The Google File System\n")
        == done.stdout.count("compared")
        == 1
    )


def test_json_is_a_list_of_the_objects_of_the_web_service(citeproof: Program) -> None:
    done = citeproof(
        "lookup", "--format", "json", "The Google File System", "Nothing of this Name Exists"
    )
    found, missed = json.loads(done.stdout)
    assert (found["found"], found["year"], found["query_title"]) == (
        True,
        2003,
        "The Google File System",
    )
    assert not missed["found"]
    assert {
        "method",
        "candidates_examined",
        "complete",
        "duration_ms",
    } <= missed.keys() & found.keys()
    assert done.returncode == (1 if missed["complete"] else 3)


def test_titles_come_from_standard_input(citeproof: Program) -> None:
    done = citeproof(
        "lookup",
        "--format",
        "json",
        "-",
        stdin="The Google File System\n\nAttention is all you need\n",
    )
    assert [answer["found"] for answer in json.loads(done.stdout)] == [True, True]


def test_a_title_without_a_letter_is_refused(citeproof: Program) -> None:
    done = citeproof("lookup", "...")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_a_long_link_stays_in_one_piece(citeproof: Program) -> None:
    done = citeproof("lookup", "Attention is all you need")
    assert (
        "https://proceedings.neurips.cc/paper/2017/hash/3f5ee243547dee91fbd053c1c4a845aa-Abstract.html"
        in done.stdout
    )


@pytest.mark.parametrize("text", ["10.1145/362384.362685", "https://doi.org/10.1145/362384.362685"])
def test_an_identifier_finds_the_record_that_has_it(citeproof: Program, text: str) -> None:
    done = citeproof("lookup", text, "arXiv:1706.03762")
    assert done.returncode == 0
    assert (
        "has this DOI:\n         A Relational Model of Data for Large Shared Data Banks"
        in done.stdout
    )
    assert "has this arXiv id:\n         Attention Is All You Need" in done.stdout


def test_a_title_without_its_subtitle_shows_the_work_that_has_one(citeproof: Program) -> None:
    done = citeproof("lookup", "MapReduce")
    assert done.returncode == 1
    assert "the same except for a subtitle:\n  " in done.stdout
    assert "MapReduce: Simplified Data Processing on Large Clusters" in done.stdout


def test_ties_are_shown_to_ten_and_counted(citeproof: Program) -> None:
    records = "".join(
        f"<article key='journals/e/{n}'><title>Editorial.</title></article>" for n in range(250)
    )
    (citeproof.folder / "e.xml").write_text(f"<dblp>{records}</dblp>")
    assert citeproof("db", "build", "e.xml", "-o", "e.db").returncode == 0
    done = citeproof("lookup", "--bib-db", "e.db", "Editorial")
    assert done.stdout.count("1.000  Editorial") == 10
    assert "and 240 more" in done.stdout


def test_all_shows_what_lies_between_the_best_and_the_threshold(citeproof: Program) -> None:
    (citeproof.folder / "l.xml").write_text(
        "<dblp><article key='a'><title>Lamps for all the sheep.</title></article>"
        "<article key='b'><title>Lamps for all the sheeps.</title></article></dblp>"
    )
    assert citeproof("db", "build", "l.xml", "-o", "l.db").returncode == 0
    asked = ("lookup", "--bib-db", "l.db", "Lamps for all the sheep")
    best, every = citeproof(*asked), citeproof(*asked, "--all")
    assert (best.returncode, every.returncode) == (0, 0)
    assert "sheeps" not in best.stdout
    assert "0.979  Lamps for all the sheeps" in every.stdout
    (answer,) = json.loads(citeproof(*asked, "--all", "--format", "json").stdout)
    assert (answer["total"], answer["all"]) == (2, True)


def test_a_cut_search_says_what_cut_it(citeproof: Program) -> None:
    records = "".join(
        f"<article key='k{n}'><title>Lamp number {n:03} shines.</title></article>"
        for n in range(250)
    )
    (citeproof.folder / "l.xml").write_text(f"<dblp>{records}</dblp>")
    assert citeproof("db", "build", "l.xml", "-o", "l.db").returncode == 0
    done = citeproof(
        "lookup", "--bib-db", "l.db", "--bib-max-candidates", "1", "Lamp number 9999 shines"
    )
    assert "not complete: stopped at --bib-max-candidates" in done.stdout
    assert done.returncode == 3
    near = ("lookup", "--bib-db", "l.db", "--bib-max-candidates", "12", "Lamp number 0255 shines")
    done = citeproof(*near)
    assert ("≈ near" in done.stdout, "stopped at" in done.stdout) == (True, True)
    assert done.returncode == 3, "a nearer title may be in the database"


def test_a_text_of_more_than_2_000_letters_is_refused(citeproof: Program) -> None:
    done = citeproof("lookup", "-", stdin="x" * 100_000)
    assert done.returncode == 2
    assert "has 100,000 letters; a title has at most 2,000" in done.stderr
    assert len(done.stderr) < 200


def test_any_number_of_candidates_is_allowed(citeproof: Program) -> None:
    assert (
        citeproof(
            "lookup", "--bib-max-candidates", str(1 << 63), "The Gogle File System"
        ).returncode
        == 0
    )


def test_a_record_is_printed_as_a_bibtex_entry(citeproof: Program) -> None:
    done = citeproof(
        "lookup", "--format", "bibtex", "The Google File System", "Nothing of this Name Exists"
    )
    assert done.stdout.startswith("@inproceedings{ghemawat2003google,\n  author")
    assert done.stdout.endswith("\n\n% not found: Nothing of this Name Exists\n")
