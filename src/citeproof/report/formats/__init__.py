"""The output formats, with one module for each format. The function ``render`` of a report format writes a run.

Formats that can write verdicts one by one also have ``begin``, which returns a function that writes one verdict, and
``end`` if something about the whole run follows. The formats do not import each other.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from citeproof.model.errors import InputError
from citeproof.model.run import Run

REPORTS = ("table", "html", "markdown", "json", "jsonl", "csv", "sarif", "junit", "github")
"""Names of the report formats that ``--format`` accepts."""
SUFFIXES = {
    ".html": "html", ".htm": "html", ".md": "markdown", ".sarif.json": "sarif", ".json": "json", ".jsonl": "jsonl",
    ".csv": "csv", ".sarif": "sarif", ".xml": "junit",
}  # fmt: skip
"""Map from the suffix of an output file to the report format. The first suffix that matches counts."""


def format_of(output: Path | None) -> str | None:
    """Return the format that the suffix of ``output`` implies; None if it implies no format."""
    name = output.name.lower() if output else ""
    return next((form for suffix, form in SUFFIXES.items() if name.endswith(suffix)), None)


def refuse_unknown_suffix(output: Path | None) -> None:
    """Raise :class:`InputError` if ``output`` has a suffix such as ``.docx``, which no report has."""
    if output and output.suffix.lower() not in {"", ".txt"} and format_of(output) is None:
        known = ", ".join(SUFFIXES)
        raise InputError(f"{output}: no report has the suffix {output.suffix}; use one of {known}, or name --format")


def rendering(begin: Callable[[TextIO], Any], end: Callable[[Run, TextIO], None] | None = None) -> Callable[..., None]:
    """Return the function ``render`` of a format that writes verdicts one by one with ``begin`` and ``end``."""

    def render(run: Run, out: TextIO, _: object = None) -> None:
        write = begin(out)
        for verdict in run.verdicts:
            write(verdict)
        if end:
            end(run, out)

    return render
