"""A plan: the edits that one step of a correction wants to make in one entry."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citeproof.fix.layout import Edit
    from citeproof.model.reference import Reference
    from citeproof.model.verdict import Verdict
    from citeproof.verification.validation.case import Case


class Kind(StrEnum):
    """Reason of a change."""

    CORRECTED = "corrected"
    """The work contradicts what was cited."""
    UPGRADED = "upgraded"
    """The preprint became its published version."""
    ADDED = "added"
    """The field was missing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The edits of one entry, and how it must read then."""

    kind: Kind
    edits: tuple[Edit, ...]
    """Empty if the change cannot be written."""
    changing: frozenset[str]
    """Attributes of the reference that the edits change; the others must stay."""
    wanted: Mapping[str, object] = field(default_factory=dict)
    """Values that the changed entry must have."""
    fixed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Corrected attributes, each with the codes of the differences that must be gone."""
    fields: tuple[tuple[str, str, str], ...] = ()
    """Changes of the entry's fields: name, value before, value after; one of the values may be empty."""


class Step(Protocol):
    """One kind of change; it plans for every entry, and again for every changed entry."""

    def plan(self, reference: Reference, verdict: Verdict, case: Case, text: str, *, ascii_only: bool) -> Plan | None:
        """Return the plan for ``reference``, an entry in ``text``; None if nothing is to be changed."""
