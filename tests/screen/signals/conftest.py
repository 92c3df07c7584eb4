"""A corpus of a few references with given verdicts."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from citeproof.model.reference import Reference
from citeproof.screen.bibliographies import Cited, ReadPaper, ReadUnit, describe
from citeproof.screen.checking import Checked
from citeproof.screen.papers import Unit
from citeproof.screen.results import Results
from citeproof.screen.signals import KINDS
from citeproof.screen.store import OPEN, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class Judged(NamedTuple):
    """A reference with its verdict."""

    reference: Reference
    reason: str
    held: float = 0.0
    issues: tuple[tuple[str, str], ...] = ()
    """Code and cited value."""
    match: str = ""
    """Key of the record."""
    recorded: tuple[str, ...] = ()
    """Authors on the record."""
    severity: str = "issue"


def judged(title: str, *authors: str, reason: str = "title_not_found", **more: Any) -> Judged:
    """Return a reference to a journal article of 2001."""
    fields = {
        name: more.pop(name) for name in ("venue", "doi", "year", "entry_type") if name in more
    }
    reference = Reference(
        "", title, authors, **{"year": 2001, "venue": "Journal of Herding", **fields}
    )
    return Judged(reference, reason, **more)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Callable[[dict[str, list[Judged]]], Results]]:
    """Return a function that makes a corpus of papers by name."""
    with ExitStack() as stack:

        def make(papers: dict[str, list[Judged]]) -> Results:
            store = stack.enter_context(opened(tmp_path / "results"))
            for name, references in papers.items():
                cited = tuple(
                    Cited(*describe(each.reference), "", name, 1, 0) for each in references
                )
                store.add_read([ReadUnit(Unit(name, "1"), (ReadPaper(name, cited),), 0.1)])
            known = {
                describe(each.reference)[1]: each
                for references in papers.values()
                for each in references
            }
            store.add_checked(
                "basis",
                [
                    _checked(one.number, known[one.fields])
                    for one in store.references(OPEN, "basis")
                ],
            )
            return Results(store, KINDS)

        yield make


def _checked(number: int, each: Judged) -> Checked:
    issues = [
        {"code": code, "severity": each.severity, "cited": cited, "recorded": "", "explanation": ""}
        for code, cited in each.issues
    ]
    match = {"key": each.match, "authors": each.recorded} if each.match else None
    details = {"issues": issues, "match": match, "flags": [], "held": each.held}
    status = "VALID" if each.reason == "record_agrees" else "UNVERIFIED"
    return Checked(number, status, each.reason, 0.5, json.dumps(details))
