"""Where our builds get their parts from: each is pinned, and who publishes runs nothing else."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RELEASE: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
CONSTRAINTS = (ROOT / "constraints.txt").read_text()
PINNED = re.compile(r"^([\w.\[\],-]+)==([^ ;\\\n]+)", re.MULTILINE)


@pytest.mark.parametrize("path", [ROOT / "action.yml", *WORKFLOWS], ids=lambda path: path.name)
def test_actions_are_pinned_by_commit_with_their_version(path: Path) -> None:
    used = re.findall(r"uses: *(.+)", path.read_text())
    assert used
    assert [
        one for one in used if not re.fullmatch(r"\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)
    ] == []


def test_images_are_pinned_by_digest() -> None:
    images = re.findall(r"^FROM (\S+)", (ROOT / "deploy/Dockerfile").read_text(), re.MULTILINE)
    assert len(set(images)) == 1
    assert re.fullmatch(r"python:3\.\d+-slim@sha256:[0-9a-f]{64}", images[0])
    beside = re.findall(r"image: (\S+)", (ROOT / "deploy/compose.yaml").read_text())
    assert len(beside) == 2
    assert [one for one in beside if not re.search(r":\d+@sha256:[0-9a-f]{64}$", one)] == []


@pytest.mark.parametrize("path", ["deploy/Dockerfile", ".github/workflows/release.yml"])
def test_whatever_a_release_installs_has_a_hash_or_is_our_wheel(path: str) -> None:
    installs = re.findall(r"pip\"? install (.+)", (ROOT / path).read_text())
    assert len(installs) == 3
    for options in installs:
        assert "--require-hashes --only-binary :all:" in options or "--no-deps dist/" in options


@pytest.mark.parametrize("name", ["release", "requirements"])
def test_each_pinned_package_has_a_hash(name: str) -> None:
    text = (ROOT / "deploy" / f"{name}.txt").read_text()
    entries = re.split(r"\n(?=\S)", text.strip())
    assert len(entries) > 20
    assert [one for one in entries if not (PINNED.match(one) and "--hash=sha256:" in one)] == []


def test_the_pinned_versions_are_those_of_the_tests() -> None:
    pinned = dict(PINNED.findall((ROOT / "deploy/requirements.txt").read_text()))
    tested = dict(PINNED.findall(CONSTRAINTS))
    assert {name: tested.get(name) for name in pinned} == pinned


def test_only_jobs_that_publish_may_ask_for_an_identity_and_they_run_no_script() -> None:
    asking = {
        name: job
        for name, job in RELEASE["jobs"].items()
        if "id-token" in job.get("permissions", {})
    }
    assert set(asking) == {"attest", "pypi"}
    assert [step for job in asking.values() for step in job["steps"] if "run" in step] == []
    assert RELEASE["permissions"] == {"contents": "read"}


def test_workflows_ask_for_extras_that_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = re.findall(r"-e \"?\.\[([\w,]+)\]", "".join(path.read_text() for path in WORKFLOWS))
    assert asked
    assert set(asked[0].split(",")) <= set(project["optional-dependencies"])


def test_the_image_is_built_from_what_it_needs_alone() -> None:
    kept = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in kept
    assert {line[1:] for line in kept if line.startswith("!")} == {
        "src",
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "deploy/release.txt",
        "deploy/requirements.txt",
    }
