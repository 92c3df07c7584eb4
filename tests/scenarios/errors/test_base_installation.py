"""Without the packages of any extra, every command works as far as it can, and says what is missing."""

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

if TYPE_CHECKING:
    from tests.program import Program

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]
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
        cwd=citeproof.folder, env=citeproof.environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_there_are_packages_to_leave_out() -> None:
    assert "httpx2" in EXTRAS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_help(citeproof: Program, command: str) -> None:
    done = run(citeproof, command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: citeproof {command} ")


def test_the_sources_are_listed(citeproof: Program) -> None:
    done = run(citeproof, "sources")
    assert (done.returncode, done.stderr) == (0, "")
    assert "crossref" in done.stdout


def test_checking_them_says_what_is_missing(citeproof: Program) -> None:
    done = run(citeproof, "sources", "--check")
    assert done.returncode == 2
    assert "pip install '.[online]'" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_a_bibliography_is_checked(citeproof: Program, bibliography: Path) -> None:
    done = run(citeproof, "verify", str(bibliography), "--enable-online", "--format", "csv")
    assert done.returncode == 3
    assert len(list(csv.reader(io.StringIO(done.stdout)))) == 5
    assert "pip install '.[online]'" in done.stderr
