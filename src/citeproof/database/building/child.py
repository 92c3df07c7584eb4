"""Child processes of the build of a database, which use all processor cores.

A child process runs a generator function, called the task. The task receives values from the build,
and the values that it yields are sent to the build. Ctrl-C reaches only the build. A child process
ends when the build closes the pipes.
"""

import json
import marshal
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from citeproof import processes
from citeproof.model.errors import BuildError

# version of the ``marshal`` format: 25 % faster than newer versions, but 12 % more bytes
_MARSHAL_VERSION = 2


class Child:
    """A child process that runs the generator function ``task``.

    Iteration yields the values that ``task`` yields.

    The child process calls ``task(values, path, *options)``. ``values`` is an iterator over the
    values that :meth:`send` sends. ``options`` are JSON values. ``stopped`` is the error message if
    the child process is killed.
    """

    def __init__(
        self, stopped: str, task: Callable[..., Iterator[Any]], path: Path, *options: Any
    ) -> None:
        self._stopped = f"{path}: {stopped}"
        # the command runs a module of citeproof, without a shell that could interpret the path
        self._process = subprocess.Popen(  # noqa: S603
            processes.command(__name__, task.__module__, task.__name__, path, json.dumps(options)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=processes.environment(),
            pipesize=1 << 20,
            process_group=0,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._questions, self._answers = self._process.stdin, self._process.stdout

    def send(self, value: Any) -> None:
        """Send ``value`` to the child process.

        Raises :class:`BuildError` if the child process has failed.
        """
        try:
            _write(self._questions, value)
        except BrokenPipeError:
            deque(self, 0)  # reads the values that were sent before the failure; the error is last
            raise BuildError(self._stopped) from None

    def receive(self) -> Any:
        """Return the next value, or None at the end.

        Raises :class:`BuildError` if the child process has failed or was killed.
        """
        message = processes.read_message(self._answers)
        if message is None:
            raise BuildError(self._stopped)
        # written by the child process, with the same version of Python
        value = marshal.loads(message)  # noqa: S302
        if isinstance(value, str):
            raise BuildError(value)
        return value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.receive, None)

    def close(self, seconds: float = 0) -> None:
        """End the child process.

        If the process has not ended after ``seconds`` seconds, it is killed.
        """
        for pipe in (self._questions, self._answers):
            with suppress(BrokenPipeError):
                pipe.close()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _write(stream: IO[bytes], value: Any) -> None:
    """Write ``value`` to ``stream`` in ``marshal`` format."""
    stream.write(processes.framed(marshal.dumps(value, _MARSHAL_VERSION)))
    stream.flush()


def _sent() -> Iterator[Any]:
    while (message := processes.read_message(sys.stdin.buffer)) is not None:
        yield marshal.loads(message)  # noqa: S302 - written by our own parent, by the same Python
    raise EOFError  # the build has ended


def _main(module: str, task: str, path: str, options: str = "[]") -> None:
    """Run ``task`` of ``module``, and write the yielded values to standard output.

    Then write None or an error.
    """
    answers = sys.stdout.buffer
    try:
        try:
            with closing(
                getattr(import_module(module), task)(_sent(), Path(path), *json.loads(options))
            ) as values:
                for value in values:
                    _write(answers, value)
            _write(answers, None)
        except BuildError as error:
            _write(answers, str(error))
    except (BrokenPipeError, EOFError):
        os._exit(0)  # nobody reads the rest of the buffer


if __name__ == "__main__":
    _main(*sys.argv[1:])
