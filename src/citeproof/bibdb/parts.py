"""The files of a folder or of an archive, as one source: dumps come in thousands of parts.

A folder is read in the order of its names, a ``tar`` in its own order and without going back, so that it may be
compressed; a ``zip`` too. Nothing is unpacked to the disk.
"""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING

from citeproof.bibdb.source_file import SourceFile
from citeproof.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TAR_MAGIC = slice(257, 262)
"""Where ``ustar`` stands in the first block of an archive (POSIX.1-1988)."""
_ZIP = b"PK\x03\x04"


class Parts:
    """The parts of one source, each to be read to its end before the next one is asked for."""

    def __init__(self, path: Path, size: int, files: Iterator[SourceFile], position: Callable[[], int]) -> None:
        """``position`` says how many of the ``size`` bytes at ``path`` were read before the part at hand."""
        self.path = path
        self.size = size
        self._files = files
        self._position = position
        self._current: SourceFile | None = None

    def __iter__(self) -> Iterator[SourceFile]:
        return self

    def __next__(self) -> SourceFile:
        if self._current:
            self._current.close()
            self._current = None
        self._current = next(self._files)
        return self._current

    @property
    def position(self) -> int:
        """Bytes at :attr:`path` that have been read."""
        return self._position() + (self._current.position if self._current else 0)

    def close(self) -> None:
        """Close what is open."""
        if self._current:
            self._current.close()
        self._files.close()  # type: ignore[attr-defined] # each is a generator


def in_folder(folder: Path) -> Parts:
    """Return the files in ``folder`` and below as parts, but for hidden ones."""
    names = sorted(path for path in folder.rglob("*") if path.is_file() and not _hidden(path.relative_to(folder)))
    sizes = [path.stat().st_size for path in names]
    done = [0]

    def files() -> Iterator[SourceFile]:
        for path, size in zip(names, sizes, strict=True):
            if size:
                yield SourceFile(path)
            done[0] += size

    return Parts(folder, sum(sizes), files(), lambda: done[0])


def is_archive(beginning: bytes) -> bool:
    """Whether a file whose decompressed content begins so is a ``tar`` or a ``zip``."""
    return beginning[_TAR_MAGIC] == b"ustar" or beginning.startswith(_ZIP)


def in_archive(path: Path, beginning: bytes) -> Parts:
    """Return the members of the archive at ``path`` as parts."""
    try:
        raw = path.open("rb")
    except OSError as error:
        raise BuildError(f"{path}: cannot be read: {error.strerror}") from error
    members = _of_zip if beginning.startswith(_ZIP) else _of_tar
    closed = [0]

    def files() -> Iterator[SourceFile]:
        with raw:
            try:
                for name, stream in members(raw):
                    if not _hidden(Path(name)):
                        yield SourceFile(path / name, stream)
            except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, OSError) as error:
                raise BuildError(f"{path}: the archive ends in the middle or is damaged ({error})") from None
            finally:
                closed[0] = raw.tell()

    return Parts(path, path.stat().st_size, files(), lambda: closed[0] if raw.closed else raw.tell())


def _of_tar(raw: IO[bytes]) -> Iterator[tuple[str, IO[bytes] | None]]:
    with tarfile.open(fileobj=raw, mode="r|*") as archive:
        for member in archive:
            if member.isfile() and member.size:
                yield member.name, archive.extractfile(member)


def _of_zip(raw: IO[bytes]) -> Iterator[tuple[str, IO[bytes] | None]]:
    with zipfile.ZipFile(raw) as archive:
        for member in archive.infolist():
            if not member.is_dir() and member.file_size:
                with archive.open(member) as stream:
                    yield member.filename, stream


def _hidden(path: Path) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in path.parts)
