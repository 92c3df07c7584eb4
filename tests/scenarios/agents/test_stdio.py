"""``citeproof mcp`` as a child process, over standard input and output."""

from __future__ import annotations

import json
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
def test_mcp_serves_every_tool(citeproof: Program) -> None:
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "citeproof", "mcp", "--no-cache"],
        env=citeproof.environment,
    )

    async def ask() -> dict[str, str]:
        async with Client(parameters) as client:
            return await every_tool(client)

    assert anyio.run(ask) == ESSENTIAL


def test_mcp_ends_with_its_input(citeproof: Program) -> None:
    done = citeproof("mcp", "--no-cache", stdin="")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith(
        "citeproof: No database was named, so the built-in sample answered."
    )


def test_mcp_without_the_sdk_says_what_to_install(citeproof: Program) -> None:
    program = (
        "import sys\n"
        "sys.modules.update(mcp=None)\n"
        "sys.argv = ['citeproof', 'mcp']\n"
        "from citeproof.cli.main import run\n"
        "run()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=citeproof.folder,
        env=citeproof.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    expected = (
        f"citeproof: citeproof mcp needs the package mcp: {sys.executable} -P -m pip install"
        ' "mcp>=2.0"\n'
    )
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
def test_mcp_refuses_bad_options_in_one_line(
    citeproof: Program, arguments: list[str], says: str
) -> None:
    done = citeproof("mcp", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        ("no JSON", None, -32700),
        ("[1, 2", None, -32700),
        ('{"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": [1]}', 7, -32600),
        ('{"id": "a", "method": 5}', "a", -32600),
        ("42", None, -32600),
    ],
)
def test_mcp_responds_to_an_invalid_line(
    citeproof: Program, line: str, number: str | int | None, code: int
) -> None:
    done = citeproof("mcp", "--no-cache", stdin=f"{line}\n")
    assert done.returncode == 0
    (answer,) = map(json.loads, done.stdout.splitlines())
    assert (answer["id"], answer["error"]["code"]) == (number, code)
