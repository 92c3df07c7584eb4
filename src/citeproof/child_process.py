"""Child processes that run a module of ours and speak with us over pipes, in messages: a length, then so many bytes.

A build reads its source in one, the web service searches in one.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_LENGTH_BYTES = 4
_MOST_BYTES = 1 << 27
"""No message that is put together from parts is longer; any text that somebody prints into the pipe, read as a
length, is."""


def command(module: str, *arguments: object) -> list[str]:
    """Return what runs ``module``; modules of the folder that it runs in are not taken for ours."""
    return [sys.executable, "-P", "-m", module, *map(str, arguments)]


def environment() -> dict[str, str]:
    """Return our own environment, with modules to be found where we found them and nowhere else."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)}


def framed(content: bytes) -> bytes:
    """Return ``content`` as a message."""
    return len(content).to_bytes(_LENGTH_BYTES) + content


def read_message(stream: IO[bytes]) -> bytes | None:
    """Return the content of the next message of ``stream``; None where it ends, also in the middle of one."""
    head = stream.read(_LENGTH_BYTES)
    length = int.from_bytes(head)
    content = stream.read(length)
    return content if len(head) == _LENGTH_BYTES and len(content) == length else None


class Unframer:
    """Puts messages together again from the parts in which they arrive."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the contents that ``data`` completes; raise :class:`ValueError` for what is no message."""
        self._data += data
        while len(self._data) >= _LENGTH_BYTES:
            end = _LENGTH_BYTES + int.from_bytes(self._data[:_LENGTH_BYTES])
            if end > _MOST_BYTES:
                raise ValueError("not a message")
            if len(self._data) < end:
                return
            content = bytes(self._data[_LENGTH_BYTES:end])
            del self._data[:end]
            yield content
