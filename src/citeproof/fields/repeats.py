"""What a bibliography says twice: keys and works. Both entries are checked all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.models import Diagnostic, Place, Reference, Severity
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

CODES = {
    "document.repeated_key": "a note, not a fault: an earlier entry has the same key, whatever the case of its letters",
    "document.repeated_work": "a note, not a fault: an earlier entry has the same DOI, or the same title and authors",
}


def repeats(entries: Iterable[Reference | Diagnostic]) -> Iterator[Diagnostic]:
    """Yield a note for each reference that has the key of an earlier one, or describes the same work."""
    by_key: dict[str, Reference] = {}
    by_work: dict[Hashable, Reference] = {}
    for entry in entries:
        if not isinstance(entry, Reference):
            continue
        if entry.key and (first := by_key.setdefault(entry.key.lower(), entry)) is not entry:
            yield _note(entry, "repeated_key", f"the key {_short(entry.key)} is that of {_where(first)} too")
        earlier = [first for sign in _signs(entry) if (first := by_work.setdefault(sign, entry)) is not entry]
        if earlier:
            name = f"{_short(entry.key)} seems" if entry.key else "this seems"
            yield _note(entry, "repeated_work", f"{name} to be the same work as {_where(earlier[0])}")


def _signs(reference: Reference) -> Iterator[Hashable]:
    """Yield what only two descriptions of one work have in common; titles such as ``Editorial`` need their authors."""
    if reference.doi:
        yield reference.doi
    if reference.authors and (title := normalize_title(reference.title)):
        yield title, tuple(map(normalize_title, reference.authors)), reference.year


def _where(reference: Reference) -> str:
    place = f"line {reference.line}" if reference.line else f"page {reference.place.page}"
    return f"{_short(reference.key)} in {place}" if reference.key else f"the one in {place}"


def _short(key: str) -> str:
    return repr(key[:80])


def _note(reference: Reference, code: str, message: str) -> Diagnostic:
    place = Place(reference.file, reference.line, reference.place.page)
    return Diagnostic(place, f"document.{code}", message, key=reference.key, severity=Severity.NOTE)
