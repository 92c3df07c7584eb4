"""Write the overview page of a screening, and a report and a letter on each paper."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path

from jinja2 import Environment, PackageLoader

from citeproof.model.errors import InputError
from citeproof.model.quantity import quantity
from citeproof.model.run import Run
from citeproof.report import pictures
from citeproof.report.dossier import OBJECTION
from citeproof.report.formats import html, markdown
from citeproof.report.overview import (
    MARKS,
    WORST_FIRST,
    Detail,
    View,
    basis_lines,
    is_problem,
    short_names,
)
from citeproof.screen import signals
from citeproof.screen.results import Results, run_of
from citeproof.store.files import replacing
from citeproof.verification.validation.codes import REASONS

# number of papers that the overview shows at first; papers with the most problems come first
_SHOWN_PAPERS = 100


def write_overview(
    results: Results, folder: Path, notes: tuple[str, ...], links: Mapping[int, str]
) -> None:
    """Write ``overview.html`` into ``folder``.

    ``notes`` are sentences to show, and ``links`` maps the number of a paper to the file of its
    report.
    """
    environment = Environment(
        loader=PackageLoader("citeproof.screen", "."), autoescape=True, trim_blocks=True
    )
    ranked = sorted(
        (paper for paper in results.papers if paper.entries), key=lambda paper: paper.rank
    )
    kinds = results.kinds
    most: dict[str, int] = {}
    for kind in kinds:
        most[kind.status] = max(kind.entries, most.get(kind.status, 0))
    page = environment.get_template("overview.html").render(
        results=results,
        ranked=ranked,
        pays=sum(paper.invented.one >= pictures.EVEN for paper in ranked),
        kinds=kinds,
        most=most,
        of_paper={
            paper.number: [
                f"k{place}" for place, kind in enumerate(kinds, 1) if paper.number in kind.papers
            ]
            for paper in ranked
        },
        statuses=[(status.value, MARKS[status]) for status in WORST_FIRST],
        marks=MARKS,
        names=short_names(paper.name for paper in results.papers),
        left_out=len(results.left_out),
        pictures=pictures,
        quantity=quantity,
        style=pictures.STYLE,
        shown=_SHOWN_PAPERS,
        links=links,
        reasons=REASONS,
        labels={kind: label[0].upper() + label[1:] for kind, label in signals.LABELS.items()},
        meanings={
            kind: " ".join((find.__doc__ or "").split()) for kind, find in signals.KINDS.items()
        },
        notes=notes,
    )
    _write(folder / "overview.html", page)


def _write(path: Path, text: str) -> None:
    with replacing(path) as building:
        building.write_text(text, "utf-8", "replace")


KINDS = ("html", "letters")
"""Kinds of reports on single papers that a user can choose: HTML pages, and letters to the
authors.
"""


def write_reports(results: Results, folder: Path, kinds: Collection[str]) -> dict[int, str]:
    """Write the reports of the chosen ``kinds`` on all papers into ``folder``.

    Return a map from the number of a paper to its HTML file: ``{1: "reports/00001-a.pdf.html"}``.
    """
    links = {}
    for paper in results.papers if kinds else ():
        try:
            run = run_of(results.store, paper.name)
        except InputError:  # no entry of the paper could be read or checked
            continue
        name = f"{paper.number:05}-{re.sub(r'[^A-Za-z0-9._]+', '-', paper.name)[-60:].strip('-.')}"
        if "html" in kinds:
            links[paper.number] = f"reports/{name}.html"
            html.render(run, out := StringIO(), View(exits=False))
            _write(folder / links[paper.number], out.getvalue())
        if "letters" in kinds and (text := letter(paper.name, run)):
            _write(folder / "reports" / f"{name}.md", text)
    return links


def letter(paper: str, run: Run) -> str:
    """Return a letter in Markdown that tells the authors of ``paper`` which of its references have
    problems, by the verdicts in ``run``. The letter is empty if there are no problems.
    """
    found = tuple(
        verdict for verdict in run.verdicts if is_problem(verdict) and not verdict.is_accepted
    )
    if not found:
        return ""
    markdown.render(replace(run, verdicts=found), out := StringIO(), View(Detail.PROBLEMS))
    asked = (
        "One of them does not agree" if len(found) == 1 else f"{len(found):,} of them do not agree"
    )
    introduction = (
        f"We compared the {len(run.verdicts):,} references of this paper with a bibliographic"
        f" database. {asked} with the records. Please look at each one, and correct it or tell us"
        " why it is right as it is."
    )
    answers = "\n".join(f"* {sentence}" for sentence in (OBJECTION[0], OBJECTION[2], OBJECTION[4]))
    basis = markdown.plain(next(basis_lines(run)))
    findings = f"# The references of {markdown.plain(paper)}\n\n{introduction}\n\n{out.getvalue()}"
    return f"{findings}## How to answer\n\n{answers}\n\n{basis}\n"
