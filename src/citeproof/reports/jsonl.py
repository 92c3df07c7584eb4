"""One JSON object a line, one line an entry, each as in the ``results`` of the JSON report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from citeproof.presentation.view import USUAL
from citeproof.serialization import result_object

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from citeproof.models import Verdict
    from citeproof.presentation.view import View
    from citeproof.results import Run


def render(run: Run, out: TextIO, _: View = USUAL) -> None:
    """Write ``run`` to ``out``."""
    write = begin(out)
    for verdict in run.verdicts:
        write(verdict)


def begin(out: TextIO) -> Callable[[Verdict], None]:
    """Return what writes one verdict to ``out``, where it can be read at once."""

    def write(verdict: Verdict) -> None:
        out.write(json.dumps(result_object(verdict), ensure_ascii=False) + "\n")
        out.flush()

    return write
