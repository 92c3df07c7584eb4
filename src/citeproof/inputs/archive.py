"""Archives: zip, tar and gzip, read where they lie. Nothing is ever unpacked to a place that a member names."""

from __future__ import annotations

import posixpath
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from dataclasses import dataclass, field
from functools import partial
from typing import IO, TYPE_CHECKING

from citeproof.inputs.document import Document
from citeproof.inputs.limits import DENSEST, FREE, Budget, RefusedError, read_at_most, too_large
from citeproof.inputs.packed import GZIP, TAR, TAR_AT, ZIP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_OFFICE, _OFFICE_FIRST = "[Content_Types].xml", "mimetype"
"""The member that each document of Microsoft's form has, and the one with which OpenDocument and EPUB files begin."""
_FAULTS = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError, ValueError, NotImplementedError,
    RuntimeError, OverflowError, struct.error,
)  # fmt: skip
"""What the standard library raises at archives that are damaged, or packed in a way that it does not know."""
_DIRECTORY = 64 * 2**20
"""Most bytes of a zip's list of members: some 500,000 names."""
_IN_MEMORY = 32 * 2**20
_CHUNK = 2**20


@dataclass(slots=True)
class Archive:
    """The members of an archive by their path inside it; neighbours of each other."""

    name: str
    read: dict[str, Callable[[], bytes]] = field(default_factory=dict)
    """What returns the bytes of each member, or raises :class:`RefusedError`."""
    refused: list[tuple[str, RefusedError]] = field(default_factory=list)
    """Members that are not to be read at all, and why."""
    close: Callable[[], object] = tuple
    office: bool = False
    """It is an office document, and no archive of papers."""

    def add(self, path: str, *, is_link: bool, read: Callable[[], bytes]) -> None:
        """Take over a member, if it is a file that lies inside the archive."""
        inside = path_inside("", path)
        if inside is None:
            self.refused.append((path, RefusedError("outside", "leads out of its archive, and is not read")))
        elif inside == ".":
            self.refused.append(("", RefusedError("damaged", "has a member without a name, which is not read")))
        elif is_link:
            self.refused.append((inside, RefusedError("link", "is a link, and is not followed; pack the file itself")))
        else:
            self.read[inside] = read

    def beside(self, folder: str) -> Beside:
        """Return the neighbours of a member in ``folder``, a path inside the archive."""
        return Beside(self, folder)


@dataclass(frozen=True, slots=True)
class Beside:
    """The members of an archive, by paths that begin at one of its folders."""

    archive: Archive
    folder: str

    def find(self, name: str) -> Document | None:
        """Return the member ``name``; None where there is none, or where it would lie outside the archive."""
        path = path_inside(self.folder, name)
        if path is None or path not in self.archive.read:
            return None
        try:
            data = self.archive.read[path]()
        except RefusedError:
            return None
        return Document.of(f"{self.archive.name}/{path}", data, neighbours=self)


def path_inside(folder: str, name: str) -> str | None:
    """Return ``folder/name`` without ``.`` and ``..``; None where that leads out.

    ``("sub", "../refs.bib")`` gives ``refs.bib``; ``("", "../refs.bib")``, ``/etc/passwd`` and ``C:\\x`` give None.
    """
    name = name.replace("\\", "/")
    path = posixpath.normpath(posixpath.join(folder, name))
    if "\0" in name or name.startswith("/") or name[1:2] == ":" or path == ".." or path.startswith("../"):
        return None
    return path


def open_archive(name: str, stream: IO[bytes], budget: Budget) -> Archive | bytes:
    """Return the members of the archive in ``stream``, or the bytes of the one file that is packed in it.

    Raises:
        RefusedError: it is damaged from its beginning on, or too much of something.
    """
    try:
        beginning = stream.read(TAR_AT + len(TAR))
        stream.seek(0)
        if beginning.startswith(ZIP):
            return _zip(name, stream, budget)
        if beginning.startswith(GZIP):
            stream, whole = _gunzipped(stream, budget)
            beginning = stream.read(TAR_AT + len(TAR))
            stream.seek(0)
            if beginning[TAR_AT:] != TAR:
                return _one_file(stream, budget, whole=whole)
        return _tar(name, stream, budget)
    except _FAULTS as error:
        raise _damaged(error) from error


def _zip(name: str, stream: IO[bytes], budget: Budget) -> Archive:
    if _directory_size(stream) > _DIRECTORY:
        raise RefusedError("too_large", f"its list of members has more than {_DIRECTORY // 2**20} MB; split it")
    opened = zipfile.ZipFile(stream)
    names = opened.namelist()
    archive = Archive(name, close=opened.close, office=_OFFICE in names or names[:1] == [_OFFICE_FIRST])
    files = (info for info in opened.infolist() if not info.filename.endswith("/"))
    for number, info in enumerate(files):
        if number == budget.members:
            archive.refused.append(("", _too_many(budget)))
            break
        is_link = stat.S_ISLNK(info.external_attr >> 16)
        archive.add(info.filename, is_link=is_link, read=partial(_read_zipped, opened, info, budget))
    return archive


