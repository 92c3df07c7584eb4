"""Annotations for GitHub Actions, shown at the lines of the bibliography, and then the summary.

Each line is a workflow command: ``::error file=refs.bib,line=12,title=INVALID: key::Correct the
year: ...``. A problem is an error if ``--fail-on`` names the status, or else a warning. Accepted
references are notices.
"""

from typing import TextIO

from citeproof.model.run import Run
from citeproof.model.verdict import Status, Verdict
from citeproof.report.advice import region
from citeproof.report.overview import (
    USUAL,
    Detail,
    Overview,
    View,
    basis_lines,
    exit_meaning,
    shown_notes,
    sum_line,
)
from citeproof.report.wording import message, shown_key

_ESCAPED = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_ESCAPED_IN_PROPERTY = _ESCAPED | str.maketrans({":": "%3A", ",": "%2C"})
"""Map from a character to its escape in a property of an annotation, such as ``:`` to ``%3A``."""


def render(run: Run, out: TextIO, view: View = USUAL) -> None:
    """Write the report on ``run`` to ``out``."""
    overview = Overview.of(run.verdicts)
    grouped = (verdict for group in overview.groups for verdict in group.verdicts)
    failing = (
        verdict for verdict in grouped if verdict.status is Status.ERROR or view.fails(verdict)
    )
    for verdict in (*overview.problems, *failing):
        out.write(_annotation("error" if view.fails(verdict) else "warning", verdict))
    for verdict in overview.accepted:
        out.write(_annotation("notice", verdict))
    if view.detail is Detail.PROBLEMS:
        return
    notes = shown_notes(run, everything=view.everything)
    for line in (sum_line(run.statistics), *basis_lines(run), *notes, *exit_meaning(run, view)):
        out.write(f"{line.translate(_ESCAPED)}\n")


def _annotation(level: str, verdict: Verdict) -> str:
    reference = verdict.reference
    where = region(reference, next(iter(verdict.counted), None))
    lines = {"line": where.start_line, "endLine": where.end_line} if where else {}
    key = shown_key(reference) or reference.title
    title = f"{verdict.status.value}: {key}" if key else verdict.status.value
    properties = {"file": reference.file, **lines, "title": title}
    said = (
        f"{name}={str(value).translate(_ESCAPED_IN_PROPERTY)}"
        for name, value in properties.items()
        if value
    )
    return f"::{level} {','.join(said)}::{message(verdict).translate(_ESCAPED)}\n"
