"""Read zip, tar and gzip archives. Members are read into memory, so the paths that an archive names
are never written to.
"""

import posixpath
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from io import BytesIO
from typing import IO

from citeproof.readers.document import (
    GZIP,
    TAR,
    TAR_AT,
    ZIP,
    Budget,
    Document,
    RefusedError,
    read_at_most,
    too_large,
)

_FAULTS = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    OverflowError,
)
"""Exceptions that the standard library raises if an archive is damaged or uses an unknown
compression.
"""
# maximum number of bytes of a zip file's central directory: about 500,000 file names
_DIRECTORY = 64 * 2**20


@dataclass(slots=True)
class Archive:
    """A zip or tar archive, with functions that read the files in it."""

    name: str
    read: dict[str, Callable[[], bytes]] = field(default_factory=dict)
    """Map from the path of each file to a function that returns the bytes of the file, or raises
    :class:`RefusedError`.
    """
    # pairs (path, reason) of the files that cannot be read
    refused: list[tuple[str, RefusedError]] = field(default_factory=list)
    close: Callable[[], object] = tuple
    office: bool = False  # whether the archive is an office document, such as a .docx file

    def add(self, members: Iterable[tuple[str, Callable[[], bytes], bool]], most: int) -> None:
        """Add at most ``most`` of the files ``members``. Each file is a tuple: its path, a function
        that returns its bytes, and whether it is a link.
        """
        for number, (path, read, is_link) in enumerate(members):
            if number == most:
                fault = RefusedError(
                    "too_many", f"has more than {most:,} files; the rest is not read: split it"
                )
                self.refused.append(("", fault))
                return
            if (inside := path_inside("", path)) is None:
                self.refused.append(
                    (path, RefusedError("outside", "leads out of its archive, and is not read"))
                )
            elif inside == ".":
                self.refused.append(
                    ("", RefusedError("damaged", "has a member without a name, which is not read"))
                )
            elif is_link:
                message = "is a link, and is not followed; pack the file itself"
                self.refused.append((inside, RefusedError("link", message)))
            else:
                self.read[inside] = read

    def neighbour(self, folder: str, name: str) -> Document | None:
        """Return the file ``folder/name`` in the archive, or None if it does not exist or cannot be
        read.
        """
        path = path_inside(folder, name)
        if path in self.read:
            with suppress(RefusedError):
                return Document.of(
                    f"{self.name}/{path}",
                    self.read[path](),
                    neighbour=partial(self.neighbour, folder),
                )
        return None


def path_inside(folder: str, name: str) -> str | None:
    """Return the normalised path ``folder/name``, or None if it leads out of the archive, as
    ``../refs.bib`` does from the top folder.
    """
    name = name.replace("\\", "/")
    path = posixpath.normpath(posixpath.join(folder, name))
    is_outside = (
        "\0" in name
        or name.startswith("/")
        or name[1:2] == ":"
        or path == ".."
        or path.startswith("../")
    )
    return None if is_outside else path


