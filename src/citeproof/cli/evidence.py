"""Keeping the evidence of a run in a file."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING

from citeproof.cli.output import STDOUT, opened, refuse_in_use
from citeproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.session import Session

OPTION = "--evidence"


@contextmanager
def keeping(session: Session, path: Path | None) -> Iterator[Session]:
    """Yield ``session`` so that it keeps its evidence in ``path``, which appears complete or not at all.

    Raises :class:`InputError` when the file cannot be written.
    """
    if path is None:
        yield session
        return
    from citeproof.evidence.keeper import Keeper

    with opened(path, OPTION) as out:
        keeper = Keeper(out, session.validator, session.describe_database(), date.today)
        yield session.witnessed(keeper)
        if keeper.trouble:
            raise InputError(f"{path}: cannot be written: {keeper.trouble.strerror}") from keeper.trouble


def refuse_evidence_in_use(path: Path | None, output: Path | None, in_use: list[tuple[Path, str]]) -> None:
    """Raise :class:`InputError` where ``path`` would take the place of a file of the run, or of its report."""
    if path == STDOUT:
        raise InputError(f"{OPTION}: names a file; standard output is the report's")
    report = [(output, "the report of this run")] if output else []
    refuse_in_use(path, [*in_use, *report], OPTION)
