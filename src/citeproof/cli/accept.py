"""``citeproof accept``: accept entries that a person has checked, so that they fail no build."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import click

from citeproof.cli import options
from citeproof.cli.named_entries import Entry, entries_called, entries_of, similar
from citeproof.cli.output import replace_content, say, stoppable
from citeproof.fix import acceptance
from citeproof.fix.acceptance import Accepted, content_of
from citeproof.model.errors import InputError
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status
from citeproof.settings import Settings, load
from citeproof.text.encodings import without_marks
from citeproof.verification.pipeline import unreadable


@click.command()
@click.argument("name", metavar="INPUT")
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option(
    "--all", "everything", is_flag=True, help="Accept every entry that 'citeproof verify' flags now, as a baseline."
)
@click.option("--because", metavar="REASON", help="Why the entry is right as it is; every report shows this.")
@click.option("--until", metavar="DATE", help="Last day of the acceptance, such as 2027-12-31.  [default: no end]")
@click.option("--remove", is_flag=True, help="Remove the acceptance.")
@click.option("--from", "input_format", metavar="FORMAT", help="Format of INPUT.  [default: by name, then content]")
@options.bib_dbs
@click.option("--policy", metavar="NAME|FILE", help="With --all: what counts, as for 'citeproof verify'.")
@click.option("--fail-on", metavar="WORDS", help="With --all: what is flagged, as for 'citeproof verify'.")
def command(
    name: str,
    keys: tuple[str, ...],
    everything: bool,
    because: str | None,
    until: str | None,
    remove: bool,
    input_format: str | None,
    **flags: object,
) -> None:
    """Accept the entries KEY of INPUT as they are, because a person has checked them.

    They are still checked and shown with the reason, and do not count for the exit code of 'citeproof verify'.
    Acceptances are stored in citeproof.accepted.toml beside the bibliography. One ends when its entry is changed.

    With --all, all entries that are flagged now are accepted, so that a build fails on new findings only.

    Exit codes: 0 done; 2 bad usage, unreadable input, or no such entry.
    """
    keys = tuple(dict.fromkeys(keys))
    if everything == bool(keys):
        raise click.UsageError("Missing argument 'KEY...'; --all takes its place and accepts all that is flagged")
    if remove:
        if because is not None or until is not None or everything:
            raise click.UsageError("--remove takes no --because, no --until and no --all")
        _remove(Path(name), keys)
        for key in keys:
            click.echo(f"{name} {key}: accepted no longer")
        return
    reason, last = _reason(because), _day(until)
    if everything:
        references = _flagged(name, input_format, load(**flags))
    else:
        entries = entries_of(name, input_format)
        references = [_only(key, entries_called(key, entries, name)) for key in keys]
    accepted: dict[Path, list[Accepted]] = {}
    for one in references:
        path = Path(one.file)
        said = Accepted(path.name, one.key, reason, date.today(), last, content_of(one))
        accepted.setdefault(path.with_name(acceptance.NAME), []).append(said)
    for path, own in sorted(accepted.items()):
        _change(path, added=own)
    for one in references:
        until = f" until {last}" if last else ""
        click.echo(without_marks(f"{one.place} {one.key}: accepted{until}{one.title and f': {one.title}'}"))
    if everything:
        say(f"{len(references):,} accepted")


def _flagged(name: str, input_format: str | None, settings: Settings) -> list[Reference]:
    """Return the flagged references of ``name`` that are not accepted yet; print a line for each unacceptable one."""
    from citeproof.cli.verify import failing
    from citeproof.readers.isolation import IsolatedReader
    from citeproof.readers.opening import open_documents
    from citeproof.verification.opening import open_session

    known = acceptance.Acceptances(date.today)
    with IsolatedReader() as reader, open_session(settings) as opened:
        say(*opened.notes)
        run = opened.finishing(known.applied).check(reader.papers(open_documents([name], input_format)))
    of_name: dict[tuple[str, str], list[Reference]] = {}
    for verdict in run.verdicts:
        of_name.setdefault((verdict.reference.file, verdict.reference.key), []).append(verdict.reference)
    found: dict[tuple[str, str], Reference] = {}
    for verdict in run.verdicts:
        one = verdict.reference
        if verdict.status is Status.ERROR or verdict.status not in failing(settings.fail_on) or verdict.is_accepted:
            continue
        try:
            found[one.file, one.key] = _only(one.key, of_name[one.file, one.key])
        except InputError as error:
            say(f"not accepted: {error}")
    return list(found.values())


def _reason(because: str | None) -> str:
    reason = " ".join((because or "").split())
    if not reason:
        raise click.UsageError('say why it is right as it is: --because "..."')
    if not reason.isprintable():
        raise click.UsageError("--because has characters that cannot be printed")
    return reason


def _day(until: str | None) -> date | None:
    if until is None:
        return None
    try:
        day = date.fromisoformat(until)
    except ValueError:
        raise click.UsageError(f"--until takes a day such as {date.today().year + 1}-12-31, not {until!r}") from None
    if day < date.today():
        raise click.UsageError(f"--until {day}: that day is over")
    return day


def _only(key: str, entries: Sequence[Entry]) -> Reference:
    """Return the reference that all ``entries`` describe; for an unreadable entry, the reference of its verdict.

    Raises :class:`InputError` if the entries differ, or if they come from standard input or an archive.
    """
    found = [one if isinstance(one, Reference) else unreadable(one).reference for one in entries]
    if len({(one.file, content_of(one)) for one in found}) > 1:
        places = ", ".join(str(one.place) for one in found)
        raise InputError(f"{key!r} occurs several times with different content: {places}; give each a key")
    if not Path(found[0].file).is_file():
        raise InputError(f"{found[0].file}: is not a file in a folder, so no acceptance can be kept beside it")
    return found[0]


def _remove(bibliography: Path, keys: Sequence[str]) -> None:
    """Remove the acceptances of ``keys``; raise :class:`InputError` if one of these entries is not accepted."""
    path = bibliography.parent / acceptance.NAME
    names = sorted(one.key for one in acceptance.read(path) if one.file == bibliography.name)
    for key in keys:
        if key not in names:
            others = ", ".join(similar(key, names)) or "none of its entries"
            raise InputError(f"{path}: accepts no {key!r} of {bibliography.name}; it accepts {others}")
    _change(path, removed=[(bibliography.name, key) for key in keys])


def _change(path: Path, added: Sequence[Accepted] = (), removed: Sequence[tuple[str, str]] = ()) -> None:
    text = acceptance.changed(path, acceptance.text_of(path), added, removed)
    with stoppable():
        replace_content(path, text.encode())
