"""``citeproof accept``: what a person has checked counts against no build any more."""

from __future__ import annotations

from datetime import date
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeproof.acceptance import file
from citeproof.acceptance.content import content_of
from citeproof.acceptance.file import Accepted
from citeproof.cli.named_entries import entries_called, entries_of
from citeproof.cli.output import opened
from citeproof.errors import Exit, InputError
from citeproof.models import Reference
from citeproof.pipeline import unreadable
from citeproof.text.direction import without_marks

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMED = 3
"""So many keys are named in place of one that is not accepted."""


@click.command()
@click.argument("name", metavar="INPUT")
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@click.option("--because", metavar="REASON", help="Why it is right as it is; every report shows it.")
@click.option("--until", metavar="DATE", help="Last day on which this holds, such as 2027-12-31.  [default: no end]")
@click.option("--remove", is_flag=True, help="Accept it no longer.")
@click.option("--from", "input_format", metavar="FORMAT", help="Format of INPUT.  [default: by name, then content]")
def command(
    name: str, keys: tuple[str, ...], because: str | None, until: str | None, remove: bool, input_format: str | None
) -> Exit:
    """Accept the entries KEY of INPUT as they are, because a person has checked them.

    They are still checked and shown with the reason, and do not count for the exit code of 'citeproof verify'. This
    is kept in citeproof.accepted.toml beside the bibliography. It ends when an entry is changed.

    Exit codes: 0 done; 2 bad usage, unreadable input, or no such entry.
    """
    keys = tuple(dict.fromkeys(keys))
    if remove:
        if because is not None or until is not None:
            raise click.UsageError("--remove takes no --because and no --until")
        _remove(Path(name), keys)
        for key in keys:
            click.echo(f"{name} {key}: accepted no longer")
        return Exit.CLEAN
    reason, last = _reason(because), _day(until)
    entries = entries_of(name, input_format)
    references = [_only(key, [_reference(entry) for entry in entries_called(key, entries, name)]) for key in keys]
    accepted = [(Path(one.file).parent, _accepted(one, reason, last)) for one in references]
    for folder, own in groupby(sorted(accepted, key=lambda pair: pair[0]), key=lambda pair: pair[0]):
        _write(folder / file.NAME, [one for _, one in own])
    for one in references:
        said = f"{one.place} {one.key}: accepted{f' until {last}' if last else ''}{one.title and f': {one.title}'}"
        click.echo(without_marks(said))
    return Exit.CLEAN


def _reason(because: str | None) -> str:
    reason = " ".join((because or "").split())
    if not reason:
        raise click.UsageError('say why it is right as it is: --because "..."')
    if not reason.isprintable():
        raise click.UsageError("--because has signs in it that cannot be printed")
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


def _reference(entry: Reference | object) -> Reference:
    """Return an entry as verdicts show it, also one that could not be read."""
    return entry if isinstance(entry, Reference) else unreadable(entry).reference  # type: ignore[arg-type]


def _only(key: str, found: Sequence[Reference]) -> Reference:
    """Return the one of ``found`` that is meant; raise :class:`InputError` where it cannot be told, or kept."""
    if len({(one.file, content_of(one)) for one in found}) > 1:
        places = ", ".join(str(one.place) for one in found)
        raise InputError(f"{key!r} stands several times, and not with the same content: {places}; give each a key")
    if not Path(found[0].file).is_file():
        raise InputError(f"{found[0].file}: is no file of a folder, so nothing can be kept beside it")
    return found[0]


def _accepted(reference: Reference, reason: str, last: date | None) -> Accepted:
    name = Path(reference.file).name
    return Accepted(name, reference.key, reason, date.today(), last, content_of(reference))


def _write(path: Path, accepted: Sequence[Accepted]) -> None:
    _replace(path, file.changed(path, file.text_of(path), accepted))


def _remove(bibliography: Path, keys: Sequence[str]) -> None:
    """Take ``keys`` of ``bibliography`` out; raise :class:`InputError` where one of them is not accepted."""
    path = bibliography.parent / file.NAME
    names = sorted(one.key for one in file.read(path) if one.file == bibliography.name)
    for key in keys:
        if key not in names:
            alike = get_close_matches(key, names, _NAMED) or names[:_NAMED]
            raise InputError(f"{path}: accepts no {key!r} of {bibliography.name}; {_others(alike)}")
    _replace(path, file.changed(path, file.text_of(path), removed=[(bibliography.name, key) for key in keys]))


def _others(names: Sequence[str]) -> str:
    return f"it accepts {', '.join(names)}" if names else "it accepts none of its entries"


def _replace(path: Path, text: str) -> None:
    with opened(path, "citeproof accept") as out:
        out.write(text)
