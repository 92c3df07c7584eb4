"""Divide the input of a screening into units, each of which is read in one call: files, folders,
and files in archives.
"""

import errno
import os
import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path, PurePath, PurePosixPath
from typing import Self

from citeproof.model.errors import InputError
from citeproof.readers.document import MOST_UNPACKED, Budget, Collection, Document, Member, Opened
from citeproof.readers.opening import open_path, refused, walk
from citeproof.readers.papers import ARCHIVES, OWN_FILES, may_be_paper

RESULTS = "screening.db"
"""Name of the database with the results of a screening. A folder that contains such a file is not
searched for papers.
"""
_SUFFIX = ".tex"  # suffix of LaTeX files
LINES = frozenset({".jsonl", ".ndjson"})
"""Suffixes of JSON lines files. These are divided at line ends into pieces of about 1 MB."""
_PIECE = 1 << 20  # minimum number of bytes of a piece of a JSON lines file
# maximum number of characters of a LaTeX file in which names of figures are searched for
_MOST_LETTERS = 1 << 20


@dataclass(frozen=True, slots=True)
class Unit:
    """Input that is read in one call: a file, a folder with one paper, a piece of a file, or a part
    of an archive.
    """

    path: str
    # text made from size and modification time, which is different after the file or folder changes
    stamp: str
    start: int = 0  # offset in bytes of a piece of a file
    size: int = 0  # number of bytes of a piece of a file; 0 if the whole file is read
    line: int = 0  # number of lines of the file before the piece
    # path of a file or folder in an archive, with the name of the archive: papers.zip/12.pdf
    part: str = ""
    trouble: str = ""  # why the input cannot be read; empty if it can be read
    # whether the file was found in a folder or archive, so that it may be something else than a
    # paper
    found: bool = False
    left_out: bool = False  # whether the file has an unsupported format

    @property
    def name(self) -> str:
        """Unique name of the unit. It is the path, and for a piece of a file also the offset in
        bytes: ``papers.jsonl:1048600``.
        """
        return f"{self.path}:{self.start}" if self.size else self.paper

    @property
    def resolved(self) -> str:
        """Absolute path without links. It is the same however :attr:`path` is written."""
        return os.path.normcase(os.path.realpath(self.path))

    def under(self, path: str) -> Self:
        """Return this unit with ``path`` as its path, which is another spelling of the same
        path.
        """
        part = self.part and path + self.part.removeprefix(self.path)
        return replace(self, path=path, part=part)

    @property
    def paper(self) -> str:
        """Name under which the unit is reported if it cannot be read."""
        return self.part or self.path


def units(inputs: Iterable[str], listed: Iterable[str] = ()) -> Iterator[Unit]:
    """Yield a :class:`Unit` for each file, folder or part of an archive to read, first those of
    ``inputs`` and then those of ``listed``.

    The content of a folder or archive is sorted by name. If a path in ``inputs`` cannot be read,
    :class:`InputError` is raised. If a path in ``listed`` cannot be read, a unit with an empty
    stamp is yielded.
    """
    for name in inputs:
        try:
            yield from _named(name)
        except OSError as error:
            raise InputError(
                f"{error.filename or name}: {error.strerror or error}; check the path"
            ) from error
    for name in listed:
        try:
            yield from _named(name)
        except (OSError, ValueError):
            yield Unit(name, "")


def _named(name: str) -> Iterator[Unit]:
    path = Path(name)
    if path.exists() and not path.is_dir() and not path.is_file():
        raise OSError(errno.EINVAL, "is neither a file nor a folder", name)
    return _of_folder(path) if path.is_dir() else _of_file(path)


def _of_folder(root: Path) -> Iterator[Unit]:
    """Yield a :class:`Unit` for each paper below ``root``. A folder with the LaTeX files of a paper
    is one unit.
    """
    # Raises an error if the root cannot be listed. A folder below the root that cannot be listed
    # becomes a unit that cannot be read.
    next(root.iterdir(), None)
    whole: Path | None = None
    for parent, found in groupby(walk(root), key=lambda one: one[0].parent):
        files = [] if whole and parent.is_relative_to(whole) else list(found)
        if any(path.name == RESULTS for path, _ in files):
            whole = parent
            continue
        if hold_one_paper(
            [path.name for path, fault in files if not fault], partial(_written, parent)
        ):
            whole = parent
            stats = [path.lstat() for path, fault in walk(parent) if not fault]
            size, latest = (
                sum(stat.st_size for stat in stats),
                max(stat.st_mtime_ns for stat in stats),
            )
            yield Unit(str(parent), f"{len(stats)} {size} {latest}")
            continue
        for path, fault in files:
            if fault:
                yield Unit(str(path), "", trouble=fault.message)
            elif may_be_paper(str(path)):
                yield from (replace(unit, found=True) for unit in _of_file(path))
            elif not path.name.endswith(OWN_FILES):
                yield Unit(str(path), "not read", found=True, left_out=True)


