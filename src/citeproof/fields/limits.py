"""How much of a thing is too much of it. What is larger is not what it claims to be, and costs time and memory.

The longest title in DBLP has 1,018 letters, the longest list of authors in Crossref 5,154 names (the joint paper of
ATLAS and CMS, 10.1103/PhysRevLett.114.191803).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.models import Diagnostic, Place, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.models import Reference

LONGEST_TITLE = 2_000
"""Characters of a title, once its LaTeX is resolved."""
LONGEST_FIELD = 20_000
"""Characters of any other field but the authors, and of a title with its LaTeX."""
LONGEST_AUTHORS = 1_000_000
MOST_AUTHORS = 10_000
LONGEST_NAME = 1_000
FREE_ENTRIES = 10_000
"""Entries that any document may have, however short they are."""
SHORTEST_ENTRY = 16
"""Characters that an entry takes on average where there are more."""

CODES = {
    "document.field_too_long": (
        "a note, not a fault: a field is too long to be what it is called (titles: 2,000 letters; authors: 10,000 "
        "names of 1,000 letters; others: 20,000 letters) and is read as absent"
    ),
    "document.too_many_entries": "it has more entries than its length allows; those from there on are not read",
}


def too_many(entries: int, position: int) -> bool:
    """Whether ``entries`` before the offset ``position`` are more than a bibliography has: ``@a{@a{@a{...``."""
    return entries > FREE_ENTRIES + position // SHORTEST_ENTRY


def too_many_entries(place: Place) -> Diagnostic:
    """Return the diagnostic of a document that was read up to ``place`` only."""
    message = "more entries than the length of the document allows; what follows is not read: is it a bibliography?"
    return Diagnostic(place, "document.too_many_entries", message)


def oversized(reference: Reference) -> Iterator[Diagnostic]:
    """Yield a note for each field of ``reference`` that was too long to be read."""
    for name in reference.oversized:
        message = f"{reference.key[:80]}: its field {name[:80]} is too long for one and is read as absent"
        yield Diagnostic(reference.place, "document.field_too_long", message, key=reference.key, severity=Severity.NOTE)
