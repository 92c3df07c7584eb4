"""What one step of a correction wants to change in one entry."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citeproof.correction.layout import Edit
    from citeproof.models import Reference, Verdict
    from citeproof.validation.case import Case


class Kind(StrEnum):
    """Why something is changed."""

    CORRECTED = "corrected"
    """The work contradicts what was cited."""
    UPGRADED = "upgraded"
    """The preprint became its published version."""
    ADDED = "added"
    """It was missing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The edits of one entry, and how it must read then."""

    kind: Kind
    edits: tuple[Edit, ...]
    """Empty where something is wanted that cannot be written."""
    changing: frozenset[str]
    """Attributes of the reference that the edits change; each other one stays."""
    wanted: Mapping[str, object] = field(default_factory=dict)
    """Attributes with the value that must be read from the changed entry."""
    mended: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Attributes that are corrected, each with the codes of the differences that must be gone."""
    fields: tuple[tuple[str, str, str], ...] = ()
    """What becomes of the entry's own fields: name, value before, value after, of which one may be empty."""


class Step(Protocol):
    """One kind of change; asked for every entry, and again for what it made of one."""

    def plan(self, reference: Reference, verdict: Verdict, case: Case, text: str, *, ascii_only: bool) -> Plan | None:
        """Return what is to be changed in ``reference``, which stands in ``text``; None where that is nothing."""
