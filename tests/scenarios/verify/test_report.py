"""The report on a terminal from end to end: read as a person reads it, in several widths."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.sample import sample_database
from citeproof.database.lookup import Database
from citeproof.verification.validation.codes import CODES, REASONS

if TYPE_CHECKING:
    from tests.program import Program

EXAMPLES = Path(__file__).parents[3] / "examples" / "references.bib"
WRONG = re.compile(
    r"@\w+\{(?:valiant88|ghemawat03|fredman87|rsa78|parliament98),.*?\n\}", re.DOTALL
)


def verify(citeproof: Program, *arguments: str | Path, columns: int = 80) -> str:
    citeproof.environment["COLUMNS"] = str(columns)
    return citeproof("verify", "--no-cache", *arguments).stdout


@pytest.fixture(scope="module")
def mostly_right(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bibliography of 120 entries: 5 with problems, 115 that are in the sample as they
    stand.
    """
    wrong = WRONG.findall(EXAMPLES.read_text("utf-8"))
    with Database.open(sample_database()) as database:
        every = database.records([place for place, _ in database.titles()])
    records = [
        record
        for record in every
        if len(record.title.split()) > 3 and record.authors and record.year
    ][:115]
    right = [
        f"@article{{right{number},\n title = {{{record.title}}},\n author ="
        f" {{{' and '.join(record.authors)}}},\n year = {record.year}\n}}"
        for number, record in enumerate(records)
    ]
    path = tmp_path_factory.mktemp("paper") / "refs.bib"
    path.write_text("\n".join([*right[:60], *wrong, *right[60:]]), encoding="utf-8")
    return path


def test_problems_among_many_right_references_fit_on_a_page(
    citeproof: Program, mostly_right: Path
) -> None:
    # a long path would take a line more
    (citeproof.folder / "refs.bib").write_bytes(mostly_right.read_bytes())
    lines = verify(citeproof, "refs.bib").splitlines()
    assert "120 entries: ! 5 suspicious, ✓ 115 valid" in lines
    assert len(lines) <= 60
    assert [line for line in lines if "right" in line] == []


@pytest.mark.shared
def test_hundreds_of_unknown_works_are_few_lines(citeproof: Program, shared: Path) -> None:
    lines = verify(citeproof, shared / "samples" / "bib" / "02_zotero_biology_500.bib").splitlines()
    assert any(line.startswith("506 entries: ") for line in lines)
    assert len(lines) <= 40


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_it_fits_the_terminal(citeproof: Program, columns: int) -> None:
    lines = verify(citeproof, EXAMPLES, columns=columns).splitlines()
    assert len(lines) > 50
    assert [line for line in lines if len(line) > columns and "http" not in line] == []


def test_no_code_is_shown(citeproof: Program) -> None:
    text = verify(citeproof, EXAMPLES)
    assert "The year is 1984, not 1988; the rest agrees.\n" in text
    assert [
        code
        for code in (*CODES, *REASONS)
        if re.search(rf"(?<![\w.]){re.escape(code)}(?![\w.])", text)
    ] == []
    detailed = verify(citeproof, EXAMPLES, "-v")
    assert "year.off" in detailed
    assert "metadata_mismatch" in detailed


def test_the_page_shows_the_report_as_it_is(citeproof: Program) -> None:
    page = (EXAMPLES.parents[1] / "docs" / "reports.md").read_text("utf-8")
    (shown,) = re.findall(r"```\n(.*?)```", page, re.DOTALL)
    assert shown in verify(citeproof, EXAMPLES)


def test_a_confidence_stands_where_something_is_claimed(citeproof: Program) -> None:
    text = verify(citeproof, EXAMPLES)
    assert "    In bibliographies without invented references, " in text
    assert "confidence 0.5" not in verify(citeproof, EXAMPLES, "-v")
    assert [line for line in text.splitlines() if "UNVERIFIED" in line and "of 100" in line] == []


def test_quietly_only_problems_are_printed(
    citeproof: Program, mostly_right: Path, tmp_path: Path
) -> None:
    text = verify(citeproof, mostly_right, "-q")
    assert len(re.findall(r"^[✗!] ", text, re.MULTILINE)) == 5
    assert "entries" not in text
    right = tmp_path / "right.bib"
    right.write_text(
        "@article{x, title = {A Theory of the Learnable}, author = {Leslie G. Valiant}, year ="
        " 1984}"
    )
    assert verify(citeproof, right, "-q") == ""


def test_the_last_lines_say_what_a_build_needs(citeproof: Program) -> None:
    report = verify(citeproof, EXAMPLES, columns=300)
    *_, note, code, step = report.splitlines()
    assert note.startswith("Note: No database was named, so the built-in sample")
    assert report.count("sample answered") == 1
    assert code == "Exit code 1: some references are invalid or suspicious."
    assert (
        step == f"Next: citeproof fix {EXAMPLES} shows corrections; citeproof explain {EXAMPLES}"
        " pierce2087 says why."
    )


def test_a_report_in_a_file_leaves_its_sum_on_the_terminal(
    citeproof: Program, tmp_path: Path
) -> None:
    done = citeproof("verify", EXAMPLES, "--format", "json", "-o", tmp_path / "report.json")
    assert done.stdout == ""
    assert "26 entries: ✗ 1 invalid, ! 9 suspicious, ? 3 unverified, ✓ 13 valid\n" in done.stderr
    assert "built-in sample" in done.stderr
    assert done.stderr.endswith(f"The report is in {tmp_path / 'report.json'}.\n")
    quiet = citeproof("verify", EXAMPLES, "-q", "-o", tmp_path / "report.md").stderr
    assert quiet.count("built-in sample answered") == 1
    assert "26 entries: " not in citeproof("verify", EXAMPLES, "-o", "-").stderr


def test_less_and_more_at_once_is_refused(citeproof: Program) -> None:
    done = citeproof("verify", EXAMPLES, "-q", "-v")
    assert done.returncode == 2
    assert done.stderr.startswith(
        "citeproof: --quiet and --verbose contradict each other; leave one of them out; see "
    )


@pytest.mark.parametrize(
    ("name", "setting", "begin"),
    [
        ("report.html", "", "<!doctype html>"),
        ("REPORT.MD", "", "# References"),
        ("a.sarif.json", "", '{\n  "$schema"'),
        ("report.json", "csv", '{\n  "schema_version"'),
        ("report.txt", "csv", "key,paper,"),
        ("report.xml", "", "<?xml"),
    ],
)
def test_the_name_of_the_file_says_which_report_is_wanted(
    citeproof: Program, tmp_path: Path, name: str, setting: str, begin: str
) -> None:
    if setting:
        (citeproof.folder / "citeproof.toml").write_text(f'format = "{setting}"')
    citeproof(
        "verify", "--text", "Leslie Lamport. The Part-Time Parliament.", "-o", tmp_path / name
    )
    assert (tmp_path / name).read_text("utf-8").startswith(begin)
