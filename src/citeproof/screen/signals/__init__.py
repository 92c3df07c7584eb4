"""What only a corpus shows: one signal a file, each with the same shape.

``NAME``; ``MEANING``, one sentence on what it is and what else may explain it; and ``find(corpus)``, which returns what
was found, what matters most first. A signal says what was seen, with its numbers, and accuses nobody.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from citeproof.screen.corpus import Corpus

NOWHERE = frozenset({
    "title_not_found", "found_nowhere", "absent_from_complete_volume", "absent_from_complete_source",
    "not_in_cited_volume",
})  # fmt: skip
"""Reasons of references whose title is in no source at hand."""


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing that was seen."""

    papers: tuple[int, ...]
    """Numbers of the papers that it is about."""
    references: tuple[int, ...]
    """Numbers of the distinct references that show it."""
    weight: float
    """How much it matters beside others of its kind: larger is more."""
    said: str
    """One sentence for a person."""


class Kind(Protocol):
    """The shape of a module of this folder."""

    NAME: str
    MEANING: str

    def find(self, corpus: Corpus) -> list[Signal]:
        """Return what was seen, what matters most first."""


def kinds() -> tuple[Kind, ...]:
    """Return the modules of this folder."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(cast("Kind", importlib.import_module(f"{__name__}.{name}")) for name in names)
