"""What the user named, opened as documents. What cannot be opened is a diagnostic, and the others go on."""

from __future__ import annotations

import sys
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.errors import InputError
from citeproof.inputs.limits import DEEPEST, DENSEST, LARGEST, MOST_MEMBERS, read_at_most
from citeproof.inputs.opening import open_bytes, open_path, refused
from citeproof.models import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citeproof.inputs.collection import Opened

STDIN = "-"
_LONGEST_LIST = 2**24
"""Most bytes of a list of names: some 100,000 long ones."""

CODES = {
    "document.missing": "there is no such file",
    "document.unreadable": "the system does not let it be read",
    "document.too_large": f"it has more than {LARGEST // 2**20} MB",
    "document.too_many": f"the folder or archive has more than {MOST_MEMBERS:,} files; those behind are not read",
    "document.bomb": f"it unpacks to more than {DENSEST} times its packed size, or its archive to more than 4 GB",
    "document.damaged": "the archive, or a member of it, is damaged or packed in an unknown way",
    "document.protected": "the member of an archive is protected by a password",
    "document.link": "it is a link in an archive, or one that leads out of the folder, and is not followed",
    "document.outside": "the path of a member leads out of its archive",
    "document.nested": f"more than {DEEPEST} archives are inside each other",
    "document.repeated": "a note, not a fault: the document was named before, and is read once",
    "document.binary": "it is no text, and no format reads it",
    "document.unknown_format": "its format cannot be told; name it with `--from`",
    "document.malformed": "it is not what its format says, from the beginning on",
    "document.empty": "no entry was found in it",
    "document.guessed_encoding": "a note, not a fault: it is not UTF-8, and its encoding was guessed",
}
"""Every diagnostic of a whole document, and what it means."""


def open_documents(
    names: Iterable[str], input_format: str | None = None, *, everything: bool = False
) -> Iterator[Opened]:
    """Yield what stands behind each name (``-``: standard input): a document, a folder or archive, or what is wrong.

    ``input_format`` is the format that the user says they have; with ``everything`` all entries are wanted, not only
    those that a paper cites. What is named twice is read once.
    """
    seen: set[Path] = set()
    for name in names:
        place = None
        with suppress(OSError, ValueError, RuntimeError):
            place = Path(name).resolve() if name != STDIN else None
        if place in seen:
            yield refused(name, "repeated", "is named twice; it is read once", Severity.NOTE)
            continue
        opened = _standard_input() if name == STDIN else open_path(name)
        if place and not isinstance(opened, Diagnostic):
            seen.add(place)
        yield _asked(opened, input_format, everything=everything)


def open_data(data: bytes, input_format: str | None = None) -> Opened:
    """Return the document, folder or archive that ``data`` is, or what is wrong with it; it is called ``<bytes>``."""
    return _asked(open_bytes("<bytes>", data), input_format)


def _asked(opened: Opened, input_format: str | None, *, everything: bool = False) -> Opened:
    """Return ``opened`` with what the user says of it."""
    if isinstance(opened, Diagnostic):
        return opened
    return replace(opened, format=input_format or "", everything=everything)


def listed(name: str) -> list[str]:
    """Return the names that the file ``name`` (``-``: standard input) lists, one a line, or each ended by a zero byte.

    Raises:
        InputError: it cannot be read, or names nothing.
    """
    shown = "<stdin>" if name == STDIN else name
    try:
        with ExitStack() as closing:
            stream = sys.stdin.buffer if name == STDIN else closing.enter_context(Path(name).open("rb"))
            data = read_at_most(stream, _LONGEST_LIST)
    except (OSError, ValueError) as error:
        raise InputError(f"{shown}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > _LONGEST_LIST:
        raise InputError(f"{shown}: has more than {_LONGEST_LIST // 2**20} MB, and is no list of names")
    separator = b"\0" if b"\0" in data else b"\n"
    names = [line.strip(b"\r").decode("utf-8", "surrogateescape") for line in data.split(separator)]
    if not any(name.strip() for name in names):
        raise InputError(f"{shown}: names no file; give it one name a line")
    return [name for name in names if name.strip()]


def _standard_input() -> Opened:
    return open_bytes("<stdin>", read_at_most(sys.stdin.buffer, LARGEST))
