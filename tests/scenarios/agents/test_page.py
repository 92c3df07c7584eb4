"""The example of docs/agents.md with three invented references."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")
from mcp import Client

import citeproof
from citeproof.agents.server import build_server

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE = (Path(__file__).parents[3] / "docs" / "agents.md").read_text("utf-8")
REFERENCES, SAID = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)


def fits(line: str, shown: str) -> bool:
    return bool(re.fullmatch(r"\S*".join(map(re.escape, shown.split("..."))), line))


def test_verify_references_returns_the_text_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    async def ask() -> Sequence[str]:
        with citeproof.open_session(no_cache=True) as session:
            async with Client(build_server(session)) as client:
                result = await client.call_tool("verify_references", {"references": REFERENCES})
                return getattr(result.content[0], "text", "").splitlines()

    said, shown = anyio.run(ask), SAID.splitlines()
    assert len(shown) > 10
    assert [
        (line, expected)
        for line, expected in zip(said, shown, strict=True)
        if not fits(line, expected)
    ] == []


def test_page_names_every_tool() -> None:
    with citeproof.open_database() as database:
        server = build_server(citeproof.Session.over(database))
        names = [tool.name for tool in anyio.run(server.list_tools)]
    assert len(names) == 5
    assert [name for name in names if f"| `{name}` |" not in PAGE] == []
