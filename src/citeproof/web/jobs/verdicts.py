"""Verdicts as a job keeps them: whole, as JSON without what is empty, so that every report can be made of them.

The status comes first, so that a long job can be sorted by the beginnings of its verdicts.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from citeproof.models import Status, Verdict
from citeproof.results import Run, Statistics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citeproof.runtime.jobs import Job

_VERDICT: TypeAdapter[Verdict] = TypeAdapter(Verdict)
_BEGINNINGS = {f'{{"status":"{status.value}",'.encode(): status for status in Status}
BEGINNING = max(map(len, _BEGINNINGS))
"""So many bytes of a verdict tell its status."""


def packed(verdict: Verdict) -> bytes:
    """Return ``verdict`` as it is kept; half a character, which UTF-8 cannot hold, becomes an escape: ``\\ud800``."""
    try:
        rest = _VERDICT.dump_json(verdict, exclude={"status"}, exclude_defaults=True)
    except PydanticSerializationError:
        fields = _VERDICT.dump_python(verdict, exclude={"status"}, exclude_defaults=True)
        rest = json.dumps(_written(fields), ensure_ascii=False, separators=(",", ":")).encode()
    return f'{{"status":"{verdict.status.value}",'.encode() + rest[1:]


def unpacked(kept: bytes) -> Verdict:
    """Return the verdict that was kept."""
    return _VERDICT.validate_json(kept)


def status_of(beginning: bytes) -> Status:
    """Return the status of a verdict that begins so; ERROR where an earlier version kept it in another order."""
    return next((status for start, status in _BEGINNINGS.items() if beginning.startswith(start)), Status.ERROR)


def writable(text: str) -> str:
    """Return ``text`` with half characters as escapes: a JSON file may hold one, and the name of a tar's member."""
    return text.encode("utf-8", "backslashreplace").decode()


def _written(value: Any) -> Any:
    """Return ``value`` with every text in it writable."""
    if isinstance(value, str):
        return writable(value)
    if isinstance(value, dict):
        return {name: _written(one) for name, one in value.items()}
    return [_written(one) for one in value] if isinstance(value, list | tuple) else value


def run_of(job: Job, kept: Iterable[bytes]) -> Run:
    """Return what ``job`` has found, with the verdicts ``kept`` of it."""
    verdicts = tuple(map(unpacked, kept))
    database = json.loads(job.header.database) if job.header else {}
    notes = job.header.notes if job.header else ()
    return Run(database, notes, verdicts, Statistics.of(verdicts, job.seconds), (), job.ending)
