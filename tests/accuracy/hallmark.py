"""HALLMARK's development split: citeproof reads the fields without labels, and HALLMARK's own
method scores the verdicts.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from citeproof.model.verdict import FLAGGED, Status
from tests.accuracy.entries import entry

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import ModuleType

    from citeproof.model.verdict import Verdict


def blind_entries(shared: Path) -> list[str]:
    """Return the split's entries as BibTeX, from the file that has no labels."""
    return entries_of(shared / "gold" / "hallmark" / "dev_public_blind.jsonl")


def entries_of(split: Path) -> list[str]:
    """Return the entries of a file of HALLMARK's as BibTeX."""
    rows = split.read_text("utf-8").splitlines()
    return [
        entry(row["bibtex_type"], row["bibtex_key"], _balanced(row["fields"]))
        for row in map(json.loads, rows)
    ]


def _balanced(fields: dict[str, str]) -> dict[str, str]:
    """Return fields without braces where some were lost when the split was made."""
    return {
        name: value
        if value.count("{") == value.count("}")
        else value.replace("{", "").replace("}", "")
        for name, value in fields.items()
    }


def scorer(shared: Path) -> ModuleType:
    """Return the scorer beside the data."""
    folder = str(shared / "tools")
    if folder not in sys.path:
        sys.path.append(folder)
    return import_module("score_hallmark")


def predictions(
    verdicts: Sequence[Verdict], flagged: frozenset[Status]
) -> dict[str, tuple[str, float]]:
    """Return label and confidence by key, in HALLMARK's words."""
    found = {}
    for verdict in verdicts:
        label = "HALLUCINATED" if verdict.status in flagged else "VALID"
        if verdict.status in (Status.UNVERIFIED, Status.ERROR):
            label = "UNCERTAIN"
        found[verdict.reference.key] = (label, verdict.confidence)
    return found


def scores(shared: Path, verdicts: Sequence[Verdict]) -> dict[str, dict[str, Any]]:
    """Return the scores of all flags among the decided, of INVALID alone, and of everything forced
    to a decision.
    """
    tool = scorer(shared)
    entries = tool.load_split(str(shared / "gold" / "hallmark" / "dev_public.jsonl"))
    both = predictions(verdicts, FLAGGED)
    strict = predictions(verdicts, frozenset({Status.INVALID}))
    return {
        "decided": tool.score(entries, both),
        "invalid_alone": tool.score(entries, strict),
        "forced": tool.score(entries, both, "aggressive"),
    }
