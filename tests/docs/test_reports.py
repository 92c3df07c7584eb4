"""Every report of the folder can be asked for, and stands in ``docs/cli.md``."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

from citeproof.report.formats import REPORTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "cli.md").read_text("utf-8")
FILES = [
    module.name
    for module in pkgutil.iter_modules([str(ROOT / "src" / "citeproof" / "report" / "formats")])
]
RENDERING = {
    name
    for name in FILES
    if hasattr(importlib.import_module(f"citeproof.report.formats.{name}"), "render")
}


def test_each_file_with_the_common_shape_can_be_asked_for() -> None:
    assert set(REPORTS) == RENDERING


@pytest.mark.parametrize("name", sorted(RENDERING))
def test_it_is_documented(name: str) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| `--format NAME`"))
    assert re.search(rf"`{name}`", row)
