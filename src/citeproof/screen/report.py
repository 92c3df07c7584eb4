"""One paper of a screening as a run of its own, for the reports of ``citeproof verify``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.errors import InputError
from citeproof.models import Bibliography, Diagnostic, Place, Severity
from citeproof.screen.distinct import from_json

if TYPE_CHECKING:
    from citeproof.models import Reference
    from citeproof.screen.store import ScreeningStore

MOST_NAMED = 5
"""So many papers are offered where a name fits several."""


def bibliography(store: ScreeningStore, name: str) -> Bibliography:
    """Return what the paper called ``name`` cites, with places; the end of its name will do where only one ends so.

    Raises:
        InputError: no paper is called so, more than one are, or nothing of it could be read.
    """
    paper, full, trouble = _paper(store, name)
    if trouble:
        raise InputError(f"{full}: could not be read: {trouble}")
    rows = store.rows(
        "SELECT p.key, p.file, p.line, p.page, p.trouble, p.is_note, r.fields FROM places p "
        "LEFT JOIN distinct_references r ON r.id = p.reference WHERE p.paper = ? ORDER BY p.position",
        (paper,),
    )
    if not rows:
        raise InputError(f"{full}: cites nothing")
    return Bibliography(tuple(_entry(full, *row) for row in rows))


def _entry(
    paper: str, key: str, file: str, line: int, page: int, trouble: str, is_note: int, fields: str | None
) -> Reference | Diagnostic:
    place = Place(file, line, page, paper=paper)
    if fields is not None:
        return replace(from_json(fields), key=key, place=place)
    severity = Severity.NOTE if is_note else Severity.ISSUE
    return Diagnostic(place, "screening.unreadable", trouble, key=key, severity=severity)


def _paper(store: ScreeningStore, name: str) -> tuple[int, str, str]:
    select = "SELECT id, name, trouble FROM papers WHERE"
    rows = store.rows(f"{select} name = ?", (name,)) or store.rows(
        f"{select} substr(name, -length(?)) = ? ORDER BY name LIMIT {MOST_NAMED + 1}", (f"/{name}", f"/{name}")
    )
    if not rows:
        raise InputError(f"no paper is called {name!r}; overview.html and papers.parquet name them all")
    if len(rows) > 1:
        named = ", ".join(row[1] for row in rows[:MOST_NAMED])
        raise InputError(f"more than one paper ends in {name!r}: {named}{', ...' * (len(rows) > MOST_NAMED)}; say more")
    return rows[0]
