"""``citeproof explain``: show the reasons for the verdict on one reference."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from citeproof.cli import options
from citeproof.cli.named_entries import entries_called, entries_of
from citeproof.cli.output import keeping, refuse_evidence_in_use, say
from citeproof.model.findings import Agreement
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status, Verdict
from citeproof.online.offline import refuse_connections
from citeproof.report.walkthrough import Trial, lines
from citeproof.settings import load
from citeproof.verification.opening import open_session
from citeproof.verification.pipeline import unreadable
from citeproof.verification.session import Session


@click.command()
@click.argument("name", metavar="INPUT")
@click.argument("key")
@click.option("--from", "input_format", metavar="FORMAT", help="Format of INPUT; needed for standard input.")
@options.bib_dbs
@options.bib_threshold
@options.bib_max_candidates
@options.connections
@options.no_cache
@click.option("--evidence", type=options.FILE, metavar="FILE", help="Write what the verdict was decided from to FILE.")
def command(
    name: str,
    key: str,
    input_format: str | None,
    evidence: Path | None,
    **flags: object,
) -> None:
    """Explain the verdict on the entry KEY of INPUT.

    It shows the queries and their answers, compares each field with the record, names each rule that found something,
    and tries which corrections would change the verdict. Attach the file of --evidence to a report of a wrong verdict.

    Exit codes: 0 explained, whatever the verdict; 2 bad usage, unreadable input, or no such entry.
    """
    settings = load(**flags)
    if settings.offline:
        refuse_connections()
    refuse_evidence_in_use(evidence, None, [(Path(name), "the input")])
    entries = entries_called(key, entries_of(name, input_format), name)
    with open_session(settings, remembers=False) as session, keeping(session, evidence) as kept:
        for place, entry in enumerate(entries):
            if isinstance(entry, Reference):
                seen = kept.pipeline.examine(entry)
                case = session.validator.case(seen.reference, seen.findings)
                found = lines(seen.verdict, case, list(_trials(session, seen.verdict)))
            else:
                found = lines(unreadable(entry), None, ())
            click.echo("\n".join(["", *found] if place else found))
        say(*session.notes)


def _trials(session: Session, verdict: Verdict) -> Iterator[Trial]:
    """Yield the verdicts if each differing field had the value of the nearest work, and last if all of them had.

    Each trial is a full check of the changed reference.
    """
    if verdict.status is Status.VALID or not verdict.meant:
        return
    work = verdict.meant[0]
    fields = work.fields_that(Agreement.PARTLY, Agreement.DIFFERENT)
    fields += tuple(field for field in work.fields_that(Agreement.UNCLEAR) if getattr(work.record, field))
    for chosen in [*((field,) for field in fields), *([fields] if len(fields) > 1 else [])]:
        values: dict[str, Any] = {field: getattr(work.record, field) for field in chosen}
        if "authors" in values:
            values["and_others"] = False
        yield Trial(chosen, work, session.pipeline.verify(replace(verdict.reference, **values, string="")).status)
