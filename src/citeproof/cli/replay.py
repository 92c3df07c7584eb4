"""``citeproof replay``: decide verdicts again from stored evidence, without database or network."""

import gzip
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from citeproof.cli.options import FILE
from citeproof.cli.output import say
from citeproof.model.errors import Exit, InputError, cannot_be
from citeproof.model.quantity import quantity
from citeproof.readers.document import GZIP
from citeproof.report.dossier import BEGINNINGS, faults
from citeproof.text.encodings import without_marks
from citeproof.verification.evidence.line import Evidence
from citeproof.verification.evidence.replay import Replay, replay
from citeproof.verification.policy_files import chosen_policy
from citeproof.verification.validation.policy import Policy


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option(
    "--policy", metavar="NAME|FILE", help="Decide under this policy, and show what differs."
)
def command(paths: tuple[Path, ...], policy: str | None) -> Exit:
    """Decide every verdict again from the evidence in each FILE that 'verify --evidence' or
    'screen' wrote; show which verdicts differ, and why.

    No database, cache or network is used. If FILE is a dossier of 'citeproof dossier', it is also
    made again and compared byte for byte.

    Exit codes: 0 all equal, 1 some differ, 2 bad usage or unreadable FILE, 3 some lines are not
    evidence.
    """
    chosen = chosen_policy(policy) if policy is not None else None
    causes = Counter[str]()
    equal = unread = dossiers = changed = 0
    for path in paths:
        if (found := _dossier(path)) is not None:
            changed += bool(found)
            dossiers += 1
            for line in found or ("the same, byte for byte",):
                click.echo(without_marks(f"{path}: {line}"))
            continue
        for number, one in _replayed(path, chosen):
            if isinstance(one, InputError):
                unread += 1
                say(f"{path}:{number}: {one}")
            elif one.equal:
                equal += 1
            else:
                causes[one.why] += 1
                reference = one.evidence.reference
                about = (f"{path}:{number}", reference.key, f"({reference.place})")
                click.echo(without_marks(" ".join(filter(None, about))))
                for line in one.differences():
                    click.echo(f"  {line}")
    for cause, count in causes.most_common():
        click.echo(f"{count:,} for this reason: {cause}")
    differ = causes.total()
    if not (equal or differ or dossiers):
        raise InputError(f"{', '.join(map(str, paths))}: no line of evidence at all")
    if equal or differ:
        verdicts = quantity(equal + differ, "verdict")
        click.echo(f"{verdicts} decided again: {equal:,} equal, {differ:,} differ.")
    return Exit.INCOMPLETE if unread else Exit.FLAGGED if differ or changed else Exit.CLEAN


def _dossier(path: Path) -> list[str] | None:
    """If ``citeproof dossier`` wrote the file, render it again and return messages about
    differences.

    Otherwise None.
    """
    try:
        with path.open("rb") as file:
            if not file.read(len(BEGINNINGS[0])).startswith(BEGINNINGS):
                return None
        with path.open(encoding="utf-8", newline="") as text:
            found = faults(text.read())
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(cannot_be("read", path, error)) from error
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    return None if found is None else list(found)


def _replayed(path: Path, policy: Policy | None) -> Iterator[tuple[int, Replay | InputError]]:
    """Decide each verdict in the evidence file ``path`` again.

    Yield pairs: the line number, and the result or an error.
    """
    try:
        with path.open("rb") as file:
            packed = file.read(len(GZIP)) == GZIP
        with gzip.open(path) if packed else path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    try:
                        yield number, replay(Evidence.unpacked(line), policy)
                    except InputError as error:
                        yield number, error
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(cannot_be("read", path, error)) from error
