"""One output a file; those of a whole run have the same function: ``render``.

Those that need no other verdict to write one also have ``begin``, with which they are written as verdicts come, and
``end`` where they say something of the run as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, cast

from citeproof.text.direction import without_marks

if TYPE_CHECKING:
    from typing import IO, TextIO

    from rich.console import Console


def console(out: TextIO, *, soft_wrap: bool) -> Console:
    """Return a console that writes to ``out``: in colour on a terminal, plain elsewhere; no title turns text round.

    Where the reader has left (``citeproof verify refs.bib | head``), rich would end the process with 1, which means
    "something is flagged". This console raises :class:`BrokenPipeError`, as every other output does.
    """
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> NoReturn:
            raise BrokenPipeError

    return Output(file=cast("IO[str]", _WithoutMarks(out)), highlight=False, soft_wrap=soft_wrap)


class _WithoutMarks:
    """A stream that leaves out marks which turn the direction of text; in all else it is the stream it writes to."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        """Write ``text``."""
        return self._out.write(without_marks(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)
