"""``citeproof --help`` loads nothing that a help text does not need."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "apsw", "fastapi", "httpx2", "jinja2", "numpy", "prometheus_client", "pydantic", "pydantic_settings",
    "pypdfium2", "rapidfuzz", "rich", "starlette", "uvicorn",
}  # fmt: skip


def modules_after(arguments: list[str]) -> set[str]:
    """Return the top-level modules that are loaded when ``citeproof`` ends."""
    program = (
        "import sys\n"
        f"sys.argv = ['citeproof', *{arguments!r}]\n"
        "from citeproof.cli.main import run\n"
        "try: run()\n"
        "except SystemExit: pass\n"
        "print('\\n' + ' '.join({name.partition('.')[0] for name in sys.modules}))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], []])
def test_help_and_version_are_light(arguments: list[str]) -> None:
    loaded = modules_after(arguments)
    assert "click" in loaded
    assert not loaded & HEAVY


def test_the_package_itself_is_light() -> None:
    program = "import sys, citeproof; print(' '.join({n.partition('.')[0] for n in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & (HEAVY | {"click"})
