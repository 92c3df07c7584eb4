"""The values of settings: how each kind is read from a flag, from the text of a variable, or from a settings file.

A reader takes what was given and returns the value. Where that is not of its kind, it raises :class:`ValueError` with
what the value should be, as the end of a sentence: ``should be a whole number from 0 to 65535``. Variables are texts,
so each kind is read from text too: ``8000``, ``yes``, ``{"crossref": "https://mirror.example"}``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from citeproof.server_address import ServerAddress

Read = Callable[[object], Any]

_TRUE = ("1", "true", "t", "yes", "y", "on")
_FALSE = ("0", "false", "f", "no", "n", "off")


@dataclass(frozen=True, slots=True)
class Secret:
    """A key or token, which no message and no log shows."""

    value: str = field(repr=False)


def setting(read: Read, default: Any = None) -> Any:
    """Return a field of a dataclass with its default, whose values ``read`` reads."""
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata={"read": read})
    return field(default=default, metadata={"read": read})


def text(given: object) -> str:
    """Read a text."""
    if not isinstance(given, str):
        raise ValueError("should be a text")
    return given


def secret(given: object) -> Secret | None:
    """Read a key; an empty one is none."""
    return Secret(text(given)) if given != "" else None


def truth(given: object) -> bool:
    """Read a truth value; as text ``yes``, ``on``, ``true``, ``1`` and their opposites, in any case."""
    word = str(given).lower()
    if word not in _TRUE + _FALSE:
        raise ValueError("should be true or false")
    return word in _TRUE


def whole(least: int, most: int | None = None) -> Read:
    """Return the reader of whole numbers from ``least`` to ``most``, without an upper bound where that is None."""

    def read(given: object) -> int:
        number = _number(given)
        if not (number.is_integer() and least <= number <= (math.inf if most is None else most)):
            raise ValueError(f"should be a whole number {_bounds(least, most)}")
        return given if isinstance(given, int) else int(number)

    return read


def real(least: float, most: float | None = None) -> Read:
    """Return the reader of numbers from ``least`` to ``most``, without an upper bound where that is None."""

    def read(given: object) -> float:
        number = _number(given)
        if not (math.isfinite(number) and least <= number <= (math.inf if most is None else most)):
            raise ValueError(f"should be a number {_bounds(least, most)}")
        return number

    return read


def file(given: object) -> Path:
    """Read the name of a file or folder."""
    if not isinstance(given, str | Path):
        raise ValueError("should be the name of a file")
    return Path(given)


def files(given: object) -> tuple[Path, ...]:
    """Read a list of names of files; as text in JSON."""
    found = _parsed(given)
    if not isinstance(found, list | tuple) or not all(isinstance(name, str | Path) for name in found):
        raise ValueError('should be a list of files such as ["dblp.db"]')
    return tuple(map(Path, found))


def addresses(given: object) -> dict[str, str]:
    """Read addresses by name; as text in JSON."""
    found = _parsed(given)
    if not isinstance(found, dict) or not all(isinstance(address, str) for address in found.values()):
        raise ValueError('should be a JSON object such as {"crossref": "https://mirror.example"}')
    return found


def store(given: object) -> Path | ServerAddress:
    """Read the name of a file, where the address of a server will do too."""
    return given if isinstance(given, ServerAddress) else file(given)


def _number(given: object) -> float:
    """Return ``given`` as a number, which is none for what is not one: no bounds hold for it."""
    try:
        return math.nan if isinstance(given, bool) else float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _bounds(least: float, most: float | None) -> str:
    return f"from {least:g} to {most:g}" if most is not None else f"from {least:g} up"


def _parsed(given: object) -> Any:
    try:
        return json.loads(given) if isinstance(given, str) else given
    except ValueError:
        return None
