"""The file ``citeproof.accepted.toml``: what a person has accepted of the bibliographies in its folder.

One table an entry; everything else in the file, comments above all, stays as it is::

    [[accepted]]
    file = "refs.bib"
    key = "smith20"
    because = "a report of our own archive"
    on = 2026-11-22
    until = 2027-11-22
    content = "9f86d081884c7d65"
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, fields
from datetime import date
from typing import TYPE_CHECKING, Any

from citeproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

NAME = "citeproof.accepted.toml"
_TABLE = "accepted"
_HEADER = re.compile(rf"\s*\[\[\s*{_TABLE}\s*\]\]\s*(#.*)?$")
_ANY_HEADER = re.compile(r"\s*\[")
_FIRST_LINE = (
    "# What a person has checked, written by 'citeproof accept'. 'citeproof verify' lists it and does not count it.\n"
)


@dataclass(frozen=True, slots=True)
class Accepted:
    """One entry of a bibliography that a person has accepted."""

    file: str
    """Name of the bibliography, which lies in the same folder."""
    key: str
    because: str
    on: date
    until: date | None
    """The last day on which it is accepted; None: it has no end."""
    content: str
    """What the entry said then, as :func:`citeproof.acceptance.content.content_of` gives it."""

    @property
    def name(self) -> tuple[str, str]:
        """The entry: its file and its key."""
        return self.file, self.key


_KINDS: dict[str, type] = {"file": str, "key": str, "because": str, "on": date, "until": date, "content": str}
_OPTIONAL = "until"
_SAID = {str: "text in quotes", date: "a day such as 2026-11-22, without quotes"}


def read(path: Path) -> tuple[Accepted, ...]:
    """Return what ``path`` holds; nothing where there is no such file.

    Raises :class:`InputError` where it cannot be understood.
    """
    return _named(path, text_of(path))


def text_of(path: Path) -> str:
    """Return the text of ``path``, empty where there is no such file; raise :class:`InputError` for no text."""
    try:
        return path.read_bytes().decode()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'no UTF-8'}") from error


def changed(path: Path, text: str, added: Sequence[Accepted] = (), removed: Sequence[tuple[str, str]] = ()) -> str:
    """Return the ``text`` of ``path`` with ``added`` at its end, and without what was there of the same entries.

    ``removed`` are names of entries that go. Raises :class:`InputError` where the text cannot be understood, or is
    written in a way that a person must change.
    """
    before = {one.name: one for one in _named(path, text)}
    gone = {*removed, *(one.name for one in added)}
    lines = text.splitlines(keepends=True)
    for number in reversed([number for number, name in enumerate(before) if name in gone]):
        start, end = _extent(lines, number)
        del lines[start:end]
    kept = "".join(lines)
    blocks = "".join(f"\n{_block(one)}" for one in added)
    if kept and not kept.endswith("\n"):
        kept += "\n"
    after = (kept or (_FIRST_LINE if added else "")) + blocks
    if "\r\n" in text:
        after = after.replace("\r\n", "\n").replace("\n", "\r\n")
    wanted = {name: one for name, one in before.items() if name not in gone} | {one.name: one for one in added}
    try:
        written = {one.name: one for one in _parsed(after)}
    except ValueError:
        written = {}
    if written != wanted:
        raise InputError(f"{path}: is written in another way than 'citeproof accept' writes it; change it by hand")
    return after


def _named(path: Path, text: str) -> tuple[Accepted, ...]:
    try:
        return tuple(_parsed(text))
    except ValueError as error:
        raise InputError(f"{path}: cannot be understood: {error}") from error


def _parsed(text: str) -> Iterator[Accepted]:
    """Yield what ``text`` holds; raise :class:`ValueError`, which says what is wrong and where."""
    content = tomllib.loads(text)
    if unknown := content.keys() - {_TABLE}:
        raise ValueError(f"there is no {min(unknown)!r}, only [[{_TABLE}]]")
    tables = content.get(_TABLE, [])
    if not isinstance(tables, list):
        raise ValueError(f"write [[{_TABLE}]] with two brackets")
    seen = set[tuple[str, str]]()
    for number, table in enumerate(tables, 1):
        one = _accepted(table, f"[[{_TABLE}]] number {number}")
        if one.name in seen:
            raise ValueError(f"{one.key!r} of {one.file} stands twice; keep one of them")
        seen.add(one.name)
        yield one


def _accepted(table: Any, where: str) -> Accepted:
    if not isinstance(table, dict):
        raise ValueError(f"{where} is no table")
    for name in table:
        if name not in _KINDS:
            raise ValueError(f"{where}: there is no {name!r}; there are {', '.join(_KINDS)}")
    for name, kind in _KINDS.items():
        if name not in table:
            if name != _OPTIONAL:
                raise ValueError(f"{where}: {name!r} is missing")
        elif type(table[name]) is not kind:
            raise ValueError(f"{where}: {name} is {_SAID[kind]}")
        elif kind is str and not table[name].strip():
            raise ValueError(f"{where}: {name} is empty")
    return Accepted(**{"until": None, **table})


def _extent(lines: Sequence[str], number: int) -> tuple[int, int]:
    """Return the first line of the table ``number``, counted from 0, and the one behind its last value.

    Comments in front of the next table are left to that one, and so are blank lines, but for those before this one.
    """
    headers = [place for place, line in enumerate(lines) if _HEADER.match(line)]
    if number >= len(headers):
        return 0, 0
    start = headers[number]
    end = next((place for place in range(start + 1, len(lines)) if _ANY_HEADER.match(lines[place])), len(lines))
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    while start and not lines[start - 1].strip():
        start -= 1
    return start, end


def _block(one: Accepted) -> str:
    values = [(field.name, getattr(one, field.name)) for field in fields(one)]
    lines = (f"{name} = {_value(value)}\n" for name, value in values if value is not None)
    return f"[[{_TABLE}]]\n{''.join(lines)}"


def _value(value: str | date) -> str:
    """Return a value as TOML writes it: a text as in JSON, but for one sign that TOML wants escaped."""
    if isinstance(value, date):
        return value.isoformat()
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
