"""``citeproof mcp`` as an agent starts it: a process of its own, over standard input and output."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import anyio
import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")
from mcp import Client, StdioServerParameters

from tests.agents.conversation import ESSENTIAL, every_tool

if TYPE_CHECKING:
    from tests.program import Program


@pytest.mark.slow
def test_an_agent_starts_it_and_asks_every_tool(citeproof: Program) -> None:
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "citeproof", "mcp", "--no-cache"], env=citeproof.environment
    )

    async def ask() -> dict[str, str]:
        async with Client(parameters) as client:
            return await every_tool(client)

    assert anyio.run(ask) == ESSENTIAL


def test_it_ends_when_its_input_ends(citeproof: Program) -> None:
    done = citeproof("mcp", "--no-cache", stdin="")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("citeproof: No database was named, so the built-in sample answered.")


def test_without_the_sdk_one_line_says_what_to_install(citeproof: Program) -> None:
    program = (
        "import sys\n"
        "sys.modules.update(mcp=None)\n"
        "sys.argv = ['citeproof', 'mcp']\n"
        "from citeproof.cli.main import run\n"
        "run()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=citeproof.folder, env=citeproof.environment,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    expected = "citeproof: citeproof mcp needs the package mcp: in citeproof's folder, pip install '.[mcp]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--bib-db", "missing.db"], "missing.db: no such file"),
        (["--port", "99999", "--http"], "99999"),
        (["--sources", "crossref"], "No such option"),
        (["something"], "unexpected extra argument"),
    ],
)
def test_what_cannot_be_started_says_why_in_one_line(citeproof: Program, arguments: list[str], says: str) -> None:
    done = citeproof("mcp", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
