"""The report as one JSON object: the results, then fields about the whole run.

Its schema is ``results.schema.json``.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TextIO

from citeproof.model.run import Run
from citeproof.model.verdict import Verdict
from citeproof.report.formats import rendering
from citeproof.report.serialization import SCHEMA_VERSION, result_object, run_object

_INDENT = 2  # number of spaces of one level of indentation
_HEAD = f'{{\n{" " * _INDENT}"schema_version": {SCHEMA_VERSION},\n{" " * _INDENT}"results": ['
"""Beginning of the JSON report, up to the first result."""


def begin(out: TextIO) -> Callable[[Verdict], None]:
    """Return a function that writes a verdict to ``out``.

    The function :func:`end` completes the JSON object.
    """
    before = [_HEAD]

    def write(verdict: Verdict) -> None:
        out.write(
            f"{before.pop() if before else ','}\n{_indented(result_object(verdict), 2 * _INDENT)}"
        )

    return write


def end(run: Run, out: TextIO) -> None:
    """Complete the JSON object with the fields about the whole ``run``."""
    out.write(f"\n{' ' * _INDENT}]" if run.statistics.entries else f"{_HEAD}]")
    for name, value in run_object(replace(run, verdicts=(), brief=run.in_brief())).items():
        if name not in {"schema_version", "results"}:
            out.write(f",\n{' ' * _INDENT}{json.dumps(name)}: {_indented(value, _INDENT).lstrip()}")
    out.write("\n}\n")


render = rendering(begin, end)


def _indented(value: Any, columns: int) -> str:
    """Return ``value`` as JSON. Each line is indented by ``columns`` more spaces."""
    text = json.dumps(value, ensure_ascii=False, indent=_INDENT)
    return " " * columns + text.replace("\n", "\n" + " " * columns)
