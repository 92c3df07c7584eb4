"""``citeproof replay``: kept verdicts decided again, without database or network."""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from typing import TYPE_CHECKING

import click

from citeproof.cli.file_types import FILE
from citeproof.errors import Exit, InputError
from citeproof.evidence.line import Evidence
from citeproof.evidence.replay import replay
from citeproof.inputs.packed import GZIP
from citeproof.text.direction import without_marks
from citeproof.validation.policies import chosen_policy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.evidence.replay import Replay
    from citeproof.validation.policy import Policy


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option("--policy", metavar="NAME|FILE", help="Decide by this policy, and say what differs under it.")
def command(paths: tuple[Path, ...], policy: str | None) -> Exit:
    """Decide again every verdict of each FILE that 'verify --evidence' or 'screen' wrote; say what differs and why.

    Nothing is looked up: no database, no cache, no network.

    Exit codes: 0 all equal, 1 some differ, 2 bad usage or unreadable FILE, 3 some lines are no evidence.
    """
    chosen = chosen_policy(policy) if policy is not None else None
    equal = 0
    causes = Counter[str]()
    unread = 0
    for path in paths:
        for number, one in _replayed(path, chosen):
            if isinstance(one, InputError):
                unread += 1
                click.echo(f"citeproof: {path}:{number}: {one}", err=True)
            elif one.equal:
                equal += 1
            else:
                causes[one.why] += 1
                reference = one.evidence.reference
                click.echo(
                    without_marks(" ".join(filter(None, [f"{path}:{number}", reference.key, f"({reference.place})"])))
                )
                for line in one.differences():
                    click.echo(f"  {line}")
    for cause, count in causes.most_common():
        click.echo(f"{count:,} for this reason: {cause}")
    differ = causes.total()
    if not (equal or differ or unread):
        raise InputError(f"{', '.join(map(str, paths))}: no line of evidence at all")
    click.echo(f"{equal + differ:,} verdicts decided again: {equal:,} equal, {differ:,} differ.")
    return Exit.INCOMPLETE if unread else Exit.FLAGGED if differ else Exit.CLEAN


def _replayed(path: Path, policy: Policy | None) -> Iterator[tuple[int, Replay | InputError]]:
    """Yield for each line of ``path`` its number and what became of it; one bad line costs no other."""
    try:
        with path.open("rb") as file:
            packed = file.read(len(GZIP)) == GZIP
        with gzip.open(path) if packed else path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, _one(line, policy)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _one(line: bytes, policy: Policy | None) -> Replay | InputError:
    try:
        return replay(Evidence.unpacked(line), policy)
    except InputError as error:
        return error
