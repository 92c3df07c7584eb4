"""One output a file; those of a whole run have the same function: ``render``.

Those that say nothing of the run as a whole also have ``begin``, with which they are written as verdicts come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from typing import TextIO

    from rich.console import Console


def console(out: TextIO, *, soft_wrap: bool) -> Console:
    """Return a console that writes to ``out``: in colour on a terminal, plain elsewhere.

    Where the reader has left (``citeproof verify refs.bib | head``), rich would end the process with 1, which means
    "something is flagged". This console raises :class:`BrokenPipeError`, as every other output does.
    """
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> NoReturn:
            raise BrokenPipeError

    return Output(file=out, highlight=False, soft_wrap=soft_wrap)
