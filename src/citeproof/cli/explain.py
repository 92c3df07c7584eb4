"""``citeproof explain``: everything behind the verdict on one reference."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from citeproof.cli import options
from citeproof.cli.named_entries import entries_called, entries_of
from citeproof.cli.output import say
from citeproof.model.errors import Exit
from citeproof.model.findings import Agreement
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status
from citeproof.online.offline import refuse_connections
from citeproof.report.explanation import Trial, lines
from citeproof.settings import load
from citeproof.verification.opening import open_session
from citeproof.verification.pipeline import unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.model.findings import NearestWork
    from citeproof.model.reference import Diagnostic
    from citeproof.model.verdict import Verdict
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
def command(name: str, key: str, input_format: str | None, bib_dbs: tuple[Path, ...], **flags: object) -> Exit:
    """Explain the verdict on the entry KEY of INPUT.

    It says which sources were asked and what they answered, holds each field against the record, names each rule
    that spoke, and tries which change would change the verdict.

    Exit codes: 0 explained, whatever the verdict; 2 bad usage, unreadable input, or no such entry.
    """
    settings = load(**flags, **options.named_databases(bib_dbs))
    if settings.offline:
        refuse_connections()
    entries = entries_called(key, entries_of(name, input_format), name)
    with open_session(settings, remembers=False) as session:
        say(*session.notes)
        for place, entry in enumerate(entries):
            click.echo("\n".join(["", *_explained(session, entry)] if place else _explained(session, entry)))
    return Exit.CLEAN


def _explained(session: Session, entry: Reference | Diagnostic) -> list[str]:
    if not isinstance(entry, Reference):
        return list(lines(unreadable(entry), None, ()))
    seen = session.pipeline.examine(entry)
    case = session.validator.case(seen.reference, seen.findings)
    return list(lines(seen.verdict, case, list(_trials(session, seen.verdict))))


def _trials(session: Session, verdict: Verdict) -> Iterator[Trial]:
    """Yield the verdict with each differing field as the nearest work has it, then with all of these fields.

    Each is a full check of the changed reference.
    """
    if verdict.status is Status.VALID or not verdict.meant:
        return
    work = verdict.meant[0]
    fields = work.fields_that(Agreement.PARTLY, Agreement.DIFFERENT)
    fields += tuple(field for field in work.fields_that(Agreement.UNCLEAR) if getattr(work.record, field))
    for chosen in [*((field,) for field in fields), *([fields] if len(fields) > 1 else [])]:
        changed = _changed(verdict.reference, work, chosen)
        yield Trial(chosen, work, session.pipeline.verify(changed).status)


def _changed(reference: Reference, work: NearestWork, fields: tuple[str, ...]) -> Reference:
    """Return ``reference`` with the record's values in ``fields``."""
    values: dict[str, Any] = {field: getattr(work.record, field) for field in fields}
    if "authors" in values:
        values["and_others"] = False
    return replace(reference, **values, string="")
