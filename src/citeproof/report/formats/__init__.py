"""The output formats, with one module for each format.

Each module of a report format has a function ``render``, which writes a run.

Some formats can write verdicts one by one, before the run is complete. Their modules also have a
function ``begin``, which returns a function that writes a verdict. They may have a function
``end``, which writes the end of the report. The formats do not import each other.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from citeproof.model.errors import InputError
from citeproof.model.run import Run

REPORTS = ("table", "html", "markdown", "json", "jsonl", "csv", "sarif", "junit", "github")
"""Names of the report formats that ``--format`` accepts."""
SUFFIXES = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".sarif.json": "sarif",
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".sarif": "sarif",
    ".xml": "junit",
}
"""Map from the suffix of an output file to the report format.

The first suffix that matches is used.
"""


def format_of(output: Path | None) -> str | None:
    """Return the report format for the suffix of ``output``, such as ``html``.

    None if no format has this suffix.
    """
    name = output.name.lower() if output else ""
    return next((form for suffix, form in SUFFIXES.items() if name.endswith(suffix)), None)


def refuse_unknown_suffix(output: Path | None) -> None:
    """Raise :class:`InputError` if ``output`` has a suffix, such as ``.docx``, that no report
    format has.
    """
    if output and output.suffix.lower() not in {"", ".txt"} and format_of(output) is None:
        known = ", ".join(SUFFIXES)
        raise InputError(
            f"{output}: no report has the suffix {output.suffix}; use one of {known}, or name"
            " --format"
        )


def rendering(
    begin: Callable[[TextIO], Any], end: Callable[[Run, TextIO], None] | None = None
) -> Callable[..., None]:
    """Return a function ``render`` that writes a run by calling ``begin``, then the writer for each
    verdict, and then ``end``.
    """

    def render(run: Run, out: TextIO, _: object = None) -> None:
        write = begin(out)
        for verdict in run.verdicts:
            write(verdict)
        if end:
            end(run, out)

    return render
