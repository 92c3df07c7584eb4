"""The tests stand where CONTRIBUTING says: unit files mirror ``src``, behaviour files are in
``tests/scenarios``.
"""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src" / "citeproof"
ELSEWHERE = {"scenarios", "docs", "accuracy"}
"""Folders whose tests are of no one module."""
EXCEPTIONS = {
    "online/net/test_tls.py": "the client, its transport and a real server together",
}
"""Unit files that mirror no module, and what they are of."""
UNITS = [
    path.relative_to(TESTS).as_posix()
    for path in sorted(TESTS.rglob("test_*.py"))
    if path.relative_to(TESTS).parts[0] not in ELSEWHERE
]


def modules(unit: str) -> list[Path]:
    """Return the modules that a unit file may be of.

    ``read/test_papers.py`` is of ``read/papers.py`` or of the package ``read/papers``, and
    ``read/test_init.py`` of the package ``read`` itself. ``read/test_papers_folders.py`` may be of
    ``read/papers.py``: a part of it, as is ``read/test_init_names.py`` of ``read``.
    """
    folder, name = SOURCE / Path(unit).parent, Path(unit).stem.removeprefix("test_")
    words = name.split("_")
    if words[0] == "init":
        return [folder / "__init__.py"]
    names = ["_".join(words[:count]) for count in range(len(words), 0, -1)]
    return [
        path for name in names for path in (folder / f"{name}.py", folder / name / "__init__.py")
    ]


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit not in EXCEPTIONS])
def test_a_unit_file_mirrors_a_module(unit: str) -> None:
    assert any(path.is_file() for path in modules(unit)), (
        f"{unit}: name it after its module in src/citeproof, or move it to tests/scenarios/SURFACE"
    )


def test_every_module_with_code_has_a_unit_file() -> None:
    """A module that only imports names or holds data needs none."""
    tested = {next(filter(Path.is_file, modules(unit)), None) for unit in UNITS}
    missing = [
        path.relative_to(SOURCE).as_posix()
        for path in sorted(SOURCE.rglob("*.py"))
        if path not in tested and defines_code(path)
    ]
    assert missing == []


def defines_code(path: Path) -> bool:
    """Return whether a module defines a function or a class."""
    tree = ast.parse(path.read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return any(isinstance(node, kinds) for node in ast.walk(tree))


def test_the_exceptions_exist_and_are_ones() -> None:
    mirroring = {unit for unit in EXCEPTIONS if any(path.is_file() for path in modules(unit))}
    assert set(EXCEPTIONS) - set(UNITS) == set()
    assert mirroring == set()


def test_behaviour_files_stand_in_a_folder_of_their_surface() -> None:
    scenarios = sorted((TESTS / "scenarios").rglob("test_*.py"))
    assert len(scenarios) >= 20
    assert [path.name for path in scenarios if len(path.relative_to(TESTS).parts) != 3] == []


def test_contributing_names_the_folders() -> None:
    page = (TESTS.parent / "CONTRIBUTING.md").read_text("utf-8")
    for folder in ELSEWHERE | {"data"}:
        assert re.search(rf"`tests/{folder}/", page), folder