def _written(folder: Path) -> str:
    """Return the text of all LaTeX files in ``folder`` and below, joined. At most 1,048,576
    characters of each file are read.
    """
    beginnings = []
    for path, fault in walk(folder):
        if not fault and path.suffix == _SUFFIX:
            with path.open(encoding="utf-8", errors="replace") as file:
                beginnings.append(file.read(_MOST_LETTERS))
    return "".join(beginnings)


def _of_file(path: Path) -> Iterator[Unit]:
    stat = path.stat()
    name, suffix, stamp = str(path), path.suffix.lower(), f"{stat.st_size} {stat.st_mtime_ns}"
    if suffix in LINES:
        start = line = 0
        with path.open("rb") as file:
            while piece := file.read(_PIECE) + file.readline():
                yield Unit(name, stamp, start, len(piece), line)
                start += len(piece)
                line += piece.count(b"\n")
    elif suffix in ARCHIVES and (names := parts(name, stamp)):
        members = names.items()
        yield from (Unit(name, stamp, part=one, found=True, left_out=out) for one, out in members)
    else:
        yield Unit(name, stamp)


def hold_one_paper(names: Iterable[str], written: Callable[[], str]) -> bool:
    """Return whether the files ``names`` in a folder belong to a single paper that is written in
    LaTeX.

    There must be a ``.tex`` file. Each PDF, with at most one exception, must have the name of a
    ``.tex`` file or be mentioned in the LaTeX text. The function ``written`` returns the text of
    all LaTeX files in the folder and below.
    """
    paths = list(map(PurePath, names))
    sources = {path.stem for path in paths if path.suffix.lower() == _SUFFIX}
    others = {path.stem for path in paths if path.suffix.lower() == ".pdf"} - sources
    if len(others) <= 1 or not sources:
        return bool(sources)
    text = written()
    return sum(name not in text for name in others) <= 1


@lru_cache(64)  # cached, because a run lists its inputs twice
def parts(path: str, _stamp: str) -> dict[str, bool]:
    """Return a map from the name of each part of an archive to True if the part is left out,
    because its format is not supported, else to False.

    The parts are files, archives in the archive, and folders with the LaTeX files of a paper. The
    map is empty if the archive contains a single paper.

        papers.zip contains 1.pdf, 2/main.tex, 2/refs.bib and notes.md
        the result is papers.zip/1.pdf, papers.zip/2 and papers.zip/notes.md, none left out
    """
    opened = open_path(path)
    if not isinstance(opened, Collection):
        return {}
    names: defaultdict[str, list[str]] = defaultdict(list)
    for member in opened.members:
        names[member.folder].append(member.name)
    sources = [member for member in opened.members if member.suffix == _SUFFIX]
    folders = {
        folder
        for folder in {member.folder for member in sources}
        if hold_one_paper(names[folder], partial(_text, sources, f"{folder}/"))
    }
    opened.close()
    found = dict.fromkeys((diagnostic.place.file for diagnostic in opened.diagnostics), False)
    for member in opened.members:
        parents = map(str, reversed(PurePosixPath(member.name).parents))  # the outermost first
        folder = next((each for each in parents if each in folders), "")
        found[folder or member.name] = not folder and not may_be_paper(member.name)
    return {} if path in found and folders else found


def _text(sources: Iterable[Member], below: str) -> str:
    opened = (member.open() for member in sources if member.name.startswith(below))
    return "".join(one.text for one in opened if isinstance(one, Document))


class _OpenArchive(threading.local):
    # path and stamp of the archive that is open in this thread
    archive: tuple[str, str] | None = None
    opened: Opened
    members: dict[str, Member]
    names: list[str]
    budget: Budget


_kept = _OpenArchive()


def part(path: str, stamp: str, name: str) -> Opened:
    """Open the file or folder ``name`` in the archive at ``path``. ``stamp`` changes if the archive
    changes.

    The archive stays open until this thread opens another archive.
    """
    if _kept.archive != (path, stamp):
        if _kept.archive and isinstance(_kept.opened, Collection):
            _kept.opened.close()
        _kept.budget = Budget()
        _kept.opened = open_path(path, _kept.budget)
        _kept.members = (
            {one.name: one for one in _kept.opened.members}
            if isinstance(_kept.opened, Collection)
            else {}
        )
        _kept.names = sorted(_kept.members)
        _kept.archive = path, stamp
    _kept.budget.left = MOST_UNPACKED  # the limit on unpacked bytes is per paper
    if not isinstance(_kept.opened, Collection):
        return _kept.opened
    if name in _kept.members:
        return _kept.members[name].open()
    # names below "a/" sort before "a0"
    first, last = (bisect_left(_kept.names, f"{name}{end}") for end in ("/", "0"))
    if below := tuple(_kept.members[each] for each in _kept.names[first:last]):
        return replace(_kept.opened, name=name, members=below, diagnostics=(), close=tuple)
    refusals = (
        diagnostic for diagnostic in _kept.opened.diagnostics if diagnostic.place.file == name
    )
    return next(refusals, refused(name, "missing", "is no longer in the archive"))
