"""The report as JUnit XML, which most build servers read: a test suite per paper, a test case per
entry.

A test case fails if ``--fail-on`` names its status. A test case is an error if the entry could not
be checked, and is skipped if the entry is UNVERIFIED or accepted. A test case of a SUSPICIOUS entry
that does not fail has a message in its output.
"""

import re
from collections.abc import Iterable
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from citeproof.model.run import Paper, Run
from citeproof.model.verdict import Status, Verdict
from citeproof.report.overview import NAMELESS, USUAL, View, is_problem
from citeproof.report.wording import message, shown_key

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Regex for characters that XML 1.0 forbids, even as escapes."""


def render(run: Run, out: TextIO, view: View = USUAL) -> None:
    """Write the report on ``run`` to ``out``."""
    totals = _counts(run.verdicts, view)
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    out.write(
        _start(
            "testsuites", {"name": "citeproof", **totals, "time": f"{run.statistics.seconds:.3f}"}
        )
        + "\n"
    )
    for paper in run.papers:
        _write_suite(paper, out, view)
    out.write("</testsuites>\n")


def _write_suite(paper: Paper, out: TextIO, view: View) -> None:
    out.write(
        _start("testsuite", {"name": paper.name or NAMELESS, **_counts(paper.verdicts, view)})
        + "\n"
    )
    for verdict in paper.verdicts:
        reference = verdict.reference
        name = " ".join(
            filter(None, (shown_key(reference) or reference.title, str(reference.place)))
        )
        out.write(
            _start(
                "testcase", {"classname": reference.file or NAMELESS, "name": name or "reference"}
            )
        )
        if outcome := _outcome(verdict, view):
            kind = {} if outcome == "skipped" else {"type": verdict.reason}
            out.write(_start(outcome, {"message": message(verdict), **kind}) + f"</{outcome}>\n")
        elif is_problem(verdict):
            out.write(f"<system-out>{_clean(escape(message(verdict)))}</system-out>\n")
        out.write("</testcase>\n")
    out.write("</testsuite>\n")


def _outcome(verdict: Verdict, view: View) -> str:
    """Return the XML element for the outcome of a test case: ``failure``, ``error``, ``skipped`` or
    an empty text.
    """
    if verdict.is_accepted:
        return "skipped"
    if verdict.status is Status.ERROR:
        return "error" if view.fails(verdict) else "skipped"
    return (
        "failure"
        if view.fails(verdict)
        else "skipped"
        if verdict.status is Status.UNVERIFIED
        else ""
    )


def _counts(verdicts: Iterable[Verdict], view: View) -> dict[str, str]:
    outcomes = [_outcome(verdict, view) for verdict in verdicts]
    counts = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    return {
        "tests": str(len(outcomes)),
        **{name: str(outcomes.count(kind)) for name, kind in counts.items()},
    }


def _start(name: str, attributes: dict[str, str]) -> str:
    said = "".join(
        f" {attribute}={quoteattr(_clean(value))}" for attribute, value in attributes.items()
    )
    return f"<{name}{said}>"


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
