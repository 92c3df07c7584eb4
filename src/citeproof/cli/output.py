"""Where a report goes: standard output, or a file that appears complete or not at all."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from citeproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STDOUT = Path("-")


@contextmanager
def opened(path: Path | None, option: str = "--output") -> Iterator[TextIO]:
    """Yield the stream to write to; a file takes its place only when the block ends well.

    A file that is replaced keeps its mode. A link is followed: what it names is replaced, and the link stays.
    Raises :class:`InputError` at once, before any work, when the file could not be written.
    """
    if path is None or path == STDOUT:
        yield sys.stdout
        return
    mode = _mode(path)
    if mode is not None and not stat.S_ISREG(mode):
        if stat.S_ISDIR(mode):
            raise InputError(f"{path}: is a directory; {option} takes a file")
        with _written(path.open("w", encoding="utf-8", errors="backslashreplace"), path) as stream:
            yield stream
        return
    target = path.resolve()
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        written = os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="")
        with _written(written, path) as stream:
            yield stream
        Path(name).chmod(0o666 & ~_umask() if mode is None else stat.S_IMODE(mode))
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


@contextmanager
def _written(stream: TextIO, path: Path) -> Iterator[TextIO]:
    """Yield ``stream`` and close it; where it cannot be written, raise :class:`InputError`, which names ``path``."""
    try:
        yield stream
        stream.flush()
    except OSError as error:
        if error.filename is None and not isinstance(error, BrokenPipeError) and _fails(stream):
            raise InputError(f"{path}: cannot be written: {error.strerror}") from error
        raise
    finally:
        with suppress(OSError):
            stream.close()


def _fails(stream: TextIO) -> bool:
    """Whether what was written to ``stream`` cannot be passed on: then it is to blame, and not another stream."""
    try:
        stream.flush()
    except OSError:
        return True
    return False


def replace_content(target: Path, data: bytes) -> None:
    """Put ``data`` in the place of the content of ``target`` in one step; its mode stays.

    Raises :class:`OSError` when it cannot be written; then ``target`` is as it was.
    """
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(handle)
        Path(name).chmod(stat.S_IMODE(target.stat().st_mode))
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def refuse_in_use(output: Path | None, in_use: Iterable[tuple[Path, str]], option: str = "--output") -> None:
    """Raise :class:`InputError` when ``output`` would replace a file of ``in_use``, each with what it is."""
    if output is None or output == STDOUT:
        return
    for path, what in in_use:
        if _same(output, path):
            raise InputError(f"{output}: is {what}; {option} takes another file")


def _same(one: Path, other: Path) -> bool:
    try:
        return one.resolve() == other.resolve() or one.samefile(other)
    except (OSError, RuntimeError):  # one does not exist, or is a link to itself
        return False


def _mode(path: Path) -> int | None:
    """Return the type and permissions of a file; None where there is none."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
