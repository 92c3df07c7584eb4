"""Plain titles, one a line; blank lines and lines that begin with ``#`` are no entries."""

from __future__ import annotations

from citeproof.models import Bibliography, Reference
from citeproof.text.normalize import plain_text

NAME = "titles"
SUFFIXES = (".txt", ".titles")
CODES: dict[str, str] = {}


def accepts(text: str) -> bool:
    """Return False: any text could be titles, so this format is chosen by name only."""
    return False


def read(text: str, file: str = "") -> Bibliography:
    """Read one title a line; each reference's key is its line number."""
    entries = []
    for number, line in enumerate(text.split("\n"), start=1):
        written = line.strip()
        if written and not written.startswith("#"):
            title = " ".join(plain_text(written).split())
            entries.append(Reference(key=str(number), title=title, raw=written, file=file, line=number))
    return Bibliography(tuple(entries))