def open_archive(name: str, stream: IO[bytes], budget: Budget) -> Archive | bytes:
    """Open the zip or tar archive in ``stream``, which may be gzipped. ``budget`` limits the
    unpacking.

    If ``stream`` is a gzip file that contains no tar archive, return its unpacked content instead.
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
                with stream:
                    data = read_at_most(stream, budget.largest)
                if not whole:
                    message = (
                        "is damaged: the gzip file ends in the middle; download or make it again"
                    )
                    raise RefusedError("damaged", message)
                if len(data) > budget.largest:
                    raise too_large(budget.largest)
                return data
        return _tar(name, stream, budget)
    except _FAULTS as error:
        raise _damaged(error) from error


def open_office(document: Document) -> Archive:
    """Open an office document, which is a zip archive. Raises :class:`RefusedError` if this is not
    possible.
    """
    archive = open_archive(
        document.name, BytesIO(document.data), replace(document.unpacking or Budget())
    )
    if isinstance(archive, bytes):
        raise RefusedError("damaged", "is not an office document")
    return archive


def _zip(name: str, stream: IO[bytes], budget: Budget) -> Archive:
    if _directory_size(stream) > _DIRECTORY:
        raise RefusedError(
            "too_large", f"its list of members has more than {_DIRECTORY // 2**20} MB; split it"
        )
    # creates an object for every file that the central directory lists
    opened = zipfile.ZipFile(stream)
    names = opened.namelist()
    # The first name is in every Office Open XML document. The second is the name of the first file
    # in OpenDocument and EPUB documents.
    archive = Archive(
        name, close=opened.close, office="[Content_Types].xml" in names or names[:1] == ["mimetype"]
    )
    members = (
        (
            info.filename,
            partial(_read_zipped, opened, info, budget),
            stat.S_ISLNK(info.external_attr >> 16),
        )
        for info in opened.infolist()
        if not info.filename.endswith("/")  # a folder
    )
    archive.add(members, budget.members)
    return archive


def _directory_size(stream: IO[bytes]) -> int:
    """Return the size in bytes that a zip file states for its central directory, or 0 if it states
    none.
    """
    stream.seek(max(0, stream.seek(0, 2) - 66_000))
    tail = stream.read()
    stream.seek(0)
    end, larger = tail.rfind(b"PK\x05\x06"), tail.rfind(b"PK\x06\x06")
    if larger >= 0 and len(tail) >= larger + 48:
        return int.from_bytes(tail[larger + 40 : larger + 48], "little")
    return int.from_bytes(tail[end + 12 : end + 16], "little") if end >= 0 else 0


def _read_zipped(opened: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> bytes:
    if info.flag_bits & 1:
        raise RefusedError("protected", "is protected by a password; pack it again without one")
    return _read(partial(opened.open, info), info.file_size, info.compress_size, budget)


def _read(
    open_member: Callable[[], IO[bytes] | None], size: int, packed: int, budget: Budget
) -> bytes:
    """Read one file of an archive. The file has ``packed`` bytes in the archive and ``size`` bytes
    after unpacking. ``open_member`` opens it, and ``budget`` limits the unpacking.
    """
    if size > budget.largest:
        raise too_large(budget.largest)
    budget.unpacked(size, packed)
    try:
        with open_member() or BytesIO() as stream:
            return read_at_most(stream, size)
    except _FAULTS as error:
        raise _damaged(error) from error


def _tar(name: str, stream: IO[bytes], budget: Budget) -> Archive:
    opened = tarfile.open(fileobj=stream, mode="r:")  # noqa: SIM115 - it is closed with its archive
    archive = Archive(name, close=stream.close)
    members = (
        (
            info.name,
            partial(_read, partial(opened.extractfile, info), info.size, info.size, budget),
            not info.isreg(),
        )
        for info in opened
        if not info.isdir()
    )
    try:
        archive.add(members, budget.members)
    except _FAULTS as error:  # the members before the damaged one are read
        archive.refused.append(("", _damaged(error)))
    return archive


def _gunzipped(stream: IO[bytes], budget: Budget) -> tuple[IO[bytes], bool]:
    """Return a stream of the unpacked content of the gzip file ``stream``, and whether this content
    is complete.
    """
    packed = stream.seek(0, 2)
    stream.seek(0)
    # it is closed with its archive
    unpacked: IO[bytes] = tempfile.SpooledTemporaryFile(32 * 2**20)  # noqa: SIM115
    size, whole, most = 0, False, budget.most_of(packed)
    try:
        for data in _pieces(stream):
            size += unpacked.write(data)
            if size > most:
                break
        whole = size <= most
    except zlib.error:
        if not size:
            raise
    budget.unpacked(size, packed)
    unpacked.seek(0)
    return unpacked, whole


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the unpacked content of the gzip file ``stream`` in blocks of at most 1 MB.

    Raises zlib.error if the file is cut off.
    """
    engine = zlib.decompressobj(wbits=31)
    for chunk in iter(lambda: stream.read(2**20), b""):
        rest = chunk
        while rest:
            if engine.eof:  # another gzip member may follow, or padding, which is ignored
                if not rest.startswith(GZIP):
                    return
                engine = zlib.decompressobj(wbits=31)
            yield engine.decompress(rest, 2**20)
            rest = engine.unused_data if engine.eof else engine.unconsumed_tail
    if not engine.eof:
        raise zlib.error("the gzip file ends in the middle")


def _damaged(error: BaseException) -> RefusedError:
    said = " ".join(str(error)[:100].split()).rstrip(".")
    return RefusedError(
        "damaged", f"is damaged{': ' if said else ''}{said}; download or make it again"
    )