def _directory_size(stream: IO[bytes]) -> int:
    """Return how many bytes the list of members has, by the record at the end of the zip; 0 where that is not found.

    zipfile makes an object of every member before it can be asked how many there are.
    """
    size = stream.seek(0, 2)
    stream.seek(max(0, size - 66_000))
    tail = stream.read()
    stream.seek(0)
    end, larger = tail.rfind(b"PK\x05\x06"), tail.rfind(b"PK\x06\x06")
    if larger >= 0 and len(tail) >= larger + 48:
        return int.from_bytes(tail[larger + 40 : larger + 48], "little")
    return int.from_bytes(tail[end + 12 : end + 16], "little") if end >= 0 else 0


def _read_zipped(opened: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> bytes:
    if info.flag_bits & 1:
        raise RefusedError("protected", "is protected by a password; pack it again without one")
    if info.file_size > budget.largest:
        raise too_large(budget.largest)
    budget.unpacked(info.file_size, info.compress_size)
    try:
        with opened.open(info) as stream:
            return stream.read(budget.largest)
    except _FAULTS as error:
        raise _damaged(error) from error


def _tar(name: str, stream: IO[bytes], budget: Budget) -> Archive:
    opened = tarfile.open(fileobj=stream, mode="r:")  # noqa: SIM115 - it is closed with its archive
    archive = Archive(name, close=stream.close)
    for number, info in enumerate(_members(opened, archive)):
        if number == budget.members:
            archive.refused.append(("", _too_many(budget)))
            break
        if not info.isdir():
            is_link = not info.isreg()  # or a device, or a pipe
            archive.add(info.name, is_link=is_link, read=partial(_read_tarred, opened, info, budget))
    return archive


def _members(opened: tarfile.TarFile, archive: Archive) -> Iterator[tarfile.TarInfo]:
    """Yield the members up to where the archive is damaged."""
    try:
        yield from opened
    except _FAULTS as error:
        archive.refused.append(("", _damaged(error)))


def _read_tarred(opened: tarfile.TarFile, info: tarfile.TarInfo, budget: Budget) -> bytes:
    if info.size > budget.largest:
        raise too_large(budget.largest)
    budget.unpacked(info.size, info.size)
    try:
        stream = opened.extractfile(info)
        data = stream.read() if stream else b""
    except _FAULTS as error:
        raise _damaged(error) from error
    if len(data) < info.size:
        raise RefusedError("damaged", "is damaged: its end is missing; download or make it again")
    return data


def _gunzipped(stream: IO[bytes], budget: Budget) -> tuple[IO[bytes], bool]:
    """Return what is packed, up to where it is damaged, and whether that is all; what is long is put into a file."""
    packed = stream.seek(0, 2)
    stream.seek(0)
    most = min(FREE + DENSEST * packed, budget.left)
    unpacked: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - it is closed with its archive
    size, whole = 0, False
    try:
        for data in _pieces(stream):
            size += unpacked.write(data)
            if size > most:
                break
        else:
            whole = True
    except zlib.error:
        if not size:
            raise
    budget.unpacked(size, packed)
    unpacked.seek(0)
    return unpacked, whole


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield what the gzip members of ``stream`` hold, a megabyte at a time; raises zlib.error where it is cut."""
    engine = zlib.decompressobj(wbits=31)
    for chunk in iter(lambda: stream.read(_CHUNK), b""):
        rest = chunk
        while rest:
            if engine.eof:  # another member follows, or padding, which gzip ignores too
                if not rest.startswith(GZIP):
                    return
                engine = zlib.decompressobj(wbits=31)
            yield engine.decompress(rest, _CHUNK)
            rest = engine.unused_data if engine.eof else engine.unconsumed_tail
    if not engine.eof:
        raise zlib.error("the gzip file ends in the middle")


def _one_file(stream: IO[bytes], budget: Budget, *, whole: bool) -> bytes:
    with stream:
        data = read_at_most(stream, budget.largest)
    if not whole:
        raise RefusedError("damaged", "is damaged: the gzip file ends in the middle; download or make it again")
    if len(data) > budget.largest:
        raise too_large(budget.largest)
    return data


def _too_many(budget: Budget) -> RefusedError:
    return RefusedError("too_many", f"has more than {budget.members:,} files; those behind are not read: split it")


def _damaged(error: BaseException) -> RefusedError:
    said = " ".join(str(error)[:100].split()).rstrip(".")
    return RefusedError("damaged", f"is damaged{': ' if said else ''}{said}; download or make it again")
