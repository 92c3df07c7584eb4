"""Verdicts as a job keeps them: whole, as JSON without what is empty, so that every report can be made of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from citeproof.models import Verdict
from citeproof.results import Run, Statistics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citeproof.runtime.jobs import Job

_VERDICT: TypeAdapter[Verdict] = TypeAdapter(Verdict)


def packed(verdict: Verdict) -> bytes:
    """Return ``verdict`` as it is kept."""
    return _VERDICT.dump_json(verdict, exclude_defaults=True)


def unpacked(kept: bytes) -> Verdict:
    """Return the verdict that was kept."""
    return _VERDICT.validate_json(kept)


def run_of(job: Job, kept: Iterable[bytes]) -> Run:
    """Return what ``job`` has found, with the verdicts ``kept`` of it."""
    verdicts = tuple(map(unpacked, kept))
    database = json.loads(job.header.database) if job.header else {}
    notes = job.header.notes if job.header else ()
    return Run(database, notes, verdicts, Statistics.of(verdicts, job.seconds), (), job.ending)
