"""``citeproof explain`` from end to end, against the built-in sample."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.program import Program

EXAMPLES = Path(__file__).parents[3] / "examples" / "references.bib"


def test_a_wrong_field_is_explained_from_the_sources_to_what_would_mend_it(
    citeproof: Program,
) -> None:
    done = citeproof("explain", EXAMPLES, "valiant88")
    assert done.returncode == 0
    told = done.stdout
    heads = [
        "Three questions",
        "What was queried",
        "Works compared with the reference",
        "What the rules say",
        "What would change",
    ]
    places = [told.index(head) for head in heads]
    assert places == sorted(places)
    assert "Does the work exist? A work that agrees in part exists." in told
    assert "Is it described correctly? No; 1 difference found." in told
    assert "Is it probably invented? The probability is 0." in told
    assert "    a known work has the same title and authors, but a detail differs (divides" in told
    assert "1 title compared; it is proved that the" in told
    assert "    year: different\n      cited      1988\n      recorded   1984\n" in told
    assert "year (year.off, makes the reference SUSPICIOUS)" in told
    assert "Rules that found nothing: absence" in told
    assert "With the year 1984, the reference would be VALID.\n" in told


def test_explain_says_how_to_report_a_wrong_verdict_and_writes_the_file(citeproof: Program) -> None:
    told = " ".join(
        citeproof("explain", EXAMPLES, "valiant88", "--evidence", "case.jsonl").stdout.split()
    )
    assert (
        "If this verdict is wrong Run the command again with --evidence case.jsonl, and attach this"
        " file" in told
    )
    assert told.endswith("citeproof sends nothing.")
    assert len((citeproof.folder / "case.jsonl").read_text("utf-8").splitlines()) == 1, (
        "the trials are not written"
    )
    assert (
        citeproof("replay", "case.jsonl").stdout == "1 verdict decided again: 1 equal, 0 differ.\n"
    )
    refused = citeproof("explain", EXAMPLES, "valiant88", "--evidence", EXAMPLES)
    assert (refused.returncode, refused.stderr) == (
        2,
        f"citeproof: {EXAMPLES}: is the input; --evidence takes another file\n",
    )


@pytest.mark.parametrize(
    ("key", "status", "said"),
    [
        ("jindal2008opinion", "VALID", "Opinion spam and analysis"),
        (
            "parliament98",
            "SUSPICIOUS",
            "With the authors Leslie Lamport, the reference would be VALID.",
        ),
        ("marrowby2008lantern", "SUSPICIOUS", "None: no known work is similar to the reference."),
        ("dblpfaq", "UNVERIFIED", "A source that has the work: a larger database (--bib-db)"),
    ],
)
def test_every_status_is_explained_in_80_columns(
    citeproof: Program, key: str, status: str, said: str
) -> None:
    lines = citeproof("explain", EXAMPLES, key).stdout.splitlines()
    assert f" {status}  {key}  " in lines[0] + "  "
    assert said in "\n".join(lines)
    assert max(map(len, lines[1:])) <= 80


def test_an_entry_that_could_not_be_read_says_why(citeproof: Program) -> None:
    (citeproof.folder / "refs.bib").write_text(
        "@article{whole, title={A}}\n@article{cut, title = {A Theory"
    )
    done = citeproof("explain", "refs.bib", "cut")
    assert done.returncode == 0
    assert "ERROR  cut" in done.stdout
    assert "bibtex.unbalanced" in done.stdout


def test_a_title_cannot_command_the_terminal(citeproof: Program) -> None:
    (citeproof.folder / "refs.bib").write_text(
        "@article{a, title = {A Theory of \x1b[31mthe Learnable}, year=1988}"
    )
    done = citeproof("explain", "refs.bib", "a")
    assert "Learnable" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_rule_whose_difference_is_left_open_is_not_called_silent(citeproof: Program) -> None:
    fields = (
        "title={A Theory of the Learnable}, author={Leslie G. Valiant}, journal={Unheard Results},"
        " year=1990"
    )
    (citeproof.folder / "refs.bib").write_text(f"@article{{a, {fields}}}")
    told = " ".join(citeproof("explain", "refs.bib", "a").stdout.split())
    assert (
        "version (version.differs, makes the reference UNVERIFIED): the year does not agree" in told
    )
    silent = told.partition("Rules that found nothing: ")[2].partition(".")[0].split(", ")
    assert "title" in silent
    assert "year" not in silent


def test_a_repeated_key_is_explained_each_time(citeproof: Program) -> None:
    entry = "@article{a, title = {A Theory of the Learnable}, author={Valiant}, year=%d}\n"
    (citeproof.folder / "refs.bib").write_text(entry % 1984 + entry % 1988)
    told = citeproof("explain", "refs.bib", "a").stdout
    assert told.count("What was queried") == 2
    assert "refs.bib:2" in told


def test_a_wrong_key_names_those_that_are_like_it(citeproof: Program) -> None:
    done = citeproof("explain", EXAMPLES, "valiant84")
    assert done.returncode == 2
    assert "has no entry 'valiant84'; it has valiant88" in done.stderr


@pytest.mark.parametrize(
    "words", [["explain", "none.bib", "a"], ["explain", EXAMPLES], ["explain", "", "a"]]
)
def test_a_wrong_input_is_one_line(citeproof: Program, words: list[str]) -> None:
    done = citeproof(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
