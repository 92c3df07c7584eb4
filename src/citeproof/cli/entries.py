"""``citeproof explain`` and ``accept``: explain the verdict on an entry of a bibliography, or
accept the entry.
"""

from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias

import click

from citeproof.cli import options
from citeproof.cli.output import (
    keeping,
    once_a_day,
    refuse_evidence_in_use,
    replace_content,
    say,
    stoppable,
)
from citeproof.fix import acceptance
from citeproof.fix.acceptance import Accepted, content_of
from citeproof.model.errors import InputError
from citeproof.model.findings import Agreement
from citeproof.model.reference import Diagnostic, Reference, name_of
from citeproof.model.verdict import Status, Verdict
from citeproof.online.offline import refuse_connections
from citeproof.readers.formats import read_all
from citeproof.readers.isolation import IsolatedReader
from citeproof.readers.opening import open_documents
from citeproof.report.walkthrough import Trial, lines
from citeproof.report.wording import said
from citeproof.settings import Settings, load
from citeproof.text.encodings import without_marks
from citeproof.text.identifiers import find_doi
from citeproof.text.normalize import normalize_title
from citeproof.verification.pipeline import unreadable
from citeproof.verification.session import Session
from citeproof.verification.startup import open_session

Entry: TypeAlias = Reference | Diagnostic


@click.command()
@click.argument("name", metavar="INPUT")
@click.argument("key")
@click.option(
    "--from", "input_format", metavar="FORMAT", help="Format of INPUT; needed for standard input."
)
@options.bib_dbs
@options.bib_threshold
@options.bib_max_candidates
@options.connections
@options.no_cache
@click.option(
    "--evidence",
    type=options.FILE,
    metavar="FILE",
    help="Write the evidence for the verdict to FILE.",
)
def explain(
    name: str, key: str, input_format: str | None, evidence: Path | None, **flags: object
) -> None:
    """Explain the verdict on the entry KEY of INPUT.

    KEY may also be the DOI, the title or the number of an entry, counted from 1.

    The explanation shows the answer of each source, compares each field with the records, names
    each rule that found a difference, and shows which changes of the entry would change the
    verdict. If a verdict is wrong, attach the file of --evidence to your report.

    Exit codes: 0 explained, whatever the verdict; 2 bad usage, unreadable input, or no such entry.
    """
    settings = load(**flags)
    if settings.offline:
        refuse_connections()
    refuse_evidence_in_use(evidence, None, [(Path(name), "the input")])
    entries = _named(key, entries_of(name, input_format), name)
    with open_session(settings, remembers=False) as session, keeping(session, evidence) as kept:
        for number, entry in enumerate(entries):
            if isinstance(entry, Reference):
                seen = kept.pipeline.examine(entry)
                case = session.validator.case(seen.reference, seen.findings)
                found = lines(seen.verdict, case, list(_trials(session, seen.verdict)))
            else:
                found = lines(unreadable(entry), None, ())
            click.echo("\n".join(["", *found] if number else found))
        say(*once_a_day(session.notes))


def _trials(session: Session, verdict: Verdict) -> Iterator[Trial]:
    """Correct each differing field of the reference separately, and then all these fields together.

    Yield the status after each correction.
    """
    if verdict.is_valid or not verdict.meant:
        return
    work = verdict.meant[0]
    fields = work.fields_that(Agreement.PARTLY, Agreement.DIFFERENT)
    fields += tuple(
        field for field in work.fields_that(Agreement.UNCLEAR) if getattr(work.record, field)
    )
    for chosen in [*((field,) for field in fields), *([fields] if len(fields) > 1 else [])]:
        values: dict[str, Any] = {field: getattr(work.record, field) for field in chosen}
        if "authors" in values:
            values["and_others"] = False
        yield Trial(
            chosen,
            work,
            session.pipeline.verify(replace(verdict.reference, **values, string="")).status,
        )


