"""A release states one version everywhere."""

import re
import tomllib
from datetime import date
from pathlib import Path

import pytest

from citeproof import __version__
from tools.release import (
    CHANGELOG,
    CITATION,
    FILES,
    NOWHERE,
    PACKAGE,
    PUBLISHED,
    last_release,
    refusal,
    released,
    stated_address,
)

ROOT = Path(__file__).parents[3]
ADDRESS = "https://host.example/owner/citeproof"
LOG = """\
# Changelog

## Unreleased

### Added
* A thing.

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
            LOG.replace("* A thing.\n", ""),
            "CHANGELOG.md has",
        ),
    ],
)
def test_refusal_says_why_a_version_cannot_be_released(version: str, log: str, says: str) -> None:
    assert refusal(version, log, ADDRESS).startswith(says)
    assert bool(refusal(version, log, ADDRESS)) == bool(says)


@pytest.mark.parametrize("address", ["", "github.com/owner/citeproof", "https://host"])
def test_refusal_names_an_address_that_is_none(address: str) -> None:
    assert refusal("0.3.0", LOG, address).startswith(f"{address!r} is no address")


def test_released_writes_one_version_into_all_files() -> None:
    day = date(2026, 12, 1)
    # a release has nothing unreleased
    texts = {path: path.read_text("utf-8") for path in FILES} | {CHANGELOG: LOG}
    after = {path: released(path, text, "9.8.7", day, ADDRESS) for path, text in texts.items()}
    assert '__version__ = "9.8.7"\n' in after[PACKAGE]
    assert "version: 9.8.7\ndate-released: 2026-12-01\n" in after[CITATION]
    assert last_release(after[CHANGELOG]) == ("9.8.7", "2026-12-01")
    assert "Unreleased" not in after[CHANGELOG].partition("## 9.8.7")[2].partition("\n## ")[0]
    whole = "".join(after.values())
    address = ADDRESS if stated_address() == NOWHERE else stated_address()
    assert NOWHERE not in whole
    assert whole.count(f"{address}.git") == 2
    assert f'Repository = "{address}"\n' in whole
    assert [said for said in PUBLISHED if said in whole] == []
    assert [said for said in PUBLISHED.values() if said not in whole] == []


def test_released_without_an_address_leaves_how_the_pages_say_to_install() -> None:
    texts = {path: path.read_text("utf-8") for path in FILES}
    after = {
        path: released(path, text, "9.8.7", date(2026, 12, 1), NOWHERE)
        for path, text in texts.items()
    }
    assert {path for path in FILES if after[path] != texts[path]} <= {PACKAGE, CITATION, CHANGELOG}
    assert '__version__ = "9.8.7"\n' in after[PACKAGE]


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
    assert clones == {f"{project['urls']['Repository']}.git"}
    assert f"repository-code: {project['urls']['Repository']}\n" in citation
