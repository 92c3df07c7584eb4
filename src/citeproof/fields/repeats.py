"""What a bibliography says twice: keys and works. Both entries are checked all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.models import Diagnostic, Place, Severity
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from citeproof.models import Reference

CODES = {
    "document.repeated_key": "a note, not a fault: an earlier entry has the same key, whatever the case of its letters",
    "document.repeated_work": "a note, not a fault: an earlier entry has the same DOI, or the same title and authors",
}


class Repeats:
    """What was said so far: of each entry its place, and of what only two descriptions of one work share a number."""

    def __init__(self) -> None:
        self._by_key: dict[str, str] = {}
        self._by_work: dict[int, str] = {}

    def of(self, reference: Reference) -> Iterator[Diagnostic]:
        """Yield a note where ``reference`` has the key of an earlier one, and where it describes the same work."""
        here = _where(reference)
        if reference.key and (first := self._by_key.setdefault(reference.key.lower(), here)) is not here:
            alike = first.removeprefix(f"{_short(reference.key)} in ")
            said = (
                f"is that of {first}, but for its case" if alike == first else f"is also that of the entry in {alike}"
            )
            yield _note(reference, "repeated_key", f"the key {_short(reference.key)} {said}")
        earlier = [
            first
            for sign in _signs(reference)
            if (first := self._by_work.setdefault(hash(sign), here)) is not here  # a number: 200 bytes less an entry
        ]
        if earlier:
            name = f"{_short(reference.key)} seems" if reference.key else "this seems"
            yield _note(reference, "repeated_work", f"{name} to be the same work as {earlier[0]}")


def _signs(reference: Reference) -> Iterator[Hashable]:
    """Yield what only two descriptions of one work have in common; titles such as ``Editorial`` need their authors."""
    if reference.doi:
        yield reference.doi
    if reference.authors and (title := normalize_title(reference.title)):
        yield title, normalize_title("\n".join(reference.authors)), reference.year


def _where(reference: Reference) -> str:
    place = f"line {reference.line}" if reference.line else f"page {reference.place.page}"
    return f"{_short(reference.key)} in {place}" if reference.key else f"the one in {place}"


def _short(key: str) -> str:
    return repr(key[:80])


def _note(reference: Reference, code: str, message: str) -> Diagnostic:
    place = Place(reference.file, reference.line, reference.place.page)
    return Diagnostic(place, f"document.{code}", message, key=reference.key, severity=Severity.NOTE)
