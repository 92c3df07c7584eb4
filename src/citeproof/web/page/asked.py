"""What the database of the service covers, for people who were told that something is not in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citeproof.bibdb.coverage import CoverageTable
from citeproof.validation.searched import ONLINE, named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citeproof.models import Verdict


def sources_asked(database: Mapping[str, Any]) -> str:
    """Return its sources with field of study and date: ``a part of DBLP (computer science, to 2024-12)``.

    ``database`` is what the database says of itself; empty where its sources declare nothing.
    """
    return named(CoverageTable({}, database.get("sources") or ()).held())


def silence(verdict: Verdict) -> str:
    """Return what was searched for the title of ``verdict`` and what that is worth; the service goes nowhere else."""
    return verdict.searched.replace(f"{ONLINE}.", "").strip()
