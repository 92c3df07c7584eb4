"""A source file as bytes, plain or gzip, with how much of it has been read."""

from __future__ import annotations

import gzip
import zlib
from typing import IO, TYPE_CHECKING, cast

from citeproof.errors import BuildError

if TYPE_CHECKING:
    from pathlib import Path

_GZIP = b"\x1f\x8b"


class SourceFile:
    """The decompressed bytes of a file; faults of the file become one clear line."""

    def __init__(self, path: Path) -> None:
        """Open ``path``; raise :class:`BuildError` when that fails or the file is empty."""
        self.path = path
        try:
            self._raw = path.open("rb")
            self.size = path.stat().st_size
            zipped = self._raw.peek(2)[:2] == _GZIP
        except OSError as error:
            raise BuildError(f"{path}: cannot be read: {error.strerror}") from error
        if not self.size:
            self._raw.close()
            raise BuildError(f"{path}: is empty")
        self._bytes = cast("IO[bytes]", gzip.GzipFile(fileobj=self._raw)) if zipped else self._raw
        self._ahead = b""

    def read(self, size: int) -> bytes:
        """Return the next ``size`` bytes or fewer, none at the end."""
        if self._ahead:
            chunk, self._ahead = self._ahead, b""
            return chunk
        try:
            return self._bytes.read(size)
        except EOFError:
            raise BuildError(f"{self.path}: the gzip file ends in the middle; fetch it again") from None
        except (zlib.error, gzip.BadGzipFile) as error:
            raise BuildError(f"{self.path}: the gzip file is damaged ({error}); fetch it again") from None
        except OSError as error:
            raise BuildError(f"{self.path}: cannot be read: {error.strerror}") from error

    def peek(self, size: int) -> bytes:
        """Return up to ``size`` bytes from the beginning, before anything is read."""
        if not self._ahead:
            self._ahead = self.read(size)
        return self._ahead

    @property
    def position(self) -> int:
        """Bytes of the file itself, of :attr:`size`, that have been read."""
        return self._raw.tell()

    def close(self) -> None:
        """Close the file."""
        self._bytes.close()
        self._raw.close()
