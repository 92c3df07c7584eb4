"""Without the packages of any extra, every command works as far as it can, and says what is
missing.
"""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.cli.main import COMMANDS
from tests.readers.formats.pdf.typeset import column, pdf

if TYPE_CHECKING:
    from tests.program import Program

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))[
    "project"
]
EXTRAS = {
    re.split(r"[\[<>=!~ ;]", requirement)[0].replace("-", "_")
    for extra in PROJECT["optional-dependencies"].values()
    for requirement in extra
}


def run(citeproof: Program, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``citeproof`` as if the packages of the extras were not there."""
    program = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({sorted(EXTRAS)!r}))\n"
        f"sys.argv = ['citeproof', *{arguments!r}]\n"
        "from citeproof.cli.main import run\n"
        "run()\n"
    )
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=citeproof.folder,
        env=citeproof.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_there_are_packages_to_leave_out() -> None:
    assert {"mcp", "pygls", "pyarrow", "psycopg"} <= EXTRAS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_help(citeproof: Program, command: str) -> None:
    done = run(citeproof, command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: citeproof {command} ")


@pytest.mark.parametrize(("command", "packages"), [("mcp", '"mcp>='), ("lsp", '"pygls>=')])
def test_a_missing_extra_is_installed_by_the_command_that_the_error_names(
    citeproof: Program, command: str, packages: str
) -> None:
    done = run(citeproof, command)
    assert (done.returncode, done.stdout) == (2, "")
    needs, _, installs = done.stderr.partition(": " + sys.executable)
    assert re.fullmatch(rf"citeproof: citeproof {command} needs the package \w+", needs)
    assert re.fullmatch(rf" -P -m pip install {packages}[^ ]*\n", installs)


def test_a_pdf_is_read_and_the_sources_are_listed(citeproof: Program, tmp_path: Path) -> None:
    done = run(citeproof, "sources")
    assert (done.returncode, done.stderr) == (0, "")
    assert "crossref" in done.stdout
    (tmp_path / "paper.pdf").write_bytes(
        pdf([column(["References", "[1] A. Winter. A walk in the park. Annals, 2001."])])
    )
    (tmp_path / "refs.yaml").write_text("references:\n- id: a\n  title: A walk in the park\n")
    done = run(
        citeproof,
        "verify",
        str(tmp_path / "paper.pdf"),
        str(tmp_path / "refs.yaml"),
        "--format",
        "csv",
    )
    assert [row["cited_title"] for row in csv.DictReader(io.StringIO(done.stdout))] == [
        "A walk in the park"
    ] * 2
