"""Encode verdicts as JSON for storage.

Status and reason come first, so that they can be read without decoding the rest. All other fields
are stored only if they differ from the default.
"""

import json
import re
from collections.abc import Iterable

from citeproof.model.account import Unread
from citeproof.model.run import Run, Statistics
from citeproof.model.stored import loaded, stored
from citeproof.model.verdict import Status, Verdict
from citeproof.store.runtime.jobs import Job

_BEGINNING = re.compile(rb'\{"status":"([A-Z]+)",(?:"reason":"([^"]*)",)?')
BEGINNING = 100
"""Number of bytes at the beginning of an encoded verdict that contain status and reason. """


def packed(verdict: Verdict) -> bytes:
    """Return ``verdict`` as JSON in UTF-8, with status and reason first."""
    rest = stored(verdict, without=("status", "reason"))
    return f'{{"status":"{verdict.status.value}","reason":"{verdict.reason}",'.encode() + rest[1:]


def unpacked(kept: bytes) -> Verdict:
    """Return the verdict that :func:`packed` encoded."""
    return loaded(Verdict, kept)


def kind_of(beginning: bytes) -> tuple[Status, str]:
    """Return status and reason of an encoded verdict, given its first :data:`BEGINNING` bytes.

    The reason may be empty in verdicts that an older version stored.
    """
    found = _BEGINNING.match(beginning)
    return (Status(found[1].decode()), (found[2] or b"").decode()) if found else (Status.ERROR, "")


def writable(text: str) -> str:
    r"""Replace lone surrogates in ``text``, which UTF-8 cannot encode, by texts like ``\ud800``."""
    return text.encode("utf-8", "backslashreplace").decode()


def run_of(job: Job, kept: Iterable[bytes]) -> Run:
    """Return ``job`` as a :class:`Run` with the verdicts ``kept``, which :func:`packed` has
    encoded.
    """
    verdicts = tuple(map(unpacked, kept))
    return Run(
        json.loads(job.database),
        job.notes,
        verdicts,
        Statistics.of(verdicts, job.seconds),
        (),
        job.ending,
        unread=loaded(tuple[Unread, ...], job.unread),
    )
