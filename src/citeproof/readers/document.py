"""Documents to be read, folders and archives of documents, and limits on their sizes."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath, PurePosixPath
from typing import IO, TypeAlias

from citeproof.model.reference import Diagnostic, Span
from citeproof.text.encodings import KEPT, NotTextError, decode, printable

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
GZIP = b"\x1f\x8b"
TAR, TAR_AT = b"ustar", 257


def is_archive(beginning: bytes) -> bool:
    """Return whether a file is a zip, gzip or tar archive. ``beginning`` must contain the first 262
    bytes of the file.
    """
    return beginning.startswith((*ZIP, GZIP)) or beginning[TAR_AT : TAR_AT + len(TAR)] == TAR


@dataclass(frozen=True, slots=True)
class Collection:
    """A folder or an archive. Each file in it is opened only when it is read."""

    # name given by the user, or ``outer.zip/inner.tar`` for an archive inside another archive
    name: str
    # the files in the folder or archive and in its subfolders, sorted by name
    members: tuple[Member, ...]
    # diagnostics of files that are not read, such as links and damaged files
    diagnostics: tuple[Diagnostic, ...] = ()
    close: Callable[[], object] = tuple  # closes the archive; does nothing for a folder
    format: str = ""  # name of the input format, such as ``bibtex``; empty to detect the format
    # whether to check all entries of a bibliography, not only the cited entries
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """A file in a folder or an archive."""

    name: str  # path that begins with the folder or archive: ``papers.zip/12/main.tex``
    open: Callable[[], Opened]

    @property
    def folder(self) -> str:
        """Path of the folder that contains the file: ``papers.zip/12`` for
        ``papers.zip/12/main.tex``.
        """
        return str(PurePosixPath(self.name).parent)

    @property
    def stem(self) -> str:
        """Path without the suffix: ``papers.zip/12/main`` for ``papers.zip/12/main.tex``."""
        path = PurePosixPath(self.name)
        return str(path.with_suffix("")) if path.name else ""  # pasted text has no name

    @property
    def suffix(self) -> str:
        """Suffix of the name in lower case, such as ``.bib``, or an empty text."""
        return PurePosixPath(self.name).suffix.lower()


Opened: TypeAlias = "Document | Collection | Diagnostic"
"""Result of opening a file name: a document, a folder or archive, or a diagnostic with the reason
why it could not be opened.
"""
Neighbour: TypeAlias = "Callable[[str], Document | None]"
"""Function that returns the file at a path relative to the folder of a document, or None if this
file does not exist.
"""


def alone(_name: str) -> Document | None:
    """Return None: a document without a folder, such as standard input, has no neighbours. See
    :data:`Neighbour`.
    """
    return None


@dataclass(frozen=True, slots=True)
class Document:
    """Name and content of a file, of standard input, or of a file in an archive."""

    name: str  # the name that the user gave, with unprintable characters escaped, or ``<stdin>``
    data: bytes
    text: str
    """The data as text, with line feeds as line ends, and without control characters except tabs.
    Empty for binary data.
    """
    encoding: str  # name of the text encoding, such as ``utf-8``; empty for binary data
    path: Path | None = None  # the file on disk; None for standard input and files in archives
    neighbour: Neighbour = alone
    format: str = ""  # name of the input format, such as ``bibtex``; empty to detect the format
    # whether to check all entries of a bibliography, not only the cited entries
    everything: bool = False
    unpacking: Budget | None = field(default=None, compare=False)
    """Limits for unpacking a Word document, which is a zip archive. None for the default limits."""
    macros: Mapping[str, str] = field(default_factory=dict, compare=False)
    """``@string`` macros from the BibTeX files that are read before this document."""

    @classmethod
    def of(
        cls, name: str, data: bytes, *, path: Path | None = None, neighbour: Neighbour = alone
    ) -> Document:
        """Return a document with the bytes ``data``, which are decoded if they are text.
        ``neighbour`` finds other files in the folder of the document.
        """
        text = encoding = ""
        # These files are binary, although their first bytes may be valid text.
        if not data.startswith((b"%PDF-", GZIP, ZIP[0])):
            with suppress(NotTextError):
                text, encoding = decode(data)
        return cls(printable(name), data, text, encoding, path, neighbour)

    @classmethod
    def of_text(cls, text: str, name: str = "") -> Document:
        """Return a document that contains ``text``."""
        return cls(name, text.encode("utf-8", "surrogatepass"), text, "utf-8")

    @property
    def suffix(self) -> str:
        """Suffix of the name in lower case, such as ``.bib``, or an empty text."""
        return PurePath(self.name).suffix.lower()

    @property
    def is_text(self) -> bool:
        """Whether the data is text."""
        return bool(self.encoding)

    def line_of_stray_byte(self) -> int:
        """Return the number, from 1, of the first line with a byte that is invalid in
        :attr:`encoding`. Return 0 if all bytes are valid.
        """
        try:
            self.data.decode(self.encoding)
        except UnicodeDecodeError as error:
            return self.data.count(b"\n", 0, error.start) + 1
        return 0

    def beside(self, suffix: str) -> Document | None:
        """Return the text file in the same folder whose name differs only in the suffix: ``a.bbl``
        for ``a.tex``, if ``suffix`` is ``.bbl``. None if there is no such file.
        """
        stem = PurePath(self.name).stem
        found = self.neighbour(f"{stem}{suffix}") if stem else None
        return found if found and found.is_text else None

    def edits_in_bytes(
        self, edits: Iterable[tuple[Span, str]]
    ) -> tuple[tuple[int, int, bytes], ...]:
        r"""Convert edits of :attr:`text` to edits of :attr:`data`. ``edits`` must be sorted and
        must not overlap.

        Each resulting edit has start and end of a range, and the bytes that replace this range.
        Offsets in text and data differ if line ends were changed for the text: the ``b`` of
        ``b"a\r\nb"`` is at offset 3 in the data and at offset 2 in the text.
        """
        written = self.data.decode(self.encoding, KEPT)
        at_byte = len(self.data) - len(self._encoded(written))
        breaks = re.finditer("\r\n", written) if self.text != written else ()
        ends = [match.start() - count for count, match in enumerate(breaks)]
        found: list[tuple[int, int, bytes]] = []
        at = 0
        for span, text in edits:
            start, end = (offset + bisect_left(ends, offset) for offset in (span.start, span.end))
            first = at_byte + len(self._encoded(written[at:start]))
            at, at_byte = end, first + len(self._encoded(written[start:end]))
            found.append((first, at_byte, self._encoded(text)))
        return tuple(found)

    def edited(self, edits: Iterable[tuple[Span, str]]) -> Document:
        """Return a copy of this document with ``edits`` applied to its text. All other bytes stay
        as they are.
        """
        pieces, at = [], 0
        for start, end, content in self.edits_in_bytes(edits):
            pieces += [self.data[at:start], content]
            at = end
        edited = Document.of(
            self.name, b"".join([*pieces, self.data[at:]]), path=self.path, neighbour=self.neighbour
        )
        return replace(edited, format=self.format)

    def _encoded(self, text: str) -> bytes:
        """Return ``text`` in the encoding of this document, without a byte order mark."""
        encoding = {"utf-8-sig": "utf-8"}.get(self.encoding, self.encoding)
        if encoding in {"utf-16", "utf-32"}:
            encoding += "-le" if self.data[:2] == codecs.BOM_UTF16_LE else "-be"
        return text.encode(encoding, KEPT)


LARGEST = 256 * 2**20
"""Maximum number of bytes of a document."""
MOST_MEMBERS = 100_000
"""Maximum number of files that are read from a folder or archive."""
DENSEST = 100
"""Maximum ratio of unpacked to packed bytes. TeX files have ratios of up to 5, long .bib files of
up to 20, and malicious "zip bombs" of 1,000.
"""
# number of unpacked bytes that a file may have beyond ``DENSEST`` times its packed size
_FREE = 2**20
MOST_UNPACKED = 4 * 2**30
"""Maximum number of unpacked bytes of an archive, including the archives inside it."""
DEEPEST = 3
"""Maximum number of archives nested in each other. A gzip file in a tar file in a zip file are
3.
"""


class RefusedError(Exception):
    """Raised if a document cannot be opened. ``code`` is the end of the code of its diagnostic,
    such as ``bomb`` for ``document.bomb``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def too_large(largest: int = LARGEST) -> RefusedError:
    """Return the error that says that a document has more than ``largest`` bytes."""
    return RefusedError("too_large", f"has more than {largest // 2**20} MB; split it")


