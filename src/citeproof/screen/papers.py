"""What is to be read: files of folders, and pieces of long files of JSON lines."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SUFFIXES = frozenset({".bib", ".bbl", ".pdf", ".ris", ".json", ".jsonl", ".ndjson", ".txt"})
"""Files of a folder that are papers. A ``.tex`` is named by itself: the bibliographies that it uses lie beside it."""
LINES = frozenset({".jsonl", ".ndjson"})
"""Files that are read piece by piece."""
PIECE = 1 << 20
"""Bytes of a piece, up to the next end of line."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What is read in one go, and checked off when it was: a file, or a piece of one."""

    path: str
    stamp: str
    """Size and time of change of the file: what tells whether it is still the one that was read."""
    start: int = 0
    """Where a piece begins in the file, in bytes."""
    size: int = 0
    """Bytes of a piece; 0 for a whole file."""
    line: int = 0
    """Lines of the file before a piece."""

    @property
    def name(self) -> str:
        """What tells it from all others."""
        return f"{self.path}:{self.start}" if self.size else self.path


def units(inputs: Iterable[str]) -> Iterator[Unit]:
    """Yield what ``inputs`` name, files and folders with all that is in them, in the order of their names.

    Raises:
        InputError: an input does not exist, or cannot be looked into.
    """
    for name in inputs:
        path = Path(name)
        try:
            paths = _files(path) if path.is_dir() else iter([path])
            for file in paths:
                yield from _units(file)
        except OSError as error:
            raise InputError(f"{error.filename or path}: {error.strerror or error}; check the path") from error


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of ``folder`` that are papers; what is hidden is left out, links to folders are not followed."""
    for parent, folders, files in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES:
                yield Path(parent, name)


def _raise(error: OSError) -> None:
    raise error


def _units(path: Path) -> Iterator[Unit]:
    stat = path.stat()
    stamp = f"{stat.st_size} {stat.st_mtime_ns}"
    if path.suffix.lower() in LINES:
        yield from _pieces(path, stamp)
    else:
        yield Unit(str(path), stamp)


def _pieces(path: Path, stamp: str) -> Iterator[Unit]:
    start = line = 0
    with path.open("rb") as file:
        while piece := file.read(PIECE) + file.readline():
            yield Unit(str(path), stamp, start, len(piece), line)
            start += len(piece)
            line += piece.count(b"\n")
