"""Encode verdicts as JSON for storage: first status and reason, then all fields that differ from
the default.
"""

import json
import re
from collections.abc import Iterable

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Status, Verdict
from citeproof.store.runtime.jobs import Job

_VERDICT: TypeAdapter[Verdict] = TypeAdapter(Verdict)
_FIRST = {"status", "reason"}
_SURROGATE = re.compile("[\ud800-\udfff]")
_BEGINNING = re.compile(rb'\{"status":"([A-Z]+)",(?:"reason":"([^"]*)",)?')
BEGINNING = 100
"""Number of bytes at the beginning of an encoded verdict that are enough to read status and
reason.
"""


def packed(verdict: Verdict) -> bytes:
    r"""Return ``verdict`` as JSON in UTF-8.

    Lone surrogates, which UTF-8 lacks, become texts like ``\ud800``.
    """
    try:
        rest = _VERDICT.dump_json(verdict, exclude=_FIRST, exclude_defaults=True)
    except PydanticSerializationError:
        fields = _VERDICT.dump_python(verdict, exclude=_FIRST, exclude_defaults=True)
        text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
        rest = _SURROGATE.sub(lambda found: rf"\\u{ord(found[0]):x}", text).encode()
    return f'{{"status":"{verdict.status.value}","reason":"{verdict.reason}",'.encode() + rest[1:]


def unpacked(kept: bytes) -> Verdict:
    """Return the verdict that :func:`packed` encoded."""
    return _VERDICT.validate_json(kept)


def kind_of(beginning: bytes) -> tuple[Status, str]:
    """Return status and reason from the first bytes of an encoded verdict.

    The reason may be empty in old verdicts.
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
    )
