"""The whole run as one JSON object; its schema is ``citeproof/data/results.schema.json``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from citeproof.presentation.view import USUAL
from citeproof.serialization import run_object

if TYPE_CHECKING:
    from typing import TextIO

    from citeproof.presentation.view import View
    from citeproof.results import Run


def render(run: Run, out: TextIO, _: View = USUAL) -> None:
    """Write ``run`` to ``out``."""
    json.dump(run_object(run), out, ensure_ascii=False, indent=2)
    out.write("\n")
