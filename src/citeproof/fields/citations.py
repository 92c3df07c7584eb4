"""What a paper cites, held against the entries of its bibliographies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from citeproof.models import Bibliography, Diagnostic, Place, Reference, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CODES = {
    "document.no_such_entry": "the paper cites a key, and no bibliography that was found has it",
    "document.never_cited": "a note, not a fault: the paper does not cite this entry; `--all` checks it too",
}


@dataclass(slots=True)
class Citations:
    """The keys that a paper cites, each with the place where it does so first."""

    keys: dict[str, Place] = field(default_factory=dict)
    everything: bool = False
    """The paper wants all entries: ``\\nocite{*}``."""

    def add(self, keys: str, place: Place) -> None:
        """Take over the keys of one command, parted by commas; a key that a macro must fill in is none."""
        for key in filter(None, (" ".join(key.split()) for key in keys.split(","))):
            if key == "*":
                self.everything = True
            elif "#" not in key and "\\" not in key:
                self.keys.setdefault(key, place)


def cited_entries(bibliographies: Sequence[Bibliography], citations: Citations, *, complete: bool) -> Bibliography:
    """Return the entries that are cited, with a diagnostic for each key that none has.

    An entry that could not be read stays unless its key is known not to be cited. Where the bibliographies are not
    ``complete``, because one was not found, a missing key is no surprise and nothing is said of it. A key is looked for
    as it is written, then without regard to case, as BibTeX does.
    """
    entries = [entry for bibliography in bibliographies for entry in bibliography.entries]
    diagnostics = [diagnostic for bibliography in bibliographies for diagnostic in bibliography.diagnostics]
    wanted = set(citations.keys) | {key.lower() for key in citations.keys} - {entry.key for entry in entries}
    kept: list[Reference | Diagnostic] = []
    for entry in entries:
        if citations.everything or not entry.key or entry.key in wanted or entry.key.lower() in wanted:
            kept.append(entry)
        elif isinstance(entry, Reference):
            diagnostics.append(_never_cited(entry))
    known = {form for entry in entries for form in (entry.key, entry.key.lower())}
    if complete:
        kept += _missing(citations, known)
    return Bibliography(tuple(kept), tuple(diagnostics))


def _missing(citations: Citations, known: set[str]) -> Iterable[Diagnostic]:
    for key, place in citations.keys.items():
        if key not in known and key.lower() not in known:
            message = f"cites {key[:80]!r}, and no bibliography of the paper has an entry of that key"
            yield Diagnostic(place, "document.no_such_entry", message, key=key)


def _never_cited(entry: Reference) -> Diagnostic:
    message = f"{entry.key[:80]!r} is not cited; --all checks it too"
    return Diagnostic(entry.place, "document.never_cited", message, key=entry.key, severity=Severity.NOTE)
