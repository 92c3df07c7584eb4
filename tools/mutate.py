"""Change the program in small ways, and list the changes that its tests do not notice.

``make mutate PKG=readers`` runs it. A *mutant* is the program with one change: ``<`` becomes
``<=``, ``and`` becomes ``or``, a number grows, a statement is left out. The tests of the mutated
module run first, then those of its packages and its scenarios. A mutant that no test notices
*survives*: either a test is missing, or the change makes no difference.

The mutants are drawn by chance, the same ones for the same ``--seed``.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "citeproof"
_SCENARIOS = {
    "readers": ("formats/test_data.py",),
    "verification": ("verdict", "replay/test_museum.py"),
}
"""Map from a package to the scenarios below ``tests/scenarios`` that run last on its mutants."""
_PATIENCE = 300  # seconds after which the tests of a mutant are stopped; it is then noticed
_SWAPPED: dict[type[Any], type[Any]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
}
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """One change of a module."""

    path: Path
    line: int
    before: str
    after: str
    text: str  # the whole module, changed

    def __str__(self) -> str:
        """Return the place and the change."""
        place = f"{self.path.relative_to(ROOT)}:{self.line}"
        return f"{place}: {' '.join(self.before.split())}  ->  {' '.join(self.after.split())}"


def changed(node: ast.AST) -> Iterator[str]:
    """Yield source texts that may replace the ``node``."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPPED:
        swapped = ast.Compare(
            node.left, [_SWAPPED[type(node.ops[0])](), *node.ops[1:]], node.comparators
        )
        yield f"({ast.unparse(swapped)})"
    elif isinstance(node, ast.BoolOp):
        yield f"({ast.unparse(ast.BoolOp(_SWAPPED[type(node.op)](), node.values))})"
        for left_out in range(len(node.values)):
            kept = [value for place, value in enumerate(node.values) if place != left_out]
            yield f"({ast.unparse(ast.BoolOp(node.op, kept) if len(kept) > 1 else kept[0])})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield f"bool({ast.unparse(node.operand)})"
    elif isinstance(node, ast.IfExp):
        yield f"({ast.unparse(ast.IfExp(node.test, node.orelse, node.body))})"
    elif isinstance(node, ast.BinOp) and type(node.op) in _SWAPPED:
        if not any(isinstance(each, ast.JoinedStr) for each in ast.walk(node)):
            yield f"({ast.unparse(ast.BinOp(node.left, _SWAPPED[type(node.op)](), node.right))})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield repr(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield repr(node.value + 1 if abs(node.value) <= 2 else 2 * node.value)
    elif isinstance(node, ast.Name) and node.id in _NAMES and isinstance(node.ctx, ast.Load):
        yield _NAMES[node.id]
    elif isinstance(node, ast.Break | ast.Continue | ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield "pass"


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every change of the module ``path``. Annotations and assertions are left alone."""
    data = path.read_bytes()
    starts = [0]
    for row in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    waiting: list[ast.AST] = [ast.parse(data)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.arg | ast.Assert | ast.Raise | ast.JoinedStr):
            continue
        for name, value in ast.iter_fields(node):
            if name not in {"annotation", "returns", "decorator_list", "bases"}:
                children = value if isinstance(value, list) else [value]
                waiting += [child for child in children if isinstance(child, ast.AST)]
        if isinstance(node, ast.expr | ast.stmt) and node.end_lineno and node.end_col_offset:
            begin = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            for after in changed(node):
                text = data[:begin] + after.encode() + data[end:]
                before = data[begin:end].decode()
                yield Mutant(path, node.lineno, before, after, text.decode())


def nearest(path: Path) -> list[Path]:
    """Return the unit tests of the module ``path``, then those of its package, of the packages
    around it, and scenarios.
    """
    relative = path.relative_to(SOURCE)
    folder, name = ROOT / "tests" / relative.parent, relative.stem.strip("_")
    found = sorted(folder.glob(f"test_{name}.py")) + sorted(folder.glob(f"test_{name}_*.py"))
    found += sorted((folder / name).rglob("test_*.py"))
    while folder != ROOT / "tests":
        found += sorted(folder.rglob("test_*.py"))
        folder = folder.parent
    scenarios = _SCENARIOS.get(relative.parts[0], ())
    found += [ROOT / "tests" / "scenarios" / scenario for scenario in scenarios]
    return list(dict.fromkeys(found)) or [folder]


def survives(mutant: Mutant, copy: Path) -> bool:
    """Return whether the tests pass with the mutant, written into a ``copy`` of ``src``."""
    target = copy / "citeproof" / mutant.path.relative_to(SOURCE)
    target.write_text(mutant.text, "utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-m", "not slow and not accuracy"]
    command += ["-p", "no:cacheprovider", *map(str, nearest(mutant.path))]
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            timeout=_PATIENCE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        return done.returncode == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        shutil.copyfile(mutant.path, target)


def main() -> None:
    """Print the mutants of a package that survive, and their share."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("package", help="a package or module, such as readers/strings")
    parser.add_argument("--count", type=int, default=100, help="number of mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    named = SOURCE / given.package
    modules = sorted(named.rglob("*.py")) or [named.with_suffix(".py")]
    every = [mutant for path in modules for mutant in mutants(path)]
    drawn = random.Random(given.seed).sample(every, min(given.count, len(every)))
    copies: SimpleQueue[Path] = SimpleQueue()
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.jobs):
            copies.put(Path(shutil.copytree(SOURCE.parent, Path(folder) / str(number))))

        def tried(mutant: Mutant) -> bool:
            copy = copies.get()
            try:
                return survives(mutant, copy)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(given.jobs) as pool, suppress(KeyboardInterrupt):
            for mutant, survived in zip(drawn, pool.map(tried, drawn), strict=True):
                survivors += survived
                if survived:
                    print(mutant, flush=True)
    print(
        f"{survivors} of {len(drawn)} mutants survive ({survivors / max(1, len(drawn)):.0%}),"
        f" drawn from {len(every):,} of {given.package}"
    )


if __name__ == "__main__":
    main()
