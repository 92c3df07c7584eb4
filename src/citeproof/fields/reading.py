"""A document while it is read: its entries as they come, so that the first does not wait for the last."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from citeproof.models import Bibliography, Diagnostic, Extraction, Reference

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Reading:
    """One document that is being read."""

    entries: Iterator[Reference | Diagnostic]
    """To be taken once, to their end or not."""
    beside: list[Diagnostic] = field(default_factory=list)
    """What is to be said beside the entries; whole when all of them were taken."""
    parts: tuple[str, ...] = ()
    """As of :class:`Bibliography`."""
    extraction: Extraction | None = None
    """As of :class:`Bibliography`."""

    @classmethod
    def of(cls, bibliography: Bibliography) -> Reading:
        """Return what was read already."""
        beside = list(bibliography.diagnostics)
        return cls(iter(bibliography.entries), beside, bibliography.parts, bibliography.extraction)

    def bibliography(self) -> Bibliography:
        """Return all of the document: the entries that were not taken so far, and what is said beside them."""
        entries = tuple(self.entries)
        return Bibliography(entries, tuple(self.beside), self.parts, self.extraction)

    def notes(self) -> tuple[str, ...]:
        """Return what is said beside the entries that were taken, as sentences."""
        return Bibliography((), tuple(self.beside)).notes
