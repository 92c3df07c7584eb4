"""The run as one JSON object; its schema is ``citeproof/report/results.schema.json``.

The results come first, because the fields about the whole run are only known at the end.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TextIO

from citeproof.model.run import Run
from citeproof.model.verdict import Verdict
from citeproof.report.overview import USUAL, View
from citeproof.report.serialization import SCHEMA_VERSION, result_object, run_object

_INDENT = 2  # number of columns of one level of indentation


def render(run: Run, out: TextIO, _: View = USUAL) -> None:
    """Write ``run`` to ``out``."""
    write = begin(out)
    for verdict in run.verdicts:
        write(verdict)
    end(run, out)


def begin(out: TextIO) -> Callable[[Verdict], None]:
    """Return a function that writes one verdict to ``out``. :func:`end` completes the JSON object."""
    before = [_head()]

    def write(verdict: Verdict) -> None:
        out.write(f"{before.pop() if before else ','}\n{_indented(result_object(verdict), 2 * _INDENT)}")

    return write


def end(run: Run, out: TextIO) -> None:
    """Write the fields about the whole ``run``, after its verdicts."""
    whole = run_object(replace(run, verdicts=(), brief=run.in_brief()))
    out.write(f"\n{' ' * _INDENT}]" if run.statistics.entries else f"{_head()}]")
    for name, value in whole.items():
        if name not in {"schema_version", "results"}:
            out.write(f",\n{' ' * _INDENT}{json.dumps(name)}: {_indented(value, _INDENT).lstrip()}")
    out.write("\n}\n")


def _head() -> str:
    return f'{{\n{" " * _INDENT}"schema_version": {SCHEMA_VERSION},\n{" " * _INDENT}"results": ['


def _indented(value: Any, columns: int) -> str:
    """Return ``value`` as JSON, indented by ``columns``; JSON strings have no line feeds."""
    text = json.dumps(value, ensure_ascii=False, indent=_INDENT)
    return " " * columns + text.replace("\n", "\n" + " " * columns)
