"""``docs/ARCHITECTURE.md`` names every package and top-level module, and nothing that does not
exist.
"""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "citeproof"
PAGE = (ROOT / "docs" / "ARCHITECTURE.md").read_text("utf-8")
NAMED = re.findall(r"^\| `([\w/.]+)` \| .", PAGE.partition("## The packages")[2], re.MULTILINE)


def test_every_package_and_top_level_module_has_one_line() -> None:
    packages = {f"{init.parent.relative_to(SOURCE)}/" for init in SOURCE.glob("*/**/__init__.py")}
    modules = {module.name for module in SOURCE.glob("*.py")}
    assert len(packages) > 20
    assert sorted(NAMED) == sorted(packages | modules)


def test_the_lines_stand_in_the_order_of_the_floors() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    floor_of = {
        name: floor for floor, layer in enumerate(layers) for name in re.findall(r"\w+", layer)
    }
    tops = [
        name.partition("/")[0].removesuffix(".py") for name in NAMED if not name.startswith("__")
    ]
    assert len(tops) > 14
    floors = [floor_of[top] for top in tops]
    assert floors == sorted(floors)


def test_what_the_text_names_exists() -> None:
    paths = set(re.findall(r"`([\w/]+(?:/|\.py))`", PAGE))
    assert {"model/", "verification/pipeline.py"} <= paths
    assert [path for path in sorted(paths) if not (SOURCE / path).exists()] == []
