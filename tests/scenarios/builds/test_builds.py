"""What builds use: the pre-commit hook, the GitHub Action, and every command and recipe of
``docs/ci.md``.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from citeproof.cli.verify import FAIL_ON
from citeproof.database.building.sample import sample_database

if TYPE_CHECKING:
    from tests.program import Program

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
RECIPES: dict[str, Any] = {
    next(iter(recipe)): recipe
    for recipe in map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
}
"""The YAML blocks of the page by their first key."""
COMMANDS = sorted(set(re.findall(r"citeproof verify [^`'\n]+", PAGE)))


@pytest.fixture
def paper(citeproof: Program, tmp_path: Path, bibliography: Path) -> Path:
    """Return a folder with ``references.bib``, of which one entry is wrong and none is unreadable,
    and a database.
    """
    citeproof.environment["CITEPROOF_BIB_DB"] = str(sample_database(tmp_path / "database"))
    text = bibliography.read_text("utf-8").partition("@article{broken")[0]
    (tmp_path / "references.bib").write_text(text, encoding="utf-8")
    return tmp_path


def test_the_hook_has_what_pre_commit_asks_for() -> None:
    (hook,) = HOOKS
    assert {"id", "name", "entry", "language"} <= set(hook)
    names = ["a/refs.bib", "main.bbl", "x.ris", "main.tex", "bib.py"]
    assert [name for name in names if re.search(hook["files"], name)] == names[:3]


def test_the_hook_prints_problems_and_fails_as_it_is_told(citeproof: Program, paper: Path) -> None:
    (use,) = RECIPES["repos"]["repos"][0]["hooks"]
    assert use["id"] == HOOKS[0]["id"]
    program, *entry = shlex.split(HOOKS[0]["entry"])
    assert program == "citeproof"
    done = citeproof(*entry, "references.bib")
    assert done.returncode == 1
    assert re.findall(r"^. ([A-Z]+)", done.stdout, re.MULTILINE) == ["SUSPICIOUS"]
    assert citeproof(*entry, *use["args"], "references.bib").returncode == 0


def test_the_hook_requires_a_database(citeproof: Program, paper: Path) -> None:
    del citeproof.environment["CITEPROOF_BIB_DB"]
    done = citeproof(*shlex.split(HOOKS[0]["entry"])[1:], paper / "references.bib")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no bibliographic database, and one is required" in done.stderr
    assert "--require-database" in (ROOT / "deploy" / "action" / "check.sh").read_text("utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_runs(citeproof: Program, paper: Path, command: str) -> None:
    done = citeproof(*shlex.split(command)[1:])
    assert done.returncode == (0 if "--fail-on invalid" in command else 1), done.stderr
    output = re.search(r"-o (\S+)", command)
    assert (paper / output[1]).stat().st_size > 500 if output else done.stdout


def test_gitlab_finds_the_report_where_the_recipe_says(citeproof: Program, paper: Path) -> None:
    job = RECIPES["references"]["references"]
    citeproof(*shlex.split(job["script"][-1])[1:])
    report = paper / job["artifacts"]["reports"]["junit"]
    assert job["artifacts"]["paths"] == [report.name]
    assert ET.parse(report).getroot().get("failures") == "1"


def test_the_action_uses_only_inputs_and_steps_that_it_has() -> None:
    text = (ROOT / "action.yml").read_text("utf-8")
    steps = ACTION["runs"]["steps"]
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])
    assert set(re.findall(r"steps\.([\w-]+)\.", text)) == {
        step["id"] for step in steps if "id" in step
    }
    assert ACTION["inputs"]["fail-on"]["default"] in FAIL_ON
    scripts = [step["run"] for step in steps if "run" in step]
    assert len(scripts) == 4
    assert [script for script in scripts if "${{" in script] == [], (
        "what a user gives goes in as a variable"
    )
    for script in scripts:
        subprocess.run(["bash", "-n"], input=script.encode(), check=True)


def test_the_page_names_every_input_with_its_default() -> None:
    rows = dict(
        re.findall(
            r"^\| `([\w-]+)` \| `?([\w.]*)`? ?\|", PAGE.partition("## GitHub")[2], re.MULTILINE
        )
    )
    assert rows == {name: given.get("default", "") for name, given in ACTION["inputs"].items()}
    step = RECIPES["name"]["jobs"]["references"]["steps"][1]
    assert set(step["with"]) <= set(ACTION["inputs"])


@pytest.mark.slow
def test_the_action_annotates_sums_up_and_leaves_the_findings(
    citeproof: Program, paper: Path
) -> None:
    program = paper / "bin" / "citeproof"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m citeproof "$@"\n')
    program.chmod(0o755)
    environment = citeproof.environment | {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "FILES": "  references.bib \n\n",
        "OPTIONS": "--no-cache",
        "CITEPROOF_FAIL_ON": "suspicious",
        "RUNNER_TEMP": str(paper),
        "GITHUB_OUTPUT": str(paper / "output"),
        "GITHUB_STEP_SUMMARY": str(paper / "summary"),
    }
    bash = shutil.which("bash")
    assert bash
    done = subprocess.run(
        [bash, str(ROOT / "deploy" / "action" / "check.sh")],
        cwd=paper,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert re.findall(r"^::error file=([^,]+),line=(\d+)", done.stdout, re.MULTILINE) == [
        ("references.bib", "3")
    ]
    assert (paper / "summary").read_text("utf-8").startswith("# References\n")
    assert (paper / "output").read_text() == f"exit-code=1\nsarif={paper}/citeproof.sarif\n"
    (result,) = json.loads((paper / "citeproof.sarif").read_text("utf-8"))["runs"][0]["results"]
    assert result["ruleId"] == "year.off"
    environment["FILES"] = "missing.bib"
    done = subprocess.run(
        [bash, str(ROOT / "deploy" / "action" / "check.sh")],
        cwd=paper,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "missing.bib" in done.stderr


@pytest.mark.parametrize(
    ("base", "proposed"),
    [(("",), ("", "a")), ((), ("a",)), ((), ()), (("", "a"), ()), (("a",), ("", "b"))],
    ids=lambda folders: "+".join(folder or "root" for folder in folders) or "none",
)
def test_the_recipe_takes_accepted_entries_from_the_base_branch_only(
    tmp_path: Path, base: tuple[str, ...], proposed: tuple[str, ...]
) -> None:
    name = "citeproof.accepted.toml"
    repository = tmp_path / "repository"

    environment = os.environ | {"GITHUB_BASE_REF": "main"}
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{role}_NAME": "x", f"GIT_{role}_EMAIL": "x@example.org"}

    def run(*command: str, folder: Path = repository) -> None:
        subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)

    def commit(branch: str, folders: tuple[str, ...]) -> None:
        run("git", "checkout", "-q", "--orphan", branch)
        for old in repository.rglob(name):
            old.unlink()
        for folder in folders:
            (repository / folder).mkdir(exist_ok=True)
            (repository / folder / name).write_text(branch)
        run("git", "add", "-A")
        run("git", "commit", "-q", "--allow-empty", "-m", branch)

    run("git", "init", "-q", str(repository), folder=tmp_path)
    commit("main", base)
    commit("change", proposed)
    run("git", "clone", "-q", "--branch", "change", str(repository), "checkout", folder=tmp_path)
    checkout = tmp_path / "checkout"
    script = RECIPES["steps"]["steps"][1]["run"]
    run("bash", "-e", "-c", script, folder=checkout)
    left = {str(path.relative_to(checkout)): path.read_text() for path in checkout.rglob(name)}
    assert left == {str(Path(folder, name)): "main" for folder in base}


@pytest.mark.parametrize("cached", [True, False])
def test_the_action_uses_a_database_of_an_earlier_run_if_the_dump_cannot_be_fetched(
    citeproof: Program, tmp_path: Path, cached: bool
) -> None:
    program = tmp_path / "bin" / "citeproof"
    program.parent.mkdir()
    python = shlex.quote(sys.executable)
    barred = 'case "$*" in *download*) echo "citeproof: barred" >&2; exit 2;; esac'
    program.write_text(f'#!/bin/sh\n{barred}\nexec {python} -m citeproof "$@"\n')
    (program.parent / "python").symlink_to(sys.executable)
    program.chmod(0o755)
    environment = citeproof.environment | {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "SOURCE": "dblp",
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    if cached:
        target = tmp_path / "data" / "citeproof" / "dblp.db"
        target.parent.mkdir(parents=True)
        sample_database(tmp_path / "database").rename(target)
    script = ROOT / "deploy" / "action" / "database.sh"
    done = subprocess.run(
        ["bash", str(script)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    said = r"::warning::.* is used: dblp of \d{4}-\d\d-\d\d, -?\d+ days old\."
    assert done.returncode == (0 if cached else 2)
    assert bool(re.fullmatch(said, done.stdout.strip())) == cached
