"""``citeproof fix``: correct the fields of a bibliography that the identified works contradict."""

import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click

from citeproof.cli import options
from citeproof.cli.output import once_a_day, replace_content, say, stoppable
from citeproof.fix.document import Change, Corrected, Corrector, is_bibtex
from citeproof.fix.layout import Kind
from citeproof.fix.patch import patch
from citeproof.model.errors import BuildError, Exit, InputError, cannot_be
from citeproof.model.quantity import quantity
from citeproof.model.reference import Diagnostic, Severity
from citeproof.online.offline import refuse_connections
from citeproof.readers.document import Collection, Document
from citeproof.readers.formats import bbl, bibtex, detect, latex, latex_aux, markdown
from citeproof.readers.opening import open_documents
from citeproof.settings import load
from citeproof.verification.startup import open_session
from citeproof.verification.validation.policy import MEASURED

BACKUP = ".orig"
"""Suffix of the backup copy of a bibliography: ``refs.bib.orig`` is the copy of ``refs.bib``."""


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--diff/--write",
    "show",
    default=True,
    help="Print a patch, or change the file.  [default: --diff]",
)
@click.option(
    "--complete", is_flag=True, help="Add missing DOI, pages, venue, volume, number and year."
)
@click.option(
    "--upgrade", is_flag=True, help="Replace preprints on arXiv with their published versions."
)
@options.look_up
@options.connections
@options.no_cache
def command(
    inputs: tuple[str, ...], show: bool, complete: bool, upgrade: bool, **flags: object
) -> Exit:
    """Correct wrong values in the entries of each .bib FILE, if the rest of the entry identifies
    the cited work.

    If FILE is a folder or archive, its .bib files are corrected. Nothing else in a file changes.
    Each difference that is not corrected is listed with the reason. The patch is for 'git apply';
    --write keeps a copy of the old file as FILE.orig.

    Exit codes: 0 done, or nothing to correct; 2 bad usage, or no FILE can be corrected; 3 some
    FILEs cannot be corrected.
    """
    settings = load(**flags, policy=MEASURED)
    if settings.offline:
        refuse_connections()
    failures: list[str] = []
    results: list[tuple[Document, str, Corrected]] = []
    if documents := list(_correctable(inputs, failures, show=show)):
        with stoppable(), open_session(settings) as session:
            say(*once_a_day(session.notes))
            corrector = Corrector(
                bibtex.read,
                session.pipeline.examine,
                session.validator,
                upgrade=upgrade,
                complete=complete,
            )
            results = [
                (document, name, corrector.correct(document)) for document, name in documents
            ]
    done: list[Corrected] = []
    for document, name, result in results:
        if result.unread:
            one, many = (
                "entry cannot be read and stays as it is",
                "entries cannot be read and stay as they are",
            )
            unread = f"{result.unread} {many if result.unread > 1 else one}"
            say(f"{document.name}: {unread}; see citeproof verify {document.name}")
        try:
            if show:
                sys.stdout.flush()
                sys.stdout.buffer.write(patch(name, document.data, result.data, result.edits))
                sys.stdout.buffer.flush()
            elif result.changes:
                _write(document, result)
            done.append(result)
        except InputError as error:
            failures.append(str(error))
        except KeyboardInterrupt:
            say(*_summary(done, written=not show))
            raise
    if failures and not done:
        say(*failures[:-1])
        raise InputError(failures[-1])
    say(*_summary(done, written=not show), *failures)
    return Exit.INCOMPLETE if failures else Exit.CLEAN


