"""Encode verdicts for the runtime store: JSON with status and reason first, then all fields that are not defaults."""

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
"""Number of first bytes of an encoded verdict that contain its status and its reason."""


def packed(verdict: Verdict) -> bytes:
    r"""Return ``verdict`` as JSON in UTF-8. Lone surrogates, which cannot be encoded, become texts like ``\ud800``."""
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
    """Return status and reason from the first bytes of an encoded verdict. Earlier versions wrote no reason there."""
    found = _BEGINNING.match(beginning)
    return (Status(found[1].decode()), (found[2] or b"").decode()) if found else (Status.ERROR, "")


def writable(text: str) -> str:
    r"""Return ``text`` with lone surrogates, such as JSON files may contain, replaced by texts like ``\ud800``."""
    return text.encode("utf-8", "backslashreplace").decode()


def run_of(job: Job, kept: Iterable[bytes]) -> Run:
    """Return the run of ``job`` with the verdicts ``kept``, which are encoded."""
    verdicts = tuple(map(unpacked, kept))
    return Run(json.loads(job.database), job.notes, verdicts, Statistics.of(verdicts, job.seconds), (), job.ending)
