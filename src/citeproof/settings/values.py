"""Convert and check the values of settings from options, variables and settings files.

The functions that do this are called *readers*. Each reader accepts text, because variables are
text: ``8000``, ``yes``, ``{"crossref": "https://mirror.example"}``. It raises :class:`ValueError`
with a message such as ``should be a whole number from 0 to 65535`` if a value is invalid.
"""

import json
import math
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from citeproof.model.errors import CiteproofError, ConfigurationError, cannot_be
from citeproof.store.sql import ServerAddress

Read = Callable[[object], Any]

MAX_TOML_BYTES = 1 << 20
"""Maximum number of bytes of a settings file or a policy."""
ALIKE = 0.75
"""Minimum similarity, from 0 to 1, of an unknown name to a known name for a message to suggest the
known name.
"""
_POSTGRES = ("postgresql:/", "postgres:/", "postgresql+")
_TRUE = ("1", "true", "t", "yes", "y", "on")
_FALSE = ("0", "false", "f", "no", "n", "off")


@dataclass(frozen=True, slots=True)
class Secret:
    """A key or token. ``repr`` does not show the value."""

    value: str = field(repr=False)


class UnsupportedError(CiteproofError):
    """Raised if a requested feature does not exist in this version."""


def setting(read: Read, default: Any = None, *, own: bool = False) -> Any:
    """Return a dataclass field for a setting. ``read`` converts and checks its values.

    If ``own`` is true, settings files of projects cannot set it.
    """
    metadata = {"read": read, "own": own}
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


def toml_file(path: Path) -> dict[str, Any]:
    """Return the content of the TOML file at ``path``.

    Raises :class:`ConfigurationError` if the file cannot be read, is not valid TOML, or exceeds 1
    MiB.
    """
    try:
        if path.exists() and not path.is_file():
            raise ConfigurationError(f"{path}: is not a regular file")
        with path.open("rb") as opened:
            content = opened.read(MAX_TOML_BYTES + 1)
        if len(content) > MAX_TOML_BYTES:
            raise ConfigurationError(f"{path}: is longer than {MAX_TOML_BYTES >> 20} MiB")
        return tomllib.loads(content.decode("utf-8"))
    except RecursionError:
        raise ConfigurationError(f"{path}: cannot be read: it is nested too deeply") from None
    except (OSError, ValueError) as error:  # invalid TOML and UTF-8 are ValueErrors
        raise ConfigurationError(cannot_be("read", path, error)) from None


def refuse_postgres(subject: str, place: object) -> None:
    """Raise :class:`UnsupportedError` if ``place`` is the URL of a PostgreSQL server. ``subject``
    is the option that the message names.
    """
    if str(place).startswith(_POSTGRES):
        where = "cannot be on a PostgreSQL server; only --cache and --runtime-store can"
        # without the URL, which may have a password
        raise UnsupportedError(f"{subject}: is a file and {where}")


def text(given: object) -> str:
    """Return ``given``. Raise :class:`ValueError` if it is not a string."""
    if not isinstance(given, str):
        raise ValueError("should be text")
    return given


def one_of(*words: str) -> Read:
    """Return a reader that accepts only ``words``. For any other value, it raises
    :class:`ValueError`.
    """

    def read(given: object) -> str:
        if given not in words:
            raise ValueError(f"should be one of {', '.join(words)}")
        return str(given)

    return read


def secret(given: object) -> Secret | None:
    """Return ``given`` as a :class:`Secret`, or None for an empty text."""
    return Secret(text(given)) if given != "" else None


def truth(given: object) -> bool:
    """Convert a text to a boolean: True for ``yes``, ``y``, ``on``, ``true``, ``t`` or ``1``.

    Case is ignored.
    """
    word = str(given).lower()
    if word not in _TRUE + _FALSE:
        raise ValueError("should be true or false")
    return word in _TRUE


def whole(least: int, most: float = math.inf) -> Read:
    """Return a reader that converts a value to a whole number from ``least`` to ``most``."""

    def read(given: object) -> int:
        number = _number(given, least, most, kind="whole number")
        return given if isinstance(given, int) else int(number)

    return read


def real(least: float, most: float = math.inf) -> Read:
    """Return a reader that converts a value to a number from ``least`` to ``most``."""
    return partial(_number, least=least, most=most)


def file(given: object) -> Path:
    """Return ``given`` as the path of a file or folder."""
    if not isinstance(given, str | Path) or "\0" in str(given):
        raise ValueError("should be the name of a file")
    return Path(given)


def files(given: object) -> tuple[Path, ...]:
    """Return the paths in a list or in the text of a JSON array."""
    found = _from_json(given)
    if not isinstance(found, list | tuple) or not all(
        isinstance(name, str | Path) for name in found
    ):
        raise ValueError('should be a list of files such as ["dblp.db"]')
    return tuple(map(Path, found))


def addresses(given: object) -> dict[str, str]:
    """Return a map from names to URLs, given as a dictionary or as the text of a JSON object."""
    found = _from_json(given)
    if not isinstance(found, dict) or not all(
        isinstance(address, str) for address in found.values()
    ):
        raise ValueError('should be a JSON object such as {"crossref": "https://mirror.example"}')
    return found


def store(given: object) -> Path | ServerAddress:
    """Return ``given`` as a path, or unchanged if it is the address of a server."""
    return given if isinstance(given, ServerAddress) else file(given)


def _number(given: object, least: float, most: float, kind: str = "number") -> float:
    number = math.nan
    with suppress(TypeError, ValueError, OverflowError):
        number = math.nan if isinstance(given, bool) else float(given)  # type: ignore[arg-type]
    fits = math.isfinite(number) and least <= number <= most
    if not fits or (kind == "whole number" and not number.is_integer()):
        raise ValueError(
            f"should be a {kind} of at least {least:g}"
            if math.isinf(most)
            else f"should be a {kind} from {least:g} to {most:g}"
        )
    return number


def _from_json(given: object) -> Any:
    try:
        return json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        return None
