"""Where a report goes: standard output, or a file that appears complete or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from citeproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def opened(path: Path | None) -> Iterator[TextIO]:
    """Yield the stream to write to; a file takes its place only when the block ends well.

    Raises :class:`InputError` at once, before any work, when the file could not be written.
    """
    if path is None or path == Path("-"):
        yield sys.stdout
        return
    if path.exists() and not path.is_file():
        if path.is_dir():
            raise InputError(f"{path}: is a directory; --output takes a file")
        with path.open("w", encoding="utf-8", errors="backslashreplace") as stream:
            yield stream
        return
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            yield stream
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
