"""``citeproof fix``: a bibliography with what identified works contradict corrected in place."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from citeproof.cli import options
from citeproof.cli.output import replace_content
from citeproof.correction.document import Corrected, Corrector
from citeproof.correction.patch import patch
from citeproof.correction.plan import Kind
from citeproof.errors import Exit, InputError
from citeproof.formats import bbl, bibtex, detect, latex, latex_aux, markdown
from citeproof.inputs import open_documents
from citeproof.inputs.collection import Collection
from citeproof.inputs.document import Document
from citeproof.models import Diagnostic, Severity
from citeproof.offline import refuse_connections
from citeproof.opening import open_session
from citeproof.settings import load
from citeproof.text.direction import without_marks
from citeproof.validation.policy import MEASURED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.correction.document import Change
    from citeproof.session import Session

BACKUP = ".orig"
"""What is added to the name of the file as it was."""
UNREAD = "entry cannot be read and stays as it is", "entries cannot be read and stay as they are"
NAMING = frozenset({latex.NAME, latex_aux.NAME, markdown.NAME})
"""Formats of papers that name their bibliographies."""
MOST_NAMED = 5
"""So many files are named in place of one that cannot be corrected."""


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="FILE...")
@click.option("--diff/--write", "show", default=True, help="Print a patch, or change the file.  [default: --diff]")
@click.option("--complete", is_flag=True, help="Add missing DOI, pages, venue, volume, number and year.")
@click.option("--upgrade", is_flag=True, help="Turn preprints on arXiv into their published versions.")
@options.bib_db
@options.bib_threshold
@options.bib_max_candidates
@click.option("--enable-online", is_flag=True, default=None, help="Ask online sources too.")
@click.option("--offline", is_flag=True, default=None, help="Open no connection, whatever else is set.")
@click.option("--no-cache", is_flag=True, default=None, help="Neither ask nor write the cache.")
def command(inputs: tuple[str, ...], show: bool, complete: bool, upgrade: bool, **flags: object) -> Exit:
    """Correct in each .bib FILE the fields that an identified work contradicts.

    Everything else stays byte for byte, and what is not certain is left alone. The patch is for 'git apply';
    --write keeps the file as it was under its name and .orig.

    Exit codes: 0 done, or nothing to correct; 2 bad usage, or no FILE that can be corrected; 3 some of several FILEs
    cannot be corrected.
    """
    settings = load(**flags, policy=MEASURED)
    if settings.offline:
        refuse_connections()
    failures: list[str] = []
    documents = list(_correctable(inputs, failures))
    if not documents:
        _end(failures)
    changes: list[Change] = []
    done = 0
    with open_session(settings) as session:
        for note in session.notes:
            _say(note)
        corrector = _corrector(session, upgrade=upgrade, complete=complete)
        corrected = [(document, corrector.correct(document)) for document in documents]
    for document, result in corrected:
        if result.unread:
            _say(f"{document.name}: {_counted(result.unread, *UNREAD)}: citeproof verify {document.name} names them")
        try:
            _hand_out(document, result, show=show)
        except InputError as error:
            failures.append(str(error))
        else:
            changes += result.changes
            done += 1
    if not done:
        _end(failures)
    for line in (*_said(changes, written=not show), *failures):
        _say(line)
    return Exit.INCOMPLETE if failures else Exit.CLEAN


def _end(failures: list[str]) -> NoReturn:
    """End a run in which nothing could be corrected."""
    for failure in failures[:-1]:
        _say(failure)
    raise InputError(failures[-1])


def _say(line: str) -> None:
    click.echo(without_marks(f"citeproof: {line}"), err=True)


def _corrector(session: Session, *, upgrade: bool, complete: bool) -> Corrector:
    return Corrector(
        bibtex.read,
        session.pipeline.examine,
        lambda examination: session.validator.case(examination.reference, examination.findings),
        upgrade=upgrade,
        complete=complete,
    )


def _correctable(inputs: tuple[str, ...], failures: list[str]) -> Iterator[Document]:
    """Yield the documents that can be corrected, and add to ``failures`` why others cannot."""
    for opened in open_documents(inputs):
        if isinstance(opened, Diagnostic):
            if opened.severity is Severity.ISSUE:
                failures.append(str(opened))
            else:
                _say(str(opened))
        elif isinstance(opened, Document) and _is_bibtex(opened):
            yield opened
        else:
            failures.append(
                f"{opened.name}: is no BibTeX file, and nothing else can be corrected in place{_hint(opened)}"
            )


def _is_bibtex(document: Document) -> bool:
    found = detect(document)
    is_it = found is not None and found.NAME == bibtex.NAME and bool(found.accepts(document))
    return document.path is not None and document.is_text and is_it


def _hint(opened: Document | Collection) -> str:
    """Return which files to name instead."""
    if isinstance(opened, Collection):
        names = [member.name for member in opened.members]
    else:
        found = detect(opened)
        if found and found.NAME == bbl.NAME:
            return "; name the .bib file that it was made of"
        names = list(found.read(opened).parts) if found and found.NAME in NAMING else []
    bibliographies = [name for name in names if name.lower().endswith(bibtex.SUFFIXES)]
    return f"; name {', '.join(bibliographies[:MOST_NAMED])}" if bibliographies else ""


def _name(document: Document) -> str:
    """Return the path of a file as a patch names it: from the working folder on."""
    path = Path(os.path.relpath(document.path or document.name))
    return path.as_posix()


def _hand_out(document: Document, result: Corrected, *, show: bool) -> None:
    """Print the patch, or change the file; raise :class:`InputError` where that cannot be done."""
    if not show and result.changes:
        _write(document, result)
    if show:
        sys.stdout.flush()
        sys.stdout.buffer.write(patch(_name(document), document.data, result.data, result.edits))
        sys.stdout.buffer.flush()


def _write(document: Document, result: Corrected) -> None:
    """Put the new content in the place of the old one in one step, which stays beside it."""
    assert document.path is not None
    target = document.path.resolve()
    backup = target.with_name(target.name + BACKUP)
    copied = False
    try:
        if target.read_bytes() != document.data:
            raise InputError(f"{document.name}: changed while it was checked; nothing was written, run it again")
        if backup.exists():
            raise InputError(f"{backup}: exists already, perhaps with what you wrote; move it away")
        copied = True
        shutil.copy2(target, backup)
        replace_content(target, result.data)
    except OSError as error:
        if copied:
            with suppress(OSError):
                backup.unlink()
        raise InputError(f"{document.name}: cannot be written: {error.strerror}") from error


def _said(changes: list[Change], *, written: bool) -> list[str]:
    """Return what standard error says: each change in one line, then their numbers."""
    lines = [f"{change.reference.place} {change.reference.key}: {_one(change)}" for change in changes]
    counts = {kind: sum(change.kind is kind for change in changes) for kind in Kind}
    upgraded = len({change.reference.place for change in changes if change.kind is Kind.UPGRADED})
    parts = [f"{_counted(counts[Kind.CORRECTED], 'field', 'fields')} {'corrected' if written else 'to correct'}"]
    if upgraded:
        parts.append(f"{_counted(upgraded, 'preprint', 'preprints')} {'upgraded' if written else 'to upgrade'}")
    if added := counts[Kind.ADDED]:
        parts.append(f"{_counted(added, 'field', 'fields')} {'added' if written else 'to add'}")
    end = ", ".join(parts)
    return [*lines, f"{end}; the file as it was has the suffix {BACKUP}" if written and changes else end]


def _one(change: Change) -> str:
    if not change.before:
        return f"{change.field}: added {change.after}"
    return (
        f"{change.field}: {change.before} -> {change.after}"
        if change.after
        else f"{change.field}: removed {change.before}"
    )


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
