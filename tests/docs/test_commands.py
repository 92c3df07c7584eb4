"""Every command that the documentation shows exists: citeproof's with its options, make's targets,
Python modules.
"""

import importlib
import importlib.util
import re
import shlex
from pathlib import Path

import click
import pytest

from citeproof.cli.main import COMMANDS, load
from citeproof.cli.screen import ScreenGroup

ROOT = Path(__file__).parents[2]
PAGES = [
    page
    for page in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
    if page.stem != "CHANGELOG"
]
"""The changelog also names what is no more."""
CODE = re.compile(
    r"^```\w*\n(.*?)^```|(?<!`)`((?:[^`\n]|\n(?!\n))+)`(?!`)", re.MULTILINE | re.DOTALL
)
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def shown(first: str) -> list[tuple[str, list[str]]]:
    """Return the commands that begin with the words ``first``, each with its page and its further
    words.
    """
    found = []
    for page in PAGES:
        for block, inline in CODE.findall(page.read_text("utf-8")):
            for line in re.sub(r"\\\n\s*", " ", block or inline.replace("\n", " ")).splitlines():
                words = _words(line)
                if words[: len(first.split())] == first.split():
                    found.append((page.name, words[len(first.split()) :]))
    return found


def _words(line: str) -> list[str]:
    """Return the words of a line of a shell up to a comment, a pipe or a redirection."""
    line = re.split(r"\s#|\s[|>]|&&", line.strip().removeprefix("$ "))[0]
    try:
        words = shlex.split(line)
    except ValueError:
        return []
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words.pop(0)
    return words


def _ids(command: tuple[str, list[str]]) -> str:
    return f"{command[0]}: {' '.join(command[1])}"


CITEPROOF = [command for command in shown("citeproof") if command[1]]
MAKE = [command for command in shown("make") if command[1] and "=" not in command[1][0]]
MODULES = [
    command
    for command in shown("python -m")
    if command[1][0].split(".")[0] in {"benchmarks", "tests"}
]


@pytest.mark.parametrize("command", CITEPROOF, ids=_ids)
def test_citeproof_has_it(command: tuple[str, list[str]]) -> None:
    name, *words = command[1]
    if name.startswith("-"):
        assert name in {"--help", "--version", "-h"}
        return
    assert name in COMMANDS
    loaded = load(name)
    if isinstance(loaded, ScreenGroup) and words and words[0] not in loaded.commands:
        words = ["run", *words]
    if isinstance(loaded, click.Group) and words:
        assert words[0] in loaded.commands
        loaded, words = loaded.commands[words[0]], words[1:]
    known = {option for part in loaded.params for option in part.opts} | {"--help", "-h"}
    used = {word.strip("[]").split("=")[0] for word in words if re.match(r"\[?--?[a-z]", word)}
    assert used <= known


@pytest.mark.parametrize("command", MAKE, ids=_ids)
def test_make_has_it(command: tuple[str, list[str]]) -> None:
    assert {word for word in command[1] if "=" not in word} <= TARGETS


@pytest.mark.parametrize("command", MODULES, ids=_ids)
def test_the_module_exists(command: tuple[str, list[str]]) -> None:
    assert importlib.util.find_spec(command[1][0])


def test_the_pages_show_commands_of_every_kind() -> None:
    """Guards the tests above: a pattern that found nothing would pass them all."""
    assert {command[1][0] for command in CITEPROOF} >= set(COMMANDS)
    assert len(MAKE) >= 5
    assert len(MODULES) >= 5


def test_a_command_that_is_broken_across_lines_is_whole() -> None:
    (match,) = CODE.findall("See `citeproof verify refs.bib\n--quiet` and\n\n``a`b`` or `c\n\nd`.")
    assert match == ("", "citeproof verify refs.bib\n--quiet")
    assert ["verify", "references.bib", "--quiet", "--fail-on", "invalid"] in [
        words for _, words in CITEPROOF
    ]
