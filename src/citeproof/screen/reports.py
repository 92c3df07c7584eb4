"""Write a report on each paper of a screening, and letters to the authors of those with findings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

from citeproof.model.errors import InputError
from citeproof.model.run import Run
from citeproof.report.dossier import OBJECTION
from citeproof.report.formats import html, markdown
from citeproof.report.overview import Detail, View, basis_lines, is_problem
from citeproof.screen.results import PaperSum, Results, run_of
from citeproof.store.replacement import replacing

KINDS = ("html", "letters")
"""Kinds of reports on single papers."""
FOLDER = "reports"
"""Folder of the reports in the folder of results."""
_LETTERS = 60
"""Maximum characters of a paper's name in the name of its report."""


def write_reports(results: Results, folder: Path, kinds: Collection[str]) -> dict[int, str]:
    """Write the reports of ``kinds``; return the address of each paper's HTML report in ``folder``, by number.

    Raises :class:`BuildError` if the folder cannot be written to.
    """
    links = {}
    for paper in results.papers() if kinds else ():
        try:
            run = run_of(results.store, paper.name)
        except InputError:  # nothing of it could be read or checked
            continue
        for name, text in _texts(paper, run, kinds):
            with replacing(folder / FOLDER / name) as building:
                building.write_text(text, "utf-8", "replace")
            if name.endswith(".html"):
                links[paper.number] = f"{FOLDER}/{name}"
    return links


def _texts(paper: PaperSum, run: Run, kinds: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and content of each file on ``paper``."""
    name = f"{paper.number:05}-{re.sub(r'[^A-Za-z0-9._]+', '-', paper.name)[-_LETTERS:].strip('-.')}"
    if "html" in kinds:
        out = StringIO()
        html.render(run, out)
        yield f"{name}.html", out.getvalue()
    if "letters" in kinds and (text := letter(paper.name, run)):
        yield f"{name}.md", text


def letter(paper: str, run: Run) -> str:
    """Return a letter to the authors of ``paper`` in Markdown: the findings with evidence, and how to answer.

    Empty if there is no finding.
    """
    found = tuple(verdict for verdict in run.verdicts if is_problem(verdict) and not verdict.is_accepted)
    if not found:
        return ""
    out = StringIO()
    markdown.render(replace(run, verdicts=found), out, View(Detail.PROBLEMS))
    asked = "One of them does not agree" if len(found) == 1 else f"{len(found):,} of them do not agree"
    introduction = (
        f"We compared the {len(run.verdicts):,} references of this paper with a bibliographic database. {asked} with "
        "what we found. Please look at each one, and correct it or tell us why it is right as it is."
    )
    answers = "\n".join(f"* {sentence}" for sentence in (OBJECTION[0], OBJECTION[2], OBJECTION[4]))
    title = f"# The references of {markdown.plain(paper)}"
    basis = markdown.plain(next(iter(basis_lines(run))))
    return f"{title}\n\n{introduction}\n\n{out.getvalue()}## How to answer\n\n{answers}\n\n{basis}\n"
