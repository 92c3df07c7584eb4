"""What is to be read: files of folders and archives, and pieces of long files of JSON lines."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.errors import InputError
from citeproof.inputs.folder import is_hidden, walk
from citeproof.papers import ARCHIVES
from citeproof.screen import sources
from citeproof.screen.archives import parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SUFFIXES = frozenset({".bib", ".bbl", ".pdf", ".ris", ".json", ".jsonl", ".ndjson", ".txt"})
"""Files of a folder that are papers."""
LINES = frozenset({".jsonl", ".ndjson"})
"""Files that are read piece by piece."""
PIECE = 1 << 20
"""Bytes of a piece, up to the next end of line."""
_MOST_LETTERS = 1 << 20
"""So much of a source is searched for the names of figures; no honest one is longer."""
KEPT = 64
"""So many archives are remembered with what is in them."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What is read in one go, and checked off when it was: a file or folder, a piece of a file, part of an archive."""

    path: str
    stamp: str
    """Size and time of change of the file: what tells whether it is still the one that was read. Of a folder the number
    of its files, their size in all, and the last time of change."""
    start: int = 0
    """Where a piece begins in the file, in bytes."""
    size: int = 0
    """Bytes of a piece; 0 for a whole file."""
    line: int = 0
    """Lines of the file before a piece."""
    part: str = ""
    """A file or folder of an archive, with the archive's name before its own: ``papers.zip/12.pdf``."""

    @property
    def name(self) -> str:
        """What tells it from all others."""
        return f"{self.path}:{self.start}" if self.size else self.paper

    @property
    def paper(self) -> str:
        """What it is called where nothing can be read of it."""
        return self.part or self.path


def units(inputs: Iterable[str], listed: Iterable[str] = ()) -> Iterator[Unit]:
    """Yield what ``inputs`` and ``listed`` name, folders and archives with all that is in them, by name.

    What of ``listed`` does not exist, or cannot be looked into, is a unit that nothing can be read of: a list of
    thousands of names is not given up for one of them.

    Raises:
        InputError: one of ``inputs`` does not exist, or cannot be looked into.
    """
    for name in inputs:
        try:
            yield from _named(name)
        except OSError as error:
            raise InputError(f"{error.filename or name}: {error.strerror or error}; check the path") from error
    for name in listed:
        try:
            yield from _named(name)
        except (OSError, ValueError):
            yield Unit(name, "")


def _named(name: str) -> Iterator[Unit]:
    path = Path(name)
    for file in _files(path) if path.is_dir() else (path,):
        yield from _units(file)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of ``folder`` that are papers, and each outermost folder that holds the sources of one.

    What is hidden is left out, links to folders are not followed.
    """
    for parent, folders, files in os.walk(folder, onerror=_raise):
        shown = sorted(name for name in files if not is_hidden(name))
        if sources.hold_one_paper(shown, partial(_written, Path(parent))):
            folders.clear()
            yield Path(parent)
            continue
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        yield from (Path(parent, name) for name in shown if _suffix(name) in SUFFIXES | ARCHIVES)


def _written(folder: Path) -> str:
    return "".join(_beginning(path) for path in sorted(folder.rglob(f"*{sources.SUFFIX}")))


def _beginning(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(_MOST_LETTERS)


def _suffix(name: str) -> str:
    return Path(name).suffix.lower()


def _raise(error: OSError) -> None:
    raise error


def _units(path: Path) -> Iterator[Unit]:
    if path.is_dir():
        yield Unit(str(path), _folder_stamp(path))
        return
    stat = path.stat()
    stamp = f"{stat.st_size} {stat.st_mtime_ns}"
    if _suffix(path.name) in LINES:
        yield from _pieces(path, stamp)
    elif _suffix(path.name) in ARCHIVES and (names := _parts(str(path), stamp)):
        yield from (Unit(str(path), stamp, part=name) for name in names)
    else:
        yield Unit(str(path), stamp)


def _folder_stamp(folder: Path) -> str:
    stats = [path.lstat() for path, fault in walk(folder) if not fault]
    return f"{len(stats)} {sum(stat.st_size for stat in stats)} {max(stat.st_mtime_ns for stat in stats)}"


@lru_cache(KEPT)
def _parts(path: str, stamp: str) -> list[str]:
    """Return the parts of an archive; a run lists all inputs twice, and to list a packed one is to unpack it."""
    del stamp
    return parts(path, SUFFIXES)


def _pieces(path: Path, stamp: str) -> Iterator[Unit]:
    start = line = 0
    with path.open("rb") as file:
        while piece := file.read(PIECE) + file.readline():
            yield Unit(str(path), stamp, start, len(piece), line)
            start += len(piece)
            line += piece.count(b"\n")
