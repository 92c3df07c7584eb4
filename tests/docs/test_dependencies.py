"""Every dependency is justified in ``docs/dependencies.md``."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
DECLARED = [
    *PROJECT["project"]["dependencies"],
    *(name for extra in PROJECT["project"]["optional-dependencies"].values() for name in extra),
    *PROJECT["dependency-groups"]["dev"],
]
NAMES = sorted({re.split(r"[\[<>=!~ ;]", name)[0] for name in DECLARED})


@pytest.mark.parametrize("name", NAMES)
def test_it_has_a_row_with_licence_and_reason(name: str) -> None:
    rows = (ROOT / "docs" / "dependencies.md").read_text("utf-8").splitlines()
    assert any(re.search(rf"\b{re.escape(name)}\b", row) for row in rows if row.startswith("|"))


@pytest.mark.parametrize("name", NAMES)
def test_it_is_pinned_for_the_tests(name: str) -> None:
    pins = (ROOT / "constraints.txt").read_text("utf-8").lower()
    assert re.search(rf"^{re.escape(name.lower())}==", pins, re.MULTILINE)


def test_the_pins_name_no_download_host() -> None:
    assert "://" not in (ROOT / "constraints.txt").read_text("utf-8")
