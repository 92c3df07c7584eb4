"""A document: what a user hands in, as bytes and as text, with what lies beside it."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Protocol

from citeproof.text.encodings import NotTextError, decode, printable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from citeproof.inputs.limits import Budget
    from citeproof.models import Span

_CRLF = re.compile("\r\n")
_BINARY = (b"%PDF-", b"\x1f\x8b", b"PK\x03\x04")
"""Beginnings of files that are no text, even where their first bytes could be some."""


class Neighbours(Protocol):
    """What lies beside a document: files of its folder, or members of its archive."""

    def find(self, name: str) -> Document | None:
        """Return the neighbour called ``name``; None where there is none, or where it lies outside the folder."""


class Nobody:
    """The neighbours of a document that stands alone, such as standard input."""

    def find(self, name: str) -> Document | None:
        """Return None."""
        del name
        return None


NOBODY = Nobody()


@dataclass(frozen=True, slots=True)
class Document:
    """What a user hands in."""

    name: str
    """As the user gave it, what cannot be printed escaped; ``<stdin>`` for standard input."""
    data: bytes
    text: str
    """The data decoded, with line feeds as ends of line and no other control character than tabs; empty for binary."""
    encoding: str
    """The encoding of the data; empty where it is no text."""
    path: Path | None = None
    """The file; None where it is none, such as standard input or a member of an archive."""
    neighbours: Neighbours = NOBODY
    format: str = ""
    """The format that the user says it has; empty: to be found out."""
    everything: bool = False
    """The user wants all entries checked, not only those that the paper cites."""
    unpacking: Budget | None = field(default=None, compare=False)
    """What it may become where it is packed itself, as a Word document is; None: as much as anything may."""

    @classmethod
    def of(
        cls, name: str, data: bytes, *, path: Path | None = None, neighbours: Neighbours = NOBODY, said: str = ""
    ) -> Document:
        """Return ``data`` as a document, decoded; ``said`` is the format that the user says it has."""
        text, encoding = "", ""
        if not data.startswith(_BINARY):
            with suppress(NotTextError):
                text, encoding = decode(data)
        return cls(printable(name), data, text, encoding, path, neighbours, said)

    @classmethod
    def of_text(cls, text: str, name: str = "") -> Document:
        """Return ``text``, taken as it is, as a document."""
        return cls(name, text.encode("utf-8", "surrogatepass"), text, "utf-8")

    @property
    def suffix(self) -> str:
        """The end of its name from the last dot on, in lower case; empty where there is none."""
        return PurePath(self.name).suffix.lower()

    @property
    def is_text(self) -> bool:
        """Whether its data is text."""
        return bool(self.encoding)

    def edits_in_bytes(self, edits: Iterable[tuple[Span, str]]) -> tuple[tuple[int, int, bytes], ...]:
        """Return ``edits`` of :attr:`text`, in order and apart from each other, as edits of :attr:`data`.

        Each is the first byte, the end, and the bytes that come instead. The whole takes one pass. The text has one
        line feed where the data may have a carriage return and a line feed: in ``b"a\\r\\nb"`` the ``b`` is at 2 in the
        text and at 3 in the data.
        """
        written = self.data.decode(self.encoding)
        at_byte = len(self.data) - len(self._encoded(written))
        ends = [match.start() - count for count, match in enumerate(_CRLF.finditer(written))]
        found: list[tuple[int, int, bytes]] = []
        at = 0
        for span, text in edits:
            start, end = (offset + bisect_left(ends, offset) for offset in (span.start, span.end))
            first = at_byte + len(self._encoded(written[at:start]))
            at, at_byte = end, first + len(self._encoded(written[start:end]))
            found.append((first, at_byte, self._encoded(text)))
        return tuple(found)

    def edited(self, edits: Iterable[tuple[Span, str]]) -> Document:
        """Return this document with ``edits``; every other byte is as it was."""
        pieces, at = [], 0
        for start, end, content in self.edits_in_bytes(edits):
            pieces += [self.data[at:start], content]
            at = end
        data = b"".join([*pieces, self.data[at:]])
        return Document.of(self.name, data, path=self.path, neighbours=self.neighbours, said=self.format)

    def _encoded(self, text: str) -> bytes:
        """Return ``text`` in the document's encoding, without a byte order mark."""
        encoding = {"utf-8-sig": "utf-8"}.get(self.encoding, self.encoding)
        if encoding in {"utf-16", "utf-32"}:
            encoding += "-le" if self.data[:2] == codecs.BOM_UTF16_LE else "-be"
        return text.encode(encoding)
