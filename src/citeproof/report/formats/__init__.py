"""The output formats, one a file. Those of a run have the function ``render``.

Formats that can write one verdict after the other also have ``begin``, which returns a function for that, and ``end``
if something about the whole run follows. The formats do not import each other.
"""

from pathlib import Path

from citeproof.model.errors import InputError

REPORTS = ("table", "html", "markdown", "json", "jsonl", "csv", "sarif", "junit", "github")
"""Names of the report formats that ``--format`` accepts."""
SUFFIXES = {
    ".html": "html", ".htm": "html", ".md": "markdown", ".sarif.json": "sarif", ".json": "json", ".jsonl": "jsonl",
    ".csv": "csv", ".sarif": "sarif", ".xml": "junit",
}  # fmt: skip
"""Report format by the suffix of the output file. The first suffix that matches counts."""


def format_of(output: Path | None) -> str | None:
    """Return the format that the suffix of ``output`` implies; None for another suffix or none."""
    name = output.name.lower() if output else ""
    return next((form for suffix, form in SUFFIXES.items() if name.endswith(suffix)), None)


def refuse_unknown_suffix(output: Path | None) -> None:
    """Raise :class:`InputError` if ``output`` has a suffix such as ``.docx``, which no report has."""
    if output and output.suffix.lower() not in {"", ".txt"} and format_of(output) is None:
        known = ", ".join(SUFFIXES)
        raise InputError(f"{output}: no report has the suffix {output.suffix}; use one of {known}, or name --format")
