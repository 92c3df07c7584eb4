"""Every source, engine and online setting stands in ``docs/sources.md``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.online.coverage import COVERAGES
from citeproof.online.net.service import Access
from citeproof.online.search_engines import ENGINES
from citeproof.online.source import Source
from citeproof.online.sources import SOURCES, catalogues, registrars
from citeproof.settings import SETTINGS

if TYPE_CHECKING:
    from citeproof.model.findings import Coverage
    from citeproof.online.net.service import Pace

PAGE = (Path(__file__).parents[2] / "docs" / "sources.md").read_text("utf-8")
ROWS = {line.split("`")[1]: line for line in PAGE.splitlines() if line.startswith("| `")}
ONLINE_SETTINGS = [
    name
    for name in SETTINGS
    if name.startswith(("llm_", "searxng_"))
    or name in {"contact", "sources", "max_age", "offline", "source_urls"}
]


@pytest.mark.parametrize("name", [*SOURCES, *ENGINES, *ONLINE_SETTINGS])
def test_it_is_documented(name: str) -> None:
    assert name in ROWS or f"`{name}`" in PAGE


def test_each_class_of_a_source_is_registered() -> None:
    classes = {
        name
        for file in (catalogues, registrars)
        for name in vars(file).values()
        if isinstance(name, type)
    }
    assert {one for one in classes if issubclass(one, Source) and one is not Source} == set(
        SOURCES.values()
    )


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("access", [Access(), Access("", "key", "me@example.org")])
def test_the_stated_pace_is_the_real_one(name: str, access: Access) -> None:
    unused: Any = None
    paces = SOURCES[name](unused, unused, access).paces(access)
    assert paces
    for pace in paces.values():
        assert _in_words(pace) in ROWS[name].split("|")[4]


def _in_words(pace: Pace) -> str:
    return (
        f"{pace.requests}"
        if pace.seconds == 1
        else f"{pace.requests} in {pace.seconds:.0f} seconds"
    )


@pytest.mark.parametrize("coverage", COVERAGES, ids=lambda coverage: coverage.kind)
def test_whom_a_miss_needs_is_documented(coverage: Coverage) -> None:
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| {coverage.kind} |")]
    assert row.split(" | ")[1] == (", ".join(f"`{name}`" for name in coverage.sources) or "none")


@pytest.mark.parametrize("name", [name for name in SETTINGS if name.endswith("_key")])
def test_each_key_is_documented(name: str) -> None:
    assert f"`{name}`" in PAGE
