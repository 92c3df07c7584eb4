"""What holds of every input, however strange: checked by the fuzzer, and by the suite on what the
fuzzer kept.
"""

from __future__ import annotations

import re
import resource
import tracemalloc
from dataclasses import fields
from time import process_time
from typing import TYPE_CHECKING

from citeproof.model.reference import Bibliography, Diagnostic, Reference
from tests.fuzz.targets import TARGETS

if TYPE_CHECKING:
    from citeproof.readers.document import Document

SECONDS = 1.0
"""Processor time that any input may take."""
SECONDS_PER_MB = 2.0
RUNNING_TEXT = {
    "docx": 30.0,
    "html": 30.0,
    "markdown": 30.0,
    "pdf": 60.0,
    "text": 30.0,
    "lists": 20.0,
}
"""The same of what is weighed in many ways, entry by entry: 6,000 references are a megabyte."""
MEMORY, MEMORY_PER_BYTE = 20_000_000, 50
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_COUNTED = {
    "ris": re.compile(r"^\ufeff?TY(?:  -| -(?=\s|$))", re.MULTILINE),
    "titles": re.compile(r"^(?!\s*#)(?=.*\S)", re.MULTILINE),
}
"""Formats in which the beginnings of entries can be counted by a pattern."""


class Fault(AssertionError):  # noqa: N818 - it is one of a reader
    """An input of which something does not hold."""


def check(name: str, data: bytes, patience: float = 1.0) -> Bibliography:
    """Read ``data`` with the target ``name``, and return what it holds.

    ``patience`` is by how much a program that is watched is slower. Raises :class:`Fault`, or what
    the reader raised.
    """
    before, start = _peak(), process_time()
    document, found = TARGETS[name](data)
    taken, more = process_time() - start, _peak() - before
    size = max(len(data), len(document.data))
    allowed = SECONDS + size / 1e6 * RUNNING_TEXT.get(name, SECONDS_PER_MB)
    if taken > allowed * patience:
        raise Fault(f"takes {taken:.1f} s for {size} bytes")
    if (
        more > MEMORY + MEMORY_PER_BYTE * size
        and (peak := _traced(name, data)) > MEMORY + MEMORY_PER_BYTE * size
    ):
        raise Fault(f"takes {peak} bytes of memory for {size} bytes")
    if TARGETS[name](data)[1] != found:
        raise Fault("is read in another way when it is read again")
    _check_entries(name, document, found)
    return found


def _check_entries(name: str, document: Document, found: Bibliography) -> None:
    if not found.entries:
        raise Fault("has no entry, not even a diagnostic")
    for entry in (*found.entries, *found.diagnostics):
        if not isinstance(entry, Reference | Diagnostic):
            raise Fault(f"has an entry that is a {type(entry).__name__}")
        _check_text(entry)
        _check_place(document, entry)
    whole = not any(of_document(one) for one in found.entries)
    begun = len(_COUNTED[name].findall(document.text)) if name in _COUNTED and whole else 0
    if begun not in {0, len(found.entries)}:
        raise Fault(f"begins {begun} entries, and {len(found.entries)} are read")


def of_document(entry: Reference | Diagnostic) -> bool:
    """Whether ``entry`` says why more of its document is not read."""
    return isinstance(entry, Diagnostic) and entry.code.startswith("document.")


def _check_text(entry: Reference | Diagnostic) -> None:
    """Check that each text of ``entry`` can be written anywhere and commands no terminal."""
    for field in fields(entry):
        value = getattr(entry, field.name)
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, Reference):
                _check_text(text)
            elif isinstance(text, str) and (match := _CONTROL.search(text)):
                raise Fault(f"{field.name} holds the character {match[0]!r}")
    if isinstance(entry, Reference) and not (entry.year is None or 0 < entry.year < 10_000):
        raise Fault(f"is of the year {entry.year}")


def _check_place(document: Document, entry: Reference | Diagnostic) -> None:
    place = entry.place
    if place.file != document.name or not document.is_text:
        return
    lines = document.text.count("\n") + 1
    if not 0 <= place.line <= lines:
        raise Fault(f"has {lines} lines, and an entry in line {place.line}")
    spans = [span for span in (place.span, *(span for _, span in place.fields)) if span]
    if any(not 0 <= start <= end <= len(document.text) for start, end in spans):
        raise Fault(f"has {len(document.text)} letters, and an entry at {place}: {spans}")
    if place.span:
        if len(document.text) < 20_000:
            document.edits_in_bytes([(place.span, "")])  # it decodes all of the document each time
        start, end = place.span.start, place.span.end
        if any(not start <= first <= last <= end for first, last in spans):
            raise Fault(f"has a field outside of its entry: {place}")
        if place.line != document.text.count("\n", 0, start) + 1:
            raise Fault(f"has an entry at offset {start} that is said to be in line {place.line}")
        if isinstance(entry, Reference) and entry.raw != document.text[start:end]:
            raise Fault(
                f"has an entry whose raw text is not what stands at its place: {entry.raw[:80]!r}"
            )


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _traced(name: str, data: bytes) -> int:
    """Return the most memory that reading takes, exactly."""
    tracemalloc.start()
    TARGETS[name](data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak
