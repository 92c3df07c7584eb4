"""Write messages, reports and evidence.

A file appears only when it is complete, even if a signal stops the program.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click
from platformdirs import user_state_path

from citeproof.database.choice import AGE_NOTE
from citeproof.model.errors import BuildError, InputError, cannot_be
from citeproof.store.files import replacing
from citeproof.text.encodings import printable

if TYPE_CHECKING:
    from citeproof.verification.session import Session

STDOUT = Path("-")
OPTION = "--evidence"
SIGNALS = ("SIGTERM", "SIGHUP")
"""Signals that raise an exception, as Ctrl-C does in Python, so that temporary files are
removed.
"""


def say(*lines: str) -> None:
    """Print ``lines`` on standard error, with ``citeproof:`` before every line."""
    for line in lines:
        click.echo(f"citeproof: {printable(line)}", err=True)


def once_a_day(notes: Iterable[str]) -> tuple[str, ...]:
    """Return ``notes``, but without notes about an old database that were already returned
    today.
    """
    kept = tuple(notes)
    today = date.today().isoformat()
    path = user_state_path("citeproof") / "said"
    with suppress(OSError):  # showing a note again is better than an error
        old = [note for note in kept if note.startswith(AGE_NOTE)]
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        said = lines[1:] if lines[:1] == [today] else []
        kept = tuple(note for note in kept if note not in said)
        if new := [note for note in old if note not in said]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join([today, *said, *new]) + "\n", "utf-8")
    return kept


@contextmanager
def opened(path: Path | None, option: str = "--output") -> Iterator[TextIO]:
    """Context manager that opens a file for writing. The file appears when the block ends without
    an error.

    Without ``path``, the stream is standard output. A file that is replaced keeps its mode. If
    ``path`` is a link, the target is replaced. Raises :class:`InputError` before the block if the
    file cannot be written. The message names ``option``.
    """
    if path is None or path == STDOUT:
        yield sys.stdout
        return
    mode = _mode(path)
    if mode is not None and stat.S_ISDIR(mode):
        raise InputError(f"{path}: is a directory; {option} takes a file")
    if mode is not None and not stat.S_ISREG(mode):
        with _written(path.open("w", encoding="utf-8", errors="backslashreplace"), path) as stream:
            yield stream
        return
    target = path.resolve()
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        missing = (
            f"there is no folder {target.parent}"
            if isinstance(error, FileNotFoundError)
            else error.strerror
        )
        raise InputError(f"{path}: cannot be written: {missing}") from error
    try:
        with _written(
            os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline=""), path
        ) as stream:
            yield stream
        if mode is None:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        Path(name).chmod(stat.S_IMODE(mode))
        try:
            Path(name).replace(target)
        except OSError as error:  # on Windows, another program has the file open
            raise InputError(cannot_be("replaced", path, error)) from error
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


@contextmanager
def _written(stream: TextIO, path: Path) -> Iterator[TextIO]:
    """Context manager that closes ``stream``. If writing fails, raises :class:`InputError` with
    ``path`` in the message.
    """
    try:
        yield stream
        stream.flush()
    except OSError as error:
        if error.filename is None and not isinstance(error, BrokenPipeError):
            try:
                stream.flush()
            except OSError:  # the first error then came from this stream, and is reported
                raise InputError(cannot_be("written", path, error)) from error
        raise
    finally:
        with suppress(OSError):
            stream.close()


def replace_content(target: Path, data: bytes) -> None:
    """Replace or create a file in one step.

    The mode of the file is kept. Raises :class:`BuildError` on failure.
    """
    mode = _mode(target)
    with replacing(target) as building:
        building.write_bytes(data)
        if mode is not None:
            building.chmod(stat.S_IMODE(mode))


def refuse_in_use(
    output: Path | None, in_use: Iterable[tuple[Path, str]], option: str = "--output"
) -> None:
    """Raise :class:`InputError` if ``output`` is a file in ``in_use``, which has pairs such as
    (path, "the cache").
    """
    if output is None or output == STDOUT:
        return
    for path, what in in_use:
        with suppress(OSError, RuntimeError):  # a path does not exist, or is a link to itself
            if output.resolve() == path.resolve() or output.samefile(path):
                raise InputError(f"{output}: is {what}; {option} takes another file")


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(cannot_be("written", path, error)) from error


@contextmanager
def keeping(session: Session, path: Path | None) -> Iterator[Session]:
    """Context manager with a copy of ``session`` that writes evidence to ``path``. Raises
    InputError if that fails.
    """
    if path is None:
        yield session
        return
    from citeproof.verification.evidence.line import Keeper

    with opened(path, OPTION) as out:
        keeper = Keeper(out, session.validator, session.describe_database(), date.today)
        yield session.observed(keeper)
        if keeper.trouble:
            raise InputError(cannot_be("written", path, keeper.trouble)) from keeper.trouble


def refuse_evidence_in_use(
    path: Path | None, output: Path | None, in_use: list[tuple[Path, str]]
) -> None:
    """Raise :class:`InputError` if the evidence file ``path`` is ``output`` or a file in
    ``in_use``.
    """
    if path == STDOUT:
        raise InputError(f"{OPTION}: names a file; standard output is the report's")
    refuse_in_use(
        path, [*in_use, *([(output, "the report of this run")] if output else [])], OPTION
    )


@contextmanager
def stoppable(*, building: bool = False) -> Iterator[None]:
    """Context manager in which :data:`SIGNALS` raise KeyboardInterrupt, or BuildError if
    ``building`` is set.
    """

    def stop(number: int, _: object) -> None:
        name = signal.Signals(number).name
        raise (
            BuildError(f"stopped by {name}; nothing was changed")
            if building
            else KeyboardInterrupt(name)
        )

    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    # a signal that is already ignored, as under nohup, stays ignored
    before = {
        number: signal.signal(number, stop)
        for number in numbers
        if signal.getsignal(number) != signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