def read_at_most(stream: IO[bytes], most: int) -> bytes:
    """Return at most ``most`` + 1 bytes of ``stream``. A result of ``most`` + 1 bytes means that
    the stream is longer than ``most`` bytes.
    """
    # Python allocates memory for a whole read in advance, so each read asks for at most 1 MB.
    data = bytearray()
    while piece := stream.read(min(most + 1 - len(data), 2**20)):
        data += piece
    return bytes(data)


@dataclass(slots=True)
class Budget:
    """Limits for unpacking an archive and the archives nested in it. Each unpacking reduces
    ``left``.
    """

    left: int = MOST_UNPACKED  # number of bytes that may still be unpacked
    largest: int = LARGEST  # maximum number of bytes of a document in the archive
    members: int = MOST_MEMBERS  # maximum number of files in each archive
    most: int = field(init=False)  # initial value of ``left``

    def __post_init__(self) -> None:
        self.most = self.left

    def most_of(self, packed: int) -> int:
        """Return the maximum number of bytes to which a file of ``packed`` bytes may be
        unpacked.
        """
        return min(_FREE + DENSEST * packed, self.left)

    def unpacked(self, size: int, packed: int) -> None:
        """Subtract ``size`` bytes, which were unpacked from ``packed`` bytes, from :attr:`left`.

        Raises :class:`RefusedError` if a limit is exceeded.
        """
        # Example: 3 KB that unpack to 1 MB are accepted, because 1 MB <= _FREE + 100 * 3 KB. 3 KB
        # that unpack to 3 MB are refused, because 3 MB > _FREE + 100 * 3 KB = 1.3 MB. Files that
        # are accepted one by one are refused once they unpack to more than 4 GB together.
        if size > _FREE + DENSEST * packed:
            raise RefusedError(
                "bomb",
                (
                    f"unpacks to more than {DENSEST} times its size; if you trust it, unpack it "
                    "yourself"
                ),
            )
        if size > self.left:
            unit, name = next(
                each
                for each in ((2**30, "GB"), (2**20, "MB"), (1, "bytes"))
                if self.most >= each[0]
            )
            raise RefusedError(
                "bomb", f"its archive unpacks to more than {self.most // unit} {name}; split it"
            )
        self.left -= size
