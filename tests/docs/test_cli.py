"""Every command and option is documented."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from citeproof.cli.main import COMMANDS, load

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "verify": "cli.md",
    "accept": "cli.md",
    "lookup": "cli.md",
    "search": "cli.md",
    "fix": "cli.md",
    "explain": "cli.md",
    "replay": "cli.md",
    "dossier": "cli.md",
    "db": "cli.md",
    "serve": "operations.md",
    "sources": "sources.md",
    "mcp": "agents.md",
    "lsp": "editors.md",
    "screen": "screening.md",
}


def options() -> Iterator[tuple[str, str]]:
    for name in COMMANDS:
        command = load(name)
        for part in command.commands.values() if isinstance(command, click.Group) else [command]:
            for parameter in part.params:
                if isinstance(parameter, click.Option):
                    yield name, parameter.opts[0]


@pytest.mark.parametrize(("command", "option"), sorted(set(options())))
def test_the_option_is_on_the_command_s_page(command: str, option: str) -> None:
    assert re.search(rf"(?<![\w-]){option}(?![\w-])", (DOCS / PAGES[command]).read_text("utf-8"))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_is_in_the_overview(command: str) -> None:
    assert f"`citeproof {command}" in (DOCS / "cli.md").read_text("utf-8")


def test_every_extra_is_named() -> None:
    extras = set(
        tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"][
            "optional-dependencies"
        ]
    )
    page = (DOCS / "cli.md").read_text("utf-8").partition("## Extras")[2]
    assert set(re.findall(r"(?m)^\| `(\w+)` \|", page)) == extras


def test_builds_ask_for_extras_that_exist() -> None:
    root = DOCS.parent
    with (root / "pyproject.toml").open("rb") as file:
        extras = set(tomllib.load(file)["project"]["optional-dependencies"])
    builds = [root / "Makefile", root / "action.yml", *(root / ".github").rglob("*.yml")]
    builds += [path for path in (root / "deploy").rglob("*") if path.is_file()]
    asked = {
        extra
        for path in builds
        for names in re.findall(r"""install [^\n]*['"]\.\[([\w,]+)\]""", path.read_text("utf-8"))
        for extra in names.split(",")
    }
    assert asked == extras
