"""Archives of papers: what is in them, and one paper of them at a time.

Each file of an archive that may be a paper is read by itself, under the limits of one paper. A folder in it that holds
the sources of one paper is read in one go; so is an archive inside the archive.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from citeproof.inputs.collection import Collection
from citeproof.inputs.document import Document
from citeproof.inputs.limits import MOST_UNPACKED, Budget
from citeproof.inputs.opening import open_path, refused
from citeproof.papers import ARCHIVES
from citeproof.screen import sources

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citeproof.inputs.collection import Member, Opened


def parts(path: str, suffixes: frozenset[str]) -> list[str]:
    """Return the names of what is read in one go of the archive ``path``, also of what is only listed as unreadable.

    That are its files with one of ``suffixes``, archives in it, and the outermost folders that hold one paper in LaTeX.
    Empty where it is read as a whole: a single packed file, the sources of one paper, or nothing that may be a paper.
    Example: of ``papers.zip`` with ``1.pdf``, ``2/main.tex``, ``2/refs.bib`` and ``notes.md`` the names are
    ``papers.zip/1.pdf`` and ``papers.zip/2``.
    """
    opened = open_path(path)
    if not isinstance(opened, Collection):
        return []
    folders = _folders_of_sources(opened.members)
    opened.close()
    found = dict.fromkeys(diagnostic.place.file for diagnostic in opened.diagnostics)
    for member in opened.members:
        folder = next((each for each in reversed(_parents(member.name)) if each in folders), "")
        if folder or member.suffix in suffixes | ARCHIVES:
            found[folder or member.name] = None
    return [] if path in found and folders else list(found)


def _folders_of_sources(members: tuple[Member, ...]) -> set[str]:
    """Return the folders that hold the sources of one paper, as :func:`sources.hold_one_paper` has it."""
    written = [member for member in members if member.suffix == sources.SUFFIX]
    names: dict[str, list[str]] = {member.folder: [] for member in written}
    for member in members:
        if member.folder in names:
            names[member.folder].append(member.name)
    return {folder for folder in names if sources.hold_one_paper(names[folder], partial(_text, written, f"{folder}/"))}


def _text(written: list[Member], below: str) -> str:
    opened = (member.open() for member in written if member.name.startswith(below))
    return "".join(one.text for one in opened if isinstance(one, Document))


def _parents(name: str) -> list[str]:
    """Return the folders that ``name`` is in, the innermost first."""
    return [str(parent) for parent in PurePosixPath(name).parents]


def part(path: str, stamp: str, name: str) -> Opened:
    """Open what :func:`parts` called ``name``; the archive stays open in this thread until another one is asked for."""
    kept = getattr(_KEPT, "archive", None)
    if kept is None or (kept.path, kept.stamp) != (path, stamp):
        if kept:
            kept.close()
        kept = _KEPT.archive = _Kept(path, stamp)
    found: Opened = kept.part(name)
    return found


class _Kept:
    """An archive that is open, with its members by name."""

    def __init__(self, path: str, stamp: str) -> None:
        self.path = path
        self.stamp = stamp
        self._budget = Budget()
        self._opened = open_path(path, self._budget)
        members: Iterable[Member] = self._opened.members if isinstance(self._opened, Collection) else ()
        self._members = {member.name: member for member in members}
        self._names = sorted(self._members)

    def part(self, name: str) -> Opened:
        """Open the file or folder ``name`` of it."""
        self._budget.left = MOST_UNPACKED  # what one paper may become; the others have their own
        if not isinstance(self._opened, Collection):
            return self._opened
        if name in self._members:
            return self._members[name].open()
        first, last = (bisect_left(self._names, f"{name}{end}") for end in ("/", "0"))  # "0" is the letter behind "/"
        if below := tuple(self._members[each] for each in self._names[first:last]):
            return replace(self._opened, name=name, members=below, diagnostics=(), close=tuple)
        for diagnostic in self._opened.diagnostics:
            if diagnostic.place.file == name:
                return diagnostic
        return refused(name, "missing", "is no longer in the archive")

    def close(self) -> None:
        """Close the archive."""
        if isinstance(self._opened, Collection):
            self._opened.close()


_KEPT = threading.local()
