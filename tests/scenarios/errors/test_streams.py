"""Standard streams that are full, closed or abandoned, locales without Unicode, and names that are
no UTF-8.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.program import Program


@pytest.fixture(autouse=True)
def _right_bib(citeproof: Program) -> None:
    text = (
        "@article{right, title = {A Theory of the Learnable}, author = {Leslie G. Valiant}, year ="
        " 1984}"
    )
    (citeproof.folder / "right.bib").write_text(text, "utf-8")


full_device = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="needs a device that is always full"
)


@full_device
@pytest.mark.parametrize(
    "arguments", [["lookup", "learnable"], ["verify", "right.bib", "--format", "json"], ["-h"]]
)
def test_a_full_disk_under_standard_output(citeproof: Program, arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "citeproof", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=citeproof.folder,
            env=citeproof.environment,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "citeproof: standard output: No space left on device"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("report", ["json", "jsonl"])
def test_a_reader_that_leaves_is_told_nothing(citeproof: Program, report: str) -> None:
    """The report is five times what a pipe holds (64 KiB), so its writer waits for the reader and
    meets its leaving.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "citeproof", "verify", *["right.bib"] * 500, "--format", report],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=citeproof.folder,
        env=citeproof.environment,
    )
    assert process.stdout
    process.stdout.readline()
    process.stdout.close()
    assert process.communicate(timeout=60)[1] == b""
    assert process.returncode == 141


@pytest.mark.parametrize("report", ["table", "json", "csv"])
def test_a_reader_that_never_comes_ends_a_run_as_the_shell_says_of_any_program(
    citeproof: Program, report: str
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "citeproof", "verify", "right.bib", "--format", report]
    with os.fdopen(writing, "wb") as nobody:
        done = subprocess.run(
            command,
            stdout=nobody,
            stderr=subprocess.PIPE,
            cwd=citeproof.folder,
            env=citeproof.environment,
            check=False,
        )
    assert b"Traceback" not in done.stderr
    assert done.returncode == 141


@pytest.mark.parametrize("report", ["table", "json"])
def test_a_locale_without_unicode_still_gets_it(citeproof: Program, report: str) -> None:
    environment = citeproof.environment | {
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "ascii",
    }
    text = (
        '@article{x, title = {Long Short-Term Memory}, author = {Schmidhuber, J{\\"u}rgen and'
        " others}}"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "citeproof",
            "verify",
            "-",
            "-v",
            "--from",
            "bibtex",
            "--format",
            report,
        ],
        input=text.encode(),
        capture_output=True,
        cwd=citeproof.folder,
        env=environment,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert "Jürgen" in done.stdout.decode("utf-8")


@pytest.mark.parametrize("report", ["table", "json", "jsonl", "csv"])
@pytest.mark.parametrize("target", [(), ("--output", "report")])
def test_a_file_name_that_is_no_utf_8_is_reported(
    citeproof: Program, report: str, target: tuple[str, ...]
) -> None:
    name = os.fsdecode(b"caf\xe9.bib")
    (citeproof.folder / name).write_text("@misc{x, title = {Learnability}}", "utf-8")
    done = citeproof("verify", name, "--format", report, "--fail-on", "never", *target)
    assert done.returncode == 0
    said = (citeproof.folder / "report").read_text("utf-8") if target else done.stdout
    assert r"caf\udce9.bib" in said
    if report == "json":
        assert os.fsencode(json.loads(said)["results"][0]["file"]) == b"caf\xe9.bib"


@pytest.mark.parametrize(
    ("closed", "arguments", "code", "says"),
    [
        ("<&-", "verify right.bib --format json", 0, ""),
        ("<&-", "verify - --from bibtex", 2, "citeproof: <stdin>: is empty"),
        (
            ">&-",
            "verify right.bib --format json",
            2,
            "citeproof: standard output: Bad file descriptor",
        ),
        (">&-", "verify right.bib --format json --output {}", 0, ""),
        ("2>&-", "verify right.bib --format json", 0, ""),
        ("2>&-", "verify missing.bib", 2, ""),
        ("<&- >&- 2>&-", "verify right.bib --format json --output {}", 0, ""),
    ],
)
def test_a_closed_standard_stream_is_no_traceback(
    citeproof: Program, tmp_path: Path, closed: str, arguments: str, code: int, says: str
) -> None:
    report = tmp_path / "report.json"
    command = (
        f"exec {shlex.quote(sys.executable)} -m citeproof"
        f" {arguments.format(shlex.quote(str(report)))} {closed}"
    )
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=citeproof.folder,
        env=citeproof.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert report.exists() == ("{}" in arguments)


@pytest.mark.parametrize("columns", ["0", "1", "-5", "x"])
@pytest.mark.parametrize("detail", ["-q", "-v", "--all"])
def test_a_terminal_of_no_width_is_no_fault(
    citeproof: Program, bibliography: Path, columns: str, detail: str
) -> None:
    citeproof.environment["COLUMNS"] = columns
    done = citeproof("verify", bibliography, detail)
    assert done.returncode == 3, "one entry is broken"
    assert "fault of citeproof" not in done.stderr
