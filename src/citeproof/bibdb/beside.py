"""Processes that work beside a build: how each is started, and the marshalled messages by which they speak.

Each is a plain child that runs a module of ours. It sends values, ``None``, or a text, which says what is wrong.
"""

from __future__ import annotations

import marshal
import subprocess
from typing import IO, TYPE_CHECKING, Any

from citeproof import child_process
from citeproof.errors import BuildError

if TYPE_CHECKING:
    from pathlib import Path

PIPE_BYTES = 1 << 20
_PLAIN = 2
"""The version of marshal that looks for no value that occurs twice: a quarter faster, and an eighth longer."""


def start(module: str, path: Path, *options: str, hears: bool = False) -> subprocess.Popen[bytes]:
    """Start ``module`` for the file at ``path``; ``hears`` says that it is sent messages too.

    A group of its own keeps Ctrl-C from it: the build ends it.
    """
    return subprocess.Popen(  # noqa: S603 - our own module, and a path that is not interpreted
        child_process.command(module, path, *options),
        stdin=subprocess.PIPE if hears else None,
        stdout=subprocess.PIPE,
        env=child_process.environment(),
        pipesize=PIPE_BYTES,
        process_group=0,
    )


def send(stream: IO[bytes], content: Any) -> None:
    """Write ``content`` as a message to ``stream``."""
    stream.write(child_process.framed(marshal.dumps(content, _PLAIN)))


def receive(stream: IO[bytes] | None, stopped: str) -> Any:
    """Return the next message of a process from its ``stream``.

    Raises:
        BuildError: it says what is wrong, or has ended without a word, which is told as ``stopped``.
    """
    assert stream
    message = child_process.read_message(stream)
    if message is None:
        raise BuildError(stopped)
    content = marshal.loads(message)  # noqa: S302 - written by our own child, by the same Python
    if isinstance(content, str):
        raise BuildError(content)
    return content
