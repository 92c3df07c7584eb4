"""The report as one HTML file, written paper by paper. It needs no network and works without
scripts.
"""

import base64
import hashlib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, TextIO

from jinja2 import Environment, PackageLoader

from citeproof.model.chance import SHOWN, Chance
from citeproof.model.findings import NearestWork
from citeproof.model.record import Record
from citeproof.model.run import Run
from citeproof.model.verdict import Status, Verdict
from citeproof.model.version import __version__
from citeproof.readers.fields.bibtex import bibtex_entry
from citeproof.report import overview, pictures, wording
from citeproof.report.advice import (
    AGREEMENTS,
    FIELD_NAMES,
    differences,
    for_reason,
    marked_words,
    sentence,
)
from citeproof.report.misses import kind_missed
from citeproof.report.overview import (
    MARKS,
    NAMELESS,
    USUAL,
    WORST_FIRST,
    Detail,
    Overview,
    View,
    is_problem,
)
from citeproof.verification.certainty import in_words

MOST_ENTRIES = 10_000
"""Maximum number of entries on a page.

If a run has more entries, only problems are listed, because browsers become slow.
"""
_ENVIRONMENT = Environment(
    loader=PackageLoader(__name__, "."), autoescape=True, trim_blocks=True, lstrip_blocks=True
)
_SCRIPT = files(__name__).joinpath("report.js").read_text("utf-8")
_LEFT_OUT = (
    "Of {:,} entries, only those that need attention are listed; the others are counted. "
    "--all lists all entries."
)


def entry_of(verdict: Verdict, place: str, number: str) -> dict[str, Any]:
    """Return the template variables for ``verdict``. ``place`` is the position of the entry as
    text, and ``number`` the HTML id of the entry.

    ``open`` is whether the details are visible at first. ``group`` is a sentence that is shown once
    above entries with the same sentence. ``works`` are the works that may be cited. ``nearest`` are
    all similar works, with fields.
    """
    kind = kind_missed(verdict)
    group = "Accepted by a person." if verdict.is_accepted else for_reason(verdict)
    return {
        "id": number,
        "verdict": verdict,
        "mark": MARKS[verdict.status],
        "status": wording.status_name(verdict),
        "place": place,
        "key": wording.shown_key(verdict.reference),
        "open": is_problem(verdict) and not verdict.is_accepted,
        "sure": in_words(verdict),
        "chance": f"Is it probably invented? {_chance(verdict.chance)}" if verdict.chance else "",
        "sentence": _advice(verdict),
        "group": group if verdict.is_accepted or not is_problem(verdict) else "",
        "kind": kind.one if kind else "",
        "differences": differences(verdict),
        "works": [_work(label, record) for label, record, _ in wording.works(verdict)],
        "nearest": [_nearest(work) for work in verdict.meant],
        "notices": [(said, _safe(link)) for said, link in wording.notices(verdict)],
        "issues": [(issue.code, issue.explanation, issue.counts) for issue in verdict.issues],
        "inquiries": list(_inquiries(verdict)),
        "acceptance": wording.sentence_on(verdict),
    }


def _chance(chance: Chance) -> str:
    why = "; ".join(fact.effect for fact in chance.facts[:SHOWN] if fact.is_telling)
    return f"{wording.chance_line(chance)}{f' Evidence: {why}.' if why else ''}"


def _advice(verdict: Verdict) -> str:
    """Return the sentence on what to do.

    If the sentence does not contain the issues or the text of the entry, append them.
    """
    named, said = wording.told(verdict), sentence(verdict)
    if is_problem(verdict) or named == verdict.reference.title or named.lower() in said.lower():
        return said
    return f"{said} {named[0].upper()}{named[1:].removesuffix('.')}."


def _nearest(work: NearestWork) -> dict[str, Any]:
    fields = [
        (
            FIELD_NAMES.get(one.field, one.field),
            AGREEMENTS[one.agreement],
            *marked_words(one.cited, one.recorded),
        )
        for one in work.fields
        if one.agreement in AGREEMENTS
    ]
    return _work(wording.relation(work), work.record) | {"fields": fields}