@click.command()
@click.argument("name", metavar="INPUT")
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Accept every entry that 'citeproof verify' flags now, as a baseline.",
)
@click.option(
    "--because", metavar="REASON", help="Why the entry is right; every report shows this text."
)
@click.option(
    "--until",
    metavar="DATE",
    help="Last day of the acceptance, such as 2027-12-31.  [default: no end]",
)
@click.option("--remove", is_flag=True, help="Remove the acceptance.")
@click.option(
    "--list", "listing", is_flag=True, help="List the accepted entries, and change nothing."
)
@click.option(
    "--from",
    "input_format",
    metavar="FORMAT",
    help="Format of INPUT.  [default: by name, then content]",
)
@options.bib_dbs
@click.option(
    "--policy", metavar="NAME|FILE", help="With --all: the policy, as for 'citeproof verify'."
)
@click.option(
    "--fail-on",
    metavar="WORDS",
    help="With --all: which statuses are flagged, as for 'citeproof verify'.",
)
def accept(
    name: str,
    keys: tuple[str, ...],
    everything: bool,
    because: str | None,
    until: str | None,
    remove: bool,
    listing: bool,
    input_format: str | None,
    **flags: object,
) -> None:
    """Accept the entries KEY of INPUT as they are, because a person has checked them.

    KEY may also be the DOI, the title or the number of an entry, counted from 1.

    Accepted entries are still checked and reported, with the reason, but do not count for the exit
    code of 'citeproof verify'. They are recorded in citeproof.accepted.toml in the folder of the
    bibliography. If an entry changes, it is no longer accepted.

    With --all, all entries that are flagged now are accepted, so that a build fails on new findings
    only.

    Exit codes: 0 done; 2 bad usage, unreadable input, or no such entry.
    """
    keys = tuple(dict.fromkeys(keys))
    if listing:
        if keys or everything or remove or because is not None or until is not None:
            raise click.UsageError("--list takes an INPUT, and neither KEYs nor other options")
        _list(name, input_format)
        return
    if everything == bool(keys):
        raise click.UsageError(
            "Missing argument 'KEY...'; to accept all flagged entries, use --all instead"
        )
    if remove:
        if because is not None or until is not None or everything:
            raise click.UsageError("--remove takes no --because, no --until and no --all")
        _remove(name, keys, input_format)
        return
    reason, last = _reason(because), _day(until)
    if everything:
        from citeproof.cli.verify import failing

        settings = load(**flags)
        counted = failing(settings.fail_on, flags["fail_on"])
        references = _flagged(name, input_format, settings, counted)
    else:
        entries = entries_of(name, input_format)
        references = [_only(key, _named(key, entries, name)) for key in keys]
    accepted: dict[Path, list[Accepted]] = {}
    for one in references:
        path = Path(one.file)
        table = Accepted(path.name, name_of(one), reason, date.today(), last, content_of(one))
        accepted.setdefault(path.with_name(acceptance.NAME), []).append(table)
    for path, added in sorted(accepted.items()):
        _change(path, added=added)
    for one in references:
        until = f" until {last}" if last else ""
        where = f"{one.place} {one.key}".rstrip()
        click.echo(without_marks(f"{where}: accepted{until}{one.title and f': {one.title}'}"))
    for path in sorted(accepted):
        say(f"written to {path}; keep this file with the bibliography")
    if everything:
        say(f"{len(references):,} accepted")


def _flagged(
    name: str, input_format: str | None, settings: Settings, counted: Container[Status]
) -> list[Reference]:
    """Return the references of the input ``name`` that have a status in ``counted`` and are not
    accepted yet.

    Print a message about those that cannot be accepted.
    """
    known = acceptance.Acceptances(date.today)
    with IsolatedReader().expecting([name]) as reader, open_session(settings) as opened:
        say(*once_a_day(opened.notes))
        run = opened.amending(known.applied).check(
            reader.papers(open_documents([name], input_format))
        )
    of_name: dict[tuple[str, str], list[Reference]] = {}
    for verdict in run.verdicts:
        one = verdict.reference
        of_name.setdefault((one.file, name_of(one)), []).append(one)
    found: dict[tuple[str, str], Reference] = {}
    for verdict in run.verdicts:
        one = verdict.reference
        if verdict.status is Status.ERROR or verdict.status not in counted or verdict.is_accepted:
            continue
        try:
            own = one.file, name_of(one)
            found[own] = _only(own[1], of_name[own])
        except InputError as error:
            say(f"not accepted: {error}")
    return list(found.values())


def _reason(because: str | None) -> str:
    reason = " ".join((because or "").split())
    if not reason:
        raise click.UsageError('say why the entry is right: --because "..."')
    if not reason.isprintable():
        raise click.UsageError("--because has characters that cannot be printed")
    return reason


def _day(until: str | None) -> date | None:
    if until is None:
        return None
    try:
        day = date.fromisoformat(until)
    except ValueError:
        raise click.UsageError(
            f"--until takes a date such as {date.today().year + 1}-12-31, not {until!r}"
        ) from None
    if day < date.today():
        raise click.UsageError(f"--until {day}: this date has passed")
    return day


