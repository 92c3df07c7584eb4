"""A source file as bytes, plain or gzip, with how much of it has been read."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from pathlib import Path
from typing import IO, Protocol, cast

from citeproof.errors import BuildError

STANDARD_INPUT = Path("-")
_GZIP = b"\x1f\x8b"


class Reading(Protocol):
    """What a build knows of something that it reads."""

    path: Path
    size: int
    """Bytes in all; 0 where they cannot be known, as of a pipe."""

    @property
    def position(self) -> int:
        """Bytes that have been read of :attr:`size`."""

    def close(self) -> None:
        """Let go of it."""


class SourceFile:
    """The decompressed bytes of a file; faults of the file become one clear line."""

    first_line = 1
    """The number of the line that it begins with."""

    def __init__(self, path: Path, stream: IO[bytes] | None = None) -> None:
        """Open ``path``, or read ``stream``, a member of an archive that is called ``path``.

        Raises :class:`BuildError` when that fails or the file is empty.
        """
        self.path = path
        try:
            self._raw = _opened(path) if stream is None else io.BufferedReader(cast("io.RawIOBase", stream))
            self.size = os.fstat(self._raw.fileno()).st_size if stream is None else 0
            """Bytes of the file; 0 where they cannot be known, as of a pipe."""
            beginning = self._raw.peek(2)
        except FileNotFoundError:
            raise BuildError(f"{path}: no such file") from None
        except (OSError, EOFError, zlib.error) as error:
            raise BuildError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
        if not beginning:
            self._raw.close()
            raise BuildError(f"{path}: is empty")
        zipped = beginning.startswith(_GZIP)
        self._bytes = cast("IO[bytes]", gzip.GzipFile(fileobj=self._raw)) if zipped else self._raw
        self._ahead = b""

    def read(self, size: int) -> bytes:
        """Return the next ``size`` bytes or fewer, none at the end."""
        if self._ahead:
            chunk, self._ahead = self._ahead[:size], self._ahead[size:]
            return chunk
        try:
            return self._bytes.read(size)
        except EOFError:
            raise BuildError(f"{self.path}: the gzip file ends in the middle; fetch it again") from None
        except (zlib.error, gzip.BadGzipFile) as error:
            raise BuildError(f"{self.path}: the gzip file is damaged ({error}); fetch it again") from None
        except OSError as error:
            raise BuildError(f"{self.path}: cannot be read: {error.strerror or error}") from error

    def read_all(self) -> bytes:
        """Return all bytes that are left."""
        return b"".join(iter(lambda: self.read(1 << 20), b""))

    def peek(self, size: int) -> bytes:
        """Return up to ``size`` bytes from the beginning, before anything is read."""
        if not self._ahead:
            self._ahead = self.read(size)
        return self._ahead

    @property
    def position(self) -> int:
        """Bytes of the file itself, of :attr:`size`, that have been read."""
        return self._raw.tell() if self.size else 0

    def close(self) -> None:
        """Close the file."""
        self._bytes.close()
        self._raw.close()


def _opened(path: Path) -> io.BufferedReader:
    return path.open("rb") if path != STANDARD_INPUT else open(0, "rb", closefd=False)