def _correctable(
    inputs: tuple[str, ...], failures: list[str], *, show: bool
) -> Iterator[tuple[Document, str]]:
    """Yield each BibTeX document in ``inputs``, and the file name for its patch.

    For documents of other formats, add a message to ``failures``. If ``show`` is false, files are
    to be changed. Archives, which cannot be changed, then add a message too.
    """
    for opened in open_documents(inputs):
        if isinstance(opened, Collection):
            members = [member for member in opened.members if member.suffix in bibtex.SUFFIXES]
            found = [(each.open(), each.name.removeprefix(f"{opened.name}/")) for each in members]
            opened.close()
            if not found:
                failures.append(f"{opened.name}: has no BibTeX file")
            if (
                found
                and not show
                and all(isinstance(each, Document) and not each.path for each, _ in found)
            ):
                failures.append(
                    f"{opened.name}: is an archive, which --write cannot change; unpack it, or"
                    " omit --write and apply the printed patch"
                )
                continue
        else:
            found = [(opened, "")]
        for each, name in found:
            if isinstance(each, Diagnostic):
                if each.severity is Severity.ISSUE:
                    failures.append(str(each))
                else:
                    say(str(each))
            elif isinstance(each, Document) and is_bibtex(each) and (each.path or name):
                yield each, Path(os.path.relpath(each.path)).as_posix() if each.path else name
            else:
                hint = _hint(each) if isinstance(each, Document) else ""
                failures.append(
                    f"{each.name}: is not a BibTeX file, and only BibTeX files can be"
                    f" corrected{hint}"
                )


def _hint(document: Document) -> str:
    """Return the end of an error message: a hint that names the .bib files to correct instead of
    ``document``. The hint is empty if there are no such files.
    """
    found = detect(document)
    if found and found.NAME == bbl.NAME:
        return "; name the .bib file from which it was made"
    if not found or found.NAME not in {latex.NAME, latex_aux.NAME, markdown.NAME}:
        return ""
    names = [name for name in found.read(document).parts if name.lower().endswith(bibtex.SUFFIXES)]
    return f"; name {', '.join(names[:5])}" if names else ""


def _write(document: Document, result: Corrected) -> None:
    """Make a backup copy of the file of ``document``, and write the corrected content.

    Raises InputError on failure. On failure, the copy is removed only if the file is certainly
    unchanged.
    """
    assert document.path is not None
    target = document.path.resolve()
    backup = target.with_name(target.name + BACKUP)
    copied = False
    try:
        if target.read_bytes() != document.data:
            raise InputError(
                f"{document.name}: changed while it was checked; nothing was written, run it again"
            )
        # a backup that equals the file comes from a run that was killed
        if backup.exists() and backup.read_bytes() != document.data:
            raise InputError(f"{backup}: exists already and may contain your changes; move it away")
        copied = True
        replace_content(backup, document.data)
        shutil.copystat(target, backup)
        replace_content(target, result.data)
    except BaseException as error:
        if copied:
            unchanged = False
            with suppress(OSError):
                unchanged = target.read_bytes() == document.data
            if unchanged:
                with suppress(OSError):
                    backup.unlink()
            else:
                say(f"{document.name}: was changed; {backup.name} has the old content")
        if isinstance(error, OSError):
            raise InputError(cannot_be("written", document.name, error)) from error
        if isinstance(error, BuildError):
            raise InputError(str(error)) from error
        raise


def _summary(results: list[Corrected], *, written: bool) -> list[str]:
    """Return lines for standard error: each change, each issue that was not corrected, and the
    totals. ``written`` says whether the files were changed.
    """
    changes = [change for result in results for change in result.changes]
    left = [one for result in results for one in result.left]
    lines = [
        f"{change.reference.place} {change.reference.key}: {_line(change)}" for change in changes
    ]
    lines += [
        f"{one.reference.place} {one.reference.key}: left: {one.issue.explanation} ({one.why})"
        for one in left
    ]
    kinds = Counter(change.kind for change in changes)
    upgraded = {change.reference.place for change in changes if change.kind is Kind.UPGRADED}
    totals = (
        (kinds[Kind.CORRECTED], "field", "corrected" if written else "to correct"),
        (len(upgraded), "preprint", "upgraded" if written else "to upgrade"),
        (kinds[Kind.ADDED], "field", "added" if written else "to add"),
        (len(left), "finding", "left"),
    )
    first, *others = (f"{quantity(number, noun)} {done}" for number, noun, done in totals)
    end = ", ".join([first, *(total for total in others if not total.startswith("0 "))])
    return [
        *lines,
        f"{end}; the old file is kept with the suffix {BACKUP}" if written and changes else end,
    ]


def _line(change: Change) -> str:
    if change.before and change.after:
        return f"{change.field}: {change.before} -> {change.after}"
    return (
        f"{change.field}: removed {change.before}"
        if change.before
        else f"{change.field}: added {change.after}"
    )