def _work(label: str, record: Record) -> dict[str, Any]:
    return {
        "relation": label,
        "title": record.title,
        "facts": wording.facts(record),
        "link": _safe(wording.record_link(record)),
        "whence": f"{record.source} {record.key}".strip(),
        "bibtex": bibtex_entry(record),
    }


def _inquiries(verdict: Verdict) -> Iterator[tuple[str, str]]:
    """Yield pairs of a queried source and the result: ``2 records``, ``no record``, ``failed: timed
    out``.
    """
    for inquiry in verdict.evidence:
        if inquiry.answered:
            proof = "the source has no better record" if inquiry.complete else ""
            yield (
                inquiry.source,
                "; ".join(filter(None, (wording.records_line(inquiry), proof, inquiry.detail))),
            )
        else:
            yield inquiry.source, ": ".join(filter(None, (inquiry.outcome.value, inquiry.detail)))
    further = {
        "works found in other ways": wording.found_otherwise(verdict),
        "memory": verdict.remembered,
    }
    yield from ((source, said) for source, said in further.items() if said)


def _safe(link: str) -> str:
    """Return ``link`` if it is an http or https URL, else an empty text."""
    return link if link.startswith(("https://", "http://")) else ""


def render(
    run: Run, out: TextIO, view: View = USUAL, *, template: str = "report.html", **more: Any
) -> None:
    """Write the report on ``run`` to ``out``.

    ``more`` are additional variables for the Jinja ``template``.
    """
    papers = run.papers
    shortened = len(run.verdicts) > MOST_ENTRIES and not view.everything
    pieces = _ENVIRONMENT.get_template(template).stream(
        title=(
            "References of"
            f" {papers[0].name or NAMELESS if len(papers) == 1 else f'{len(papers):,} papers'}"
        ),
        accepted=sum(run.statistics.accepted.values()),
        statuses=[
            (status, MARKS[status], run.statistics.by_status[status]) for status in WORST_FIRST
        ],
        papers=_papers(run, view, few=shortened or view.detail is Detail.PROBLEMS),
        left_out=_LEFT_OUT.format(len(run.verdicts)) if shortened else "",
        overview=[
            (number, one.name or NAMELESS, one)
            for number, one in enumerate(run.in_brief().papers, start=1)
        ],
        lines=(*overview.basis_lines(run), *run.notes, *overview.exit_meaning(run, view)),
        bar=pictures.status_bar(run.statistics.by_status),
        style=pictures.STYLE,
        script=_SCRIPT,
        script_hash=base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode(),
        version=__version__,
        **more,
    )
    pieces.enable_buffering(64)  # number of parts of the template that are written at once
    out.writelines(pieces)


def _papers(run: Run, view: View, *, few: bool) -> Iterator[dict[str, Any]]:
    """Yield each paper with its entries, the most serious first.

    If ``few`` is true, entries that need no action are left out.
    """
    names = overview.names_in(run)
    count = 0
    for number, paper in enumerate(run.papers, start=1):
        sections = Overview.of(paper.verdicts)
        open_ = (verdict for group in sections.groups for verdict in group.verdicts)
        verdicts = [*sections.problems, *open_, *sections.valid, *sections.accepted]
        if few:
            wanted = {Status.ERROR, *view.failing}
            verdicts = [
                v for v in verdicts if not v.is_accepted and (is_problem(v) or v.status in wanted)
            ]
        entries = (
            entry_of(
                verdict, overview.place_in(verdict.reference.place, names), f"entry-{count + place}"
            )
            for place, verdict in enumerate(verdicts, start=1)
        )
        yield {
            "id": f"paper-{number}",
            "name": paper.name or NAMELESS,
            "paper": paper,
            "entries": entries,
        }
        count += len(verdicts)
