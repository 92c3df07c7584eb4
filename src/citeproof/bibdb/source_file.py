"""A source file as bytes, plain or gzip, with how much of it has been read."""

from __future__ import annotations

import gzip
import os
import zlib
from pathlib import Path
from typing import IO, cast

from citeproof.errors import BuildError

STANDARD_INPUT = Path("-")
_GZIP = b"\x1f\x8b"


class SourceFile:
    """The decompressed bytes of a file; faults of the file become one clear line."""

    def __init__(self, path: Path) -> None:
        """Open ``path``; raise :class:`BuildError` when that fails or the file is empty."""
        self.path = path
        try:
            self._raw = path.open("rb") if path != STANDARD_INPUT else open(0, "rb", closefd=False)  # noqa: SIM115
            self.size = os.fstat(self._raw.fileno()).st_size
            """Bytes of the file; 0 where they cannot be known, as of a pipe."""
            beginning = self._raw.peek(2)
        except FileNotFoundError:
            raise BuildError(f"{path}: no such file") from None
        except OSError as error:
            raise BuildError(f"{path}: cannot be read: {error.strerror}") from error
        if not beginning:
            self._raw.close()
            raise BuildError(f"{path}: is empty")
        zipped = beginning.startswith(_GZIP)
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
