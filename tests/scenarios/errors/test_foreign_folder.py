"""Python files in the folder of somebody else's paper, which must never run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

if TYPE_CHECKING:
    from tests.program import Program

ROOT = Path(__file__).parents[3]
INSTALLED = "from citeproof.cli.main import run\nif __name__ == '__main__':\n    run()\n"
"""What the command ``citeproof`` of an installation does."""


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """Return a folder with a module for each name that Python may import; each leaves a trace."""
    folder = tmp_path / "clone"
    folder.mkdir()
    trace = f"open({str(folder / 'trace')!r}, 'a').write(__name__ + chr(10))\n"
    for name in {
        *sys.stdlib_module_names,
        "pip",
        "numpy",
        "apsw",
        "rich",
        "pypdfium2",
        "citeproof",
    }:
        (folder / f"{name}.py").write_text(trace)
    shutil.copy(ROOT / "tests" / "data" / "formats" / "pdf" / "sample.pdf", folder / "paper.pdf")
    entries = (f"@misc{{k{n}, author={{A. Lamb}}, title={{On Sheep {n}}}}}" for n in range(600))
    (folder / "refs.bib").write_text("\n".join(entries))
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "paper.pdf"],
        ["verify", "refs.bib", "--processes", "2", "-q"],
        ["screen", "refs.bib", "-o", "results", "--processes", "2"],
        ["serve", "--port", "0", "--workers", "2"],
    ],
    ids=" ".join,
)
def test_no_python_file_of_the_working_folder_runs(
    citeproof: Program, planted: Path, tmp_path: Path, arguments: list[str]
) -> None:
    script = tmp_path / "citeproof-script"
    script.write_text(INSTALLED)
    with subprocess.Popen(
        [sys.executable, str(script), *arguments],
        cwd=planted,
        env=citeproof.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout
        if arguments[0] == "serve":
            while "startup complete" not in (line := process.stdout.readline()):
                assert line, "the service ended"
            process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=60)[0]
    assert not (planted / "trace").exists(), said
    assert process.returncode in {0, 1}, said


def test_the_action_installs_without_python_files_of_the_pull_request(
    citeproof: Program, planted: Path
) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    (install,) = (step["run"] for step in action["runs"]["steps"] if "pip" in step.get("run", ""))
    programs = planted.parent / "bin"
    programs.mkdir()
    (programs / "python").symlink_to(sys.executable)
    environment = citeproof.environment | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_ACTION_PATH": str(planted / "missing"),
    }
    subprocess.run(["bash", "-c", install], cwd=planted, env=environment, check=False)
    assert not (planted / "trace").exists()
