"""``citeproof accept`` from end to end, against the built-in sample."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from citeproof.report.formats import REPORTS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.program import Program

REFERENCES = """\
@article{wrong, author = {Valiant, Leslie G.}, title = {A Theory of the Learnable}, year = 1988}
@misc{same, title = {One}}
@misc{same, title = {Another}}
@article{cut, title = {A
"""
KEPT = "citeproof.accepted.toml"


@pytest.fixture
def refs(citeproof: Program) -> Path:
    path = citeproof.folder / "refs.bib"
    path.write_text(REFERENCES)
    return path


@pytest.mark.usefixtures("refs")
def test_an_accepted_reference_is_shown_with_its_verdict_and_does_not_count(
    citeproof: Program,
) -> None:
    assert citeproof("verify", "refs.bib").returncode == 3
    done = citeproof(
        "accept", "refs.bib", "wrong", "cut", "--because", "the  reprint", "--until", "2999-12-31"
    )
    assert done.returncode == 0
    assert (
        done.stdout == "refs.bib:1 wrong: accepted until 2999-12-31: A Theory of the Learnable\n"
        "refs.bib:4 cut: accepted until 2999-12-31\n"
    )
    run = citeproof("verify", "refs.bib")
    assert run.returncode == 0
    assert (
        "2 accepted: checked by a person, so not counted as a problem.\n    ! refs.bib:1 wrong  the"
        " reprint (" in run.stdout
    )
    assert (
        "Exit code 0: no reference is invalid or suspicious, except accepted references."
        in run.stdout
    )
    assert citeproof("verify", "refs.bib", "--no-accepted").returncode == 3
    report = json.loads(citeproof("verify", "refs.bib", "--format", "json").stdout)
    assert report["results"][0]["status"] == "SUSPICIOUS"
    assert report["results"][0]["acceptance"]["because"] == "the reprint"
    assert report["statistics"]["accepted"] == {"SUSPICIOUS": 1, "ERROR": 1}
    streamed = citeproof("verify", "refs.bib", "--format", "csv")
    assert streamed.returncode == 0
    rows = list(csv.DictReader(io.StringIO(streamed.stdout)))
    assert [row["accepted"][:22] for row in rows] == [
        "Accepted: the reprint ",
        "",
        "",
        "Accepted: the reprint ",
    ]


def test_accept_all_makes_a_baseline_so_that_new_findings_alone_fail(
    citeproof: Program, refs: Path
) -> None:
    text = REFERENCES.partition("@article{cut")[0]
    twice = (
        "@article{twice, author = {Leslie Valiant}, title = {A Theory of the Learnable}, year ="
        " %d}\n"
    )
    refs.write_text(text + twice % 1991 + twice % 1992)
    assert citeproof("verify", "refs.bib").returncode == 1
    done = citeproof(
        "accept", "refs.bib", "--all", "--because", "before we checked", "--policy", "default"
    )
    assert done.returncode == 0
    assert done.stdout == "refs.bib:1 wrong: accepted: A Theory of the Learnable\n"
    assert "not accepted: 'twice' occurs several times with different content" in done.stderr
    assert done.stderr.endswith("citeproof: 1 accepted\n")
    refs.write_text(text)
    assert citeproof("verify", "refs.bib").returncode == 0
    refs.write_text(text + twice % 1991)
    assert citeproof("verify", "refs.bib").returncode == 1
    again = citeproof("accept", "refs.bib", "--all", "--because", "looked up")
    assert again.stdout == "refs.bib:2 twice: accepted: A Theory of the Learnable\n".replace(
        ":2", ":4"
    )
    assert (refs.parent / KEPT).read_text().count("before we checked") == 1
    assert citeproof("accept", "refs.bib", "--all", "--because", "x").stderr.endswith(
        "citeproof: 0 accepted\n"
    )


@pytest.mark.parametrize(
    "arguments", [["--because", "x"], ["wrong", "--all", "--because", "x"], ["--all", "--remove"]]
)
def test_accept_takes_keys_or_all(citeproof: Program, refs: Path, arguments: list[str]) -> None:
    done = citeproof("accept", refs, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--all" in done.stderr


def test_a_changed_entry_counts_again_and_says_so(citeproof: Program, refs: Path) -> None:
    citeproof("accept", "refs.bib", "wrong", "--because", "the reprint")
    refs.write_text(REFERENCES.replace("1988", "1987").partition("@misc")[0])
    done = citeproof("verify", "refs.bib")
    assert done.returncode == 1
    assert (
        "1 no longer accepted: check again, and renew the acceptance.\n    ! refs.bib:1 wrong  the"
        " reprint (" in done.stdout
    )
    assert "the entry has changed since)" in " ".join(done.stdout.split())


def test_what_is_accepted_can_be_taken_back(citeproof: Program, refs: Path) -> None:
    citeproof("accept", "refs.bib", "wrong", "--because", "the reprint")
    assert citeproof("accept", "refs.bib", "wrong", "--remove").returncode == 0
    assert "wrong" not in (refs.parent / KEPT).read_text()
    again = citeproof("accept", "refs.bib", "wrong", "--remove")
    assert again.returncode == 2
    said = f"{KEPT}: has no accepted entry 'wrong' of refs.bib; accepted entries: none"
    assert said in again.stderr


RIS = """\
TY  - JOUR
TI  - A Theory of the Learnable
AU  - Valiant, Leslie G.
PY  - 1988
ER  -
TY  - JOUR
TI  - Another
DO  - 10.1000/xyz
ER  -
"""


@pytest.mark.parametrize("name", ["1", "a theory of the learnable", "A Theory of the Learnable"])
def test_an_entry_without_a_key_is_accepted_by_number_or_title(
    citeproof: Program, name: str
) -> None:
    path = citeproof.folder / "refs.ris"
    path.write_text(RIS)
    done = citeproof("accept", "refs.ris", name, "--because", "the reprint")
    assert done.stdout == "refs.ris:1: accepted: A Theory of the Learnable\n"
    assert done.stderr.endswith(
        f"citeproof: written to {KEPT}; keep this file with the bibliography\n"
    )
    assert 'key = "A Theory of the Learnable"' in (citeproof.folder / KEPT).read_text()
    report = json.loads(citeproof("verify", "refs.ris", "--format", "json").stdout)
    assert report["results"][0]["acceptance"]["because"] == "the reprint"
    path.write_text(RIS.replace("1988", "1987"))
    report = json.loads(citeproof("verify", "refs.ris", "--format", "json").stdout)
    assert report["results"][0]["acceptance"]["lapsed"] == "changed"
    assert citeproof("accept", "refs.ris", "--remove", "1").returncode == 0
    assert "Learnable" not in (citeproof.folder / KEPT).read_text()


def test_an_entry_without_a_key_is_accepted_and_explained_by_its_doi(citeproof: Program) -> None:
    (citeproof.folder / "refs.ris").write_text(RIS)
    assert citeproof("accept", "refs.ris", "10.1000/XYZ", "--because", "seen").returncode == 0
    assert 'key = "10.1000/xyz"' in (citeproof.folder / KEPT).read_text()
    assert "refs.ris:6" in citeproof("explain", "refs.ris", "10.1000/xyz").stdout
    done = citeproof("accept", "refs.ris", "3", "--because", "seen")
    assert done.returncode == 2
    assert "its entries have no keys: name one by its number (1 to 2), DOI or title" in done.stderr


def test_accept_lists_what_is_accepted_and_what_no_longer_is(
    citeproof: Program, refs: Path
) -> None:
    citeproof("accept", "refs.bib", "wrong", "--because", "the reprint", "--until", "2999-12-31")
    citeproof("accept", "refs.bib", "cut", "--because", "a sketch")
    kept = (refs.parent / KEPT).read_text()
    on = kept.partition("on = ")[2][:10]
    first = f"the reprint ({on}, until 2999-12-31)"
    done = citeproof("accept", "refs.bib", "--list")
    assert done.returncode == 0
    assert done.stdout == (
        f"refs.bib:1 wrong: {first}: A Theory of the Learnable\nrefs.bib:4 cut: a sketch ({on})\n"
    )
    assert done.stderr == f"citeproof: 2 accepted in {KEPT}\n"
    refs.write_text(REFERENCES.replace("1988", "1987").partition("@article{cut")[0])
    assert citeproof("accept", "refs.bib", "--list").stdout == (
        f"refs.bib:1 wrong: {first[:-1]}; the entry has changed since): A Theory of the"
        f" Learnable\nrefs.bib cut: a sketch ({on}; this entry no longer exists)\n"
    )
    assert (refs.parent / KEPT).read_text() == kept


@pytest.mark.parametrize("further", [["wrong"], ["--all"], ["--because", "x"], ["--remove"]])
def test_accept_lists_for_an_input_and_nothing_else(
    citeproof: Program, refs: Path, further: list[str]
) -> None:
    done = citeproof("accept", refs, "--list", *further)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--list takes an INPUT, and neither KEYs nor other options" in done.stderr


@pytest.mark.usefixtures("refs")
def test_it_stands_beside_the_bibliography_that_a_paper_cites(citeproof: Program) -> None:
    (citeproof.folder / "main.tex").write_text(
        r"\documentclass{a}\begin{document}\cite{wrong}\bibliography{refs}\end{document}"
    )
    assert citeproof("accept", "main.tex", "wrong", "--because", "the reprint").returncode == 0
    assert citeproof("verify", "main.tex").returncode == 0


@pytest.mark.usefixtures("refs")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["refs.bib", "wrong"], "say why the entry is right: --because"),
        (["refs.bib", "wrong", "--because", "  "], "say why the entry is right: --because"),
        (
            ["refs.bib", "wrong", "--because", "a\x1b[31m"],
            "--because has characters that cannot be printed",
        ),
        (["refs.bib", "wrnog", "--because", "x"], "refs.bib: has no entry 'wrnog'; it has wrong"),
        (
            ["refs.bib", "wrong", "--because", "x", "--until", "2020-01-01"],
            "--until 2020-01-01: this date has passed",
        ),
        (
            ["refs.bib", "wrong", "--because", "x", "--until", "soon"],
            "--until takes a date such as ",
        ),
        (
            ["refs.bib", "same", "--because", "x"],
            "'same' occurs several times with different content: refs",
        ),
        (["refs.bib", "wrong", "--remove", "--because", "x"], "--remove takes no --because"),
        (["refs.bib", "--because", "x"], "Missing argument 'KEY...'"),
        (["none.bib", "wrong", "--because", "x"], "none.bib: "),
        (
            ["-", "wrong", "--from", "bibtex", "--because", "x"],
            "<stdin>: is not a file in a folder",
        ),
    ],
)
def test_wrong_input_is_one_clear_line_and_writes_nothing(
    citeproof: Program, arguments: list[str], said: str
) -> None:
    done = citeproof("accept", *arguments, stdin=REFERENCES)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr
    assert not (citeproof.folder / KEPT).exists()


@pytest.mark.usefixtures("refs")
def test_a_damaged_file_stays_as_it_is_and_a_run_goes_on_without_it(citeproof: Program) -> None:
    damaged = citeproof.folder / KEPT
    damaged.write_text("<<<<<<< HEAD\n")
    done = citeproof("accept", "refs.bib", "wrong", "--because", "x")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"{KEPT}: is not valid: " in done.stderr
    assert damaged.read_text() == "<<<<<<< HEAD\n"
    run = citeproof("verify", "refs.bib", "-q")
    assert run.returncode == 3
    assert "no entry of this file counts as accepted" in run.stderr


@pytest.mark.usefixtures("refs")
@pytest.mark.parametrize(
    ("words", "code"), [("suspicious", 3), ("suspicious,not-error", 1), ("never,not-error", 0)]
)
def test_whether_what_could_not_be_checked_counts_is_the_user_s_choice(
    citeproof: Program, words: str, code: int
) -> None:
    done = citeproof("verify", "refs.bib", "--fail-on", words)
    assert done.returncode == code
    said = " ".join(done.stdout.split())
    assert ("references that could not be checked do not affect" in said) == (code != 3)


@pytest.mark.usefixtures("refs")
def test_accept_removes_the_file_of_a_run_that_was_killed(citeproof: Program) -> None:
    (citeproof.folder / f"{KEPT}.building").write_text("half")
    assert citeproof("accept", "refs.bib", "wrong", "--because", "x").returncode == 0
    assert sorted(path.name for path in citeproof.folder.glob("citeproof.*")) == [KEPT]


@pytest.mark.usefixtures("refs")
def test_accept_writes_through_no_link_to_a_file_of_another_name(citeproof: Program) -> None:
    (citeproof.folder / KEPT).symlink_to("profile")
    done = citeproof("accept", "refs.bib", "wrong", "--because", "x")
    assert done.returncode == 2
    assert "is a link to a file of another name" in done.stderr
    assert not (citeproof.folder / "profile").exists()


@pytest.mark.usefixtures("refs")
def test_accept_writes_through_a_link_to_a_file_that_folders_share(citeproof: Program) -> None:
    shared = citeproof.folder / "shared"
    shared.mkdir()
    (citeproof.folder / KEPT).symlink_to(shared / KEPT)
    assert citeproof("accept", "refs.bib", "wrong", "--because", "x").returncode == 0
    assert 'key = "wrong"' in (shared / KEPT).read_text("utf-8")


@pytest.mark.usefixtures("refs")
@pytest.mark.parametrize(
    ("content", "said"), [("x = " + "[" * 5000, "nested"), (None, "is not a regular file")]
)
def test_verify_reads_no_nested_or_endless_file_of_acceptances(
    citeproof: Program, content: str | None, said: str
) -> None:
    path = citeproof.folder / KEPT
    if content is None:
        path.symlink_to("/dev/zero")
    else:
        path.write_text(content)
    done = citeproof("verify", "refs.bib", "-q")
    assert done.returncode == 3
    assert said in done.stderr
    assert citeproof("accept", "refs.bib", "wrong", "--because", "x").returncode == 2


@pytest.mark.usefixtures("refs")
@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("detail", ["-q", "-v"])
def test_every_report_says_how_many_entries_a_file_of_the_folder_accepts(
    citeproof: Program, report: str, detail: str
) -> None:
    asked = ("verify", "refs.bib", "--format", report, detail)
    assert KEPT not in citeproof(*asked).stdout + citeproof(*asked).stderr
    citeproof("accept", "refs.bib", "wrong", "cut", "--because", "it is so")
    done = citeproof(*asked)
    said = " ".join((done.stdout + done.stderr).split())
    assert f"{KEPT} accepts 2 entries not VALID; --no-accepted ignores this file." in said


@pytest.mark.usefixtures("refs")
@pytest.mark.parametrize("given", ["--no-project-settings", "CITEPROOF_NO_PROJECT_SETTINGS"])
def test_accepted_entries_count_where_the_settings_of_a_project_are_ignored(
    citeproof: Program, given: str
) -> None:
    citeproof("accept", "refs.bib", "wrong", "cut", "--because", "turn the check green")
    assert citeproof("verify", "refs.bib").returncode == 0
    ignoring = ["--no-project-settings"] if given.startswith("-") else []
    if not ignoring:
        citeproof.environment[given] = "1"
    done = citeproof("verify", "refs.bib", *ignoring)
    assert (done.returncode, "accepted" in done.stdout + done.stderr) == (3, False)
    assert citeproof("verify", "refs.bib", *ignoring, "--accepted").returncode == 0
