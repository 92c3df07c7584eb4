"""The whole run as one JSON object; its schema is ``citeproof/data/results.schema.json``.

The results stand before what concerns the run as a whole, which is known when they are all there.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from citeproof.presentation.view import USUAL
from citeproof.results import Brief, PaperSum
from citeproof.serialization import SCHEMA_VERSION, result_object, run_object

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from citeproof.models import Verdict
    from citeproof.presentation.view import View
    from citeproof.results import Run

_STEP = 2
"""Columns by which what an object or a list holds is indented."""


def render(run: Run, out: TextIO, _: View = USUAL) -> None:
    """Write ``run`` to ``out``."""
    write = begin(out)
    for verdict in run.verdicts:
        write(verdict)
    end(run, out)


def begin(out: TextIO) -> Callable[[Verdict], None]:
    """Return what writes one verdict to ``out``; :func:`end` closes the object."""
    before = [_head()]

    def write(verdict: Verdict) -> None:
        out.write(f"{before.pop() if before else ','}\n{_indented(result_object(verdict), 2 * _STEP)}")

    return write


def end(run: Run, out: TextIO) -> None:
    """Write what concerns ``run`` as a whole; its verdicts were written before, if it has any."""
    brief = run.brief or Brief(tuple(PaperSum(paper.name, paper.by_status) for paper in run.papers))
    whole = run_object(replace(run, verdicts=(), brief=brief))
    nothing_written = not run.statistics.entries
    out.write(f"{_head()}]" if nothing_written else f"\n{' ' * _STEP}]")
    for name, value in whole.items():
        if name not in {"schema_version", "results"}:
            out.write(f",\n{' ' * _STEP}{json.dumps(name)}: {_indented(value, _STEP).lstrip()}")
    out.write("\n}\n")


def _head() -> str:
    return f'{{\n{" " * _STEP}"schema_version": {SCHEMA_VERSION},\n{" " * _STEP}"results": ['


def _indented(value: Any, columns: int) -> str:
    """Return ``value`` as JSON with each line ``columns`` further in; no text of JSON has a line feed in it."""
    text = json.dumps(value, ensure_ascii=False, indent=_STEP)
    return " " * columns + text.replace("\n", "\n" + " " * columns)
