"""Mutants are programs with one change, and the nearest tests of a module run first."""

import ast
from pathlib import Path

import pytest

from tools.mutate import ROOT, SOURCE, changed, mutants, nearest


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a < b", ["(a <= b)"]),
        ("a in b", ["(a not in b)"]),
        ("a and b", ["(a or b)", "(b)", "(a)"]),
        ("not a", ["bool(a)"]),
        ("a if b else c", ["(c if b else a)"]),
        ("a + b", ["(a - b)"]),
        ("f'a' + b", []),
        ("2", ["3"]),
        ("50", ["100"]),
        ("True", ["False"]),
        ("'text'", []),
        ("min", ["max"]),
    ],
)
def test_changed_yields_small_changes(before: str, after: list[str]) -> None:
    assert list(changed(ast.parse(before, mode="eval").body)) == after


def test_mutants_are_programs_with_one_change(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text('"""Ä."""\n\ndef f(a: int = 1) -> int:\n    assert a < 9\n    return a + 1\n')
    found = [(mutant.line, mutant.text.splitlines()[4]) for mutant in mutants(path)]
    assert sorted(found) == [
        (3, "    return a + 1"),
        (5, "    return (a - 1)"),
        (5, "    return a + 2"),
    ]


def test_nearest_of_a_module_are_its_own_then_those_of_its_package() -> None:
    own, *others = nearest(SOURCE / "readers" / "lists" / "entries.py")
    assert own == ROOT / "tests" / "readers" / "lists" / "test_entries.py"
    assert ROOT / "tests" / "readers" / "lists" / "test_sections.py" in others
    without = nearest(SOURCE / "readers" / "strings" / "venues.py")
    assert ROOT / "tests" / "readers" / "strings" / "test_orders.py" in without