def _only(key: str, entries: Sequence[Entry]) -> Reference:
    """Return the reference of the first of ``entries``, which all have the key ``key``.

    Raises :class:`InputError` if the entries differ, or are not in a file.
    """
    found = [one if isinstance(one, Reference) else unreadable(one).reference for one in entries]
    if len({(one.file, content_of(one)) for one in found}) > 1:
        places = ", ".join(str(one.place) for one in found)
        raise InputError(
            f"{key!r} occurs several times with different content: {places}; give each entry its"
            " own key"
        )
    if not name_of(found[0]):
        raise InputError(f"{found[0].place}: has no key, DOI or title, so it cannot be accepted")
    if not Path(found[0].file).is_file():
        raise InputError(
            f"{found[0].file}: is not a file in a folder, so no {acceptance.NAME} can be "
            "written beside it"
        )
    return found[0]


def _remove(name: str, keys: Sequence[str], input_format: str | None) -> None:
    """Remove the acceptances of the entries ``keys`` of a bibliography.

    Raises :class:`InputError` if an entry is not accepted.
    """
    bibliography = Path(name)
    path = bibliography.parent / acceptance.NAME
    names = sorted(one.key for one in acceptance.read(path) if one.file == bibliography.name)
    removed: dict[str, str] = {}
    for key in keys:
        removed[key] = key
        if key not in names and names:
            with suppress(InputError):
                found = _only(key, _named(key, entries_of(name, input_format), name))
                removed[key] = name_of(found)
        if removed[key] not in names:
            others = ", ".join(_similar(key, names)) or "none"
            raise InputError(
                f"{path}: has no accepted entry {key!r} of {bibliography.name}; accepted "
                f"entries: {others}"
            )
    _change(path, removed=[(bibliography.name, one) for one in removed.values()])
    for key in keys:
        click.echo(f"{name} {key}: no longer accepted")
    say(f"removed from {path}")


def _list(name: str, input_format: str | None) -> None:
    """Print the accepted entries of a bibliography, and those that are no longer accepted, with the
    reasons.
    """
    bibliography = Path(name)
    if not bibliography.is_file():
        raise InputError(f"{name}: is not a file; --list needs a bibliography")
    path = bibliography.parent / acceptance.NAME
    accepted = [one for one in acceptance.read(path) if one.file == bibliography.name]
    by_name: dict[str, Reference] = {}
    for entry in entries_of(name, input_format):
        reference = entry if isinstance(entry, Reference) else unreadable(entry).reference
        by_name.setdefault(name_of(reference), reference)
    for one in accepted:
        if found := by_name.get(one.key):
            where = f"{found.place} {found.key}".rstrip()
            line = f"{where}: {said(one.acceptance_of(found, date.today()))}: {found.title}"
        else:
            line = f"{name} {one.key}: {one.because} ({one.on}; this entry no longer exists)"
        click.echo(without_marks(line.removesuffix(": ")))
    say(f"{len(accepted):,} accepted in {path}")


def _change(
    path: Path, added: Sequence[Accepted] = (), removed: Sequence[tuple[str, str]] = ()
) -> None:
    text = acceptance.changed(path, acceptance.text_of(path), added, removed)
    with stoppable():
        replace_content(path, text.encode())


def entries_of(name: str, input_format: str | None) -> list[Entry]:
    """Return all entries of the input ``name``, cited or uncited.

    Raises :class:`InputError` if nothing can be read.
    """
    with IsolatedReader() as reader:
        papers = reader.papers(open_documents([name], input_format, everything=True))
        return [entry for bibliography in read_all(papers) for entry in bibliography.entries]


def _named(name: str, entries: Sequence[Entry], document: str) -> list[Entry]:
    """Return the entries whose key, DOI or title is ``name``. If ``name`` is a number, return the
    entry with this number, counted from 1.

    Raises :class:`InputError` if there are no such entries. The message names similar keys.
    """
    if found := [entry for entry in entries if entry.key == name]:
        return found
    doi, title = find_doi(name), normalize_title(name)
    references = [entry for entry in entries if isinstance(entry, Reference)]
    by_doi = [entry for entry in references if doi and entry.doi == doi]
    by_title = [entry for entry in references if title and normalize_title(entry.title) == title]
    if by_doi or by_title:
        return [*(by_doi or by_title)]
    if name.isascii() and name.isdigit() and 0 < int(name) <= len(entries):
        return [entries[int(name) - 1]]
    keys = sorted({entry.key for entry in entries if entry.key})
    if not keys:
        raise InputError(
            f"{document}: has no entry {name!r}; its entries have no keys: name one by its number"
            f" (1 to {len(entries)}), DOI or title"
        )
    alike = _similar(name, keys)
    others = f" and {len(keys) - len(alike)} more" if len(keys) > len(alike) else ""
    raise InputError(f"{document}: has no entry {name!r}; it has {', '.join(alike)}{others}")


def _similar(key: str, keys: list[str]) -> list[str]:
    """Return up to three of ``keys`` that are similar to ``key``, or the first three keys if no key
    is similar.
    """
    return get_close_matches(key, keys, 3) or keys[:3]
