"""The report as JSON lines: one object per entry, as in the ``results`` of the JSON report."""

import json
from collections.abc import Callable
from typing import TextIO

from citeproof.model.verdict import Verdict
from citeproof.report.formats import rendering
from citeproof.report.serialization import result_object


def begin(out: TextIO) -> Callable[[Verdict], None]:
    """Return a function that writes a verdict to ``out`` and flushes ``out``."""

    def write(verdict: Verdict) -> None:
        out.write(json.dumps(result_object(verdict), ensure_ascii=False) + "\n")
        out.flush()

    return write


render = rendering(begin)
