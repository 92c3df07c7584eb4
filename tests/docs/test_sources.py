"""Every source, engine and online setting stands in ``docs/sources.md``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.net.service import Access
from citeproof.online.coverage import COVERAGES
from citeproof.online.registry import SOURCES
from citeproof.settings import SETTINGS
from citeproof.websearch.registry import ENGINES

if TYPE_CHECKING:
    from citeproof.models import Coverage
    from citeproof.net.pace import Pace

PAGE = (Path(__file__).parents[2] / "docs" / "sources.md").read_text("utf-8")
ROWS = {line.split("`")[1]: line for line in PAGE.splitlines() if line.startswith("| `")}
FOLDERS = Path(__file__).parents[2] / "src" / "citeproof"
HELPERS = {"__init__", "coverage", "identifiers", "registry", "source", "works", "engine", "hit"}
ONLINE_SETTINGS = [
    name
    for name in SETTINGS
    if name.startswith(("llm_", "searxng_")) or name in {"contact", "sources", "max_age", "offline", "source_urls"}
]


@pytest.mark.parametrize("name", [*SOURCES, *ENGINES, *ONLINE_SETTINGS])
def test_it_is_documented(name: str) -> None:
    assert name in ROWS or f"`{name}`" in PAGE


@pytest.mark.parametrize(("folder", "registry"), [("online", SOURCES), ("websearch", ENGINES)])
def test_each_file_is_registered(folder: str, registry: dict[str, type]) -> None:
    files = {path.stem for path in (FOLDERS / folder).glob("*.py")} - HELPERS
    assert files == set(registry)


@pytest.mark.parametrize(("folder", "registry"), [("online", SOURCES), ("websearch", ENGINES)])
def test_each_is_held_apart_from_its_siblings(folder: str, registry: dict[str, type]) -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    assert registry
    assert [name for name in registry if f'"citeproof.{folder}.{name}"' not in project] == []


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("access", [Access(), Access("", "key", "me@example.org")])
def test_the_stated_pace_is_the_real_one(name: str, access: Access) -> None:
    unused: Any = None
    service = SOURCES[name](unused, unused, access).service(access)
    assert service.paces
    for pace in service.paces.values():
        assert _in_words(pace) in ROWS[name].split("|")[4]


def _in_words(pace: Pace) -> str:
    return f"{pace.requests}" if pace.seconds == 1 else f"{pace.requests} in {pace.seconds:.0f} seconds"


@pytest.mark.parametrize("coverage", COVERAGES, ids=lambda coverage: coverage.kind)
def test_whom_a_miss_needs_is_documented(coverage: Coverage) -> None:
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| {coverage.kind} |")]
    assert row.split(" | ")[1] == (", ".join(f"`{name}`" for name in coverage.sources) or "none")


@pytest.mark.parametrize("name", [name for name in SETTINGS if name.endswith("_key")])
def test_each_key_is_documented(name: str) -> None:
    assert f"`{name}`" in PAGE
