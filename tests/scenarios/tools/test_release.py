"""A release states one version everywhere."""

import re
import tomllib
from datetime import date
from pathlib import Path

import pytest

from citeproof import __version__
from tools.release import CHANGELOG, CITATION, FILES, PACKAGE, last_release, refusal, released

ROOT = Path(__file__).parents[3]
LOG = """\
# Changelog

## Unreleased

### Added
* A thing.
* The version is 0.3.0.dev0 until the release.

## 0.2.0 - 2026-11-21
* The first.
"""


@pytest.mark.parametrize(
    ("version", "log", "says"),
    [
        ("0.3.0", LOG, ""),
        ("0.10.0", LOG, ""),
        ("0.2.0", LOG, "0.2.0 does not follow 0.2.0"),
        ("0.1.9", LOG, "0.1.9 does not follow 0.2.0"),
        ("v0.3.0", LOG, "'v0.3.0' is no version such as 0.2.0"),
        (
            "0.3.0",
            LOG.replace("* A thing.\n* The version is 0.3.0.dev0 until the release.\n", ""),
            "CHANGELOG.md has",
        ),
    ],
)
def test_refusal_says_why_a_version_cannot_be_released(version: str, log: str, says: str) -> None:
    assert refusal(version, log).startswith(says)
    assert bool(refusal(version, log)) == bool(says)


def test_released_writes_one_version_into_all_files() -> None:
    day = date(2026, 12, 1)
    # a release has nothing unreleased
    texts = {path: path.read_text("utf-8") for path in FILES} | {CHANGELOG: LOG}
    after = {path: released(path, text, "9.8.7", day) for path, text in texts.items()}
    assert '__version__ = "9.8.7"\n' in after[PACKAGE]
    assert "version: 9.8.7\ndate-released: 2026-12-01\n" in after[CITATION]
    assert last_release(after[CHANGELOG]) == ("9.8.7", "2026-12-01")
    assert "Unreleased" not in after[CHANGELOG].partition("## 9.8.7")[2].partition("\n## ")[0]
    assert "The version is" not in released(CHANGELOG, LOG, "9.8.7", day)


def test_last_release_is_the_version_that_citation_names_and_that_the_package_follows() -> None:
    version, day = last_release(CHANGELOG.read_text("utf-8"))
    assert f"version: {version}\ndate-released: {day}\n" in CITATION.read_text("utf-8")
    own, _, development = __version__.partition(".dev")
    assert own > version if development else own == version


def test_names_and_addresses_are_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    citation = CITATION.read_text("utf-8")
    assert f"title: {project['name']}\n" in citation
    assert f"abstract: {project['description']}\n" in citation
    assert all(f"  - name: {author['name']}\n" in citation for author in project["authors"])
    assert f"license: {project['license']}\n" in citation
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    named = {
        version
        for page in pages
        for version in re.findall(r"[@ ]v(\d+\.\d+\.\d+)", page.read_text("utf-8"))
    }
    assert named <= {__version__.partition(".dev")[0]}
    clones = {
        url
        for page in pages
        for url in re.findall(r"https://\S+/citeproof\.git", page.read_text("utf-8"))
    }
    assert len(clones) <= 1
