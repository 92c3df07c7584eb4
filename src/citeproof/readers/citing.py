"""Collect the citations in a paper, and select the bibliography entries that it cites."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity
from citeproof.readers.document import Document

CODES = {
    "document.no_such_entry": "the paper cites a key, and no bibliography that was found has it",
    "document.never_cited": (
        "a note, not a fault: the paper does not cite these entries; `--all` checks them too"
    ),
}
_NAMED = 8  # maximum number of keys that the note on uncited entries names


@dataclass(slots=True)
class Citations:
    """The citation keys in a paper, each with the place where the paper cites it first."""

    keys: dict[str, Place] = field(default_factory=dict)
    everything: bool = False  # whether the paper cites all entries: ``\nocite{*}``

    def add(self, keys: str, place: Place) -> None:
        """Add the keys in ``keys``, a text such as ``lee20, kim21``, with the place of the
        citation. A key that contains a TeX macro is skipped.
        """
        for key in filter(None, (" ".join(key.split()) for key in keys.split(","))):
            if key == "*":
                self.everything = True
            elif "#" not in key and "\\" not in key:
                self.keys.setdefault(key, place)


@dataclass(slots=True)
class CitingPaper:
    """A paper that is being read, with the citation keys in it and the files that it includes."""

    root: Document
    format: str  # name of the paper's format, such as ``latex``; codes of diagnostics begin with it
    citations: Citations = field(default_factory=Citations)
    # names of the other documents that were read for the paper
    parts: list[str] = field(default_factory=list)
    # diagnostics of bibliographies that were not found
    missing: list[Diagnostic] = field(default_factory=list)
    # notes on included files that were not found
    notes: list[Diagnostic] = field(default_factory=list)

    def lacks_bibliography(self, name: str, place: Place) -> None:
        """Record that the bibliography ``name``, which the paper names at ``place``, is not in the
        paper's folder.
        """
        message = f"names the bibliography {name[:80]!r}, which is not inside the paper's folder"
        self.missing.append(Diagnostic(place, f"{self.format}.missing_bibliography", message))

    def lacks_part(self, name: str, place: Place) -> None:
        """Record that the file ``name``, which the paper includes at ``place``, is not in the
        paper's folder.
        """
        message = (
            f"inputs {name[:80]!r}, which is not inside the paper's folder; what it cites is"
            " unknown"
        )
        self.notes.append(
            Diagnostic(place, f"{self.format}.missing_part", message, severity=Severity.NOTE)
        )

    def cited(self, found: Sequence[Bibliography]) -> Bibliography:
        """Return those entries of the bibliographies ``found`` that the paper cites. If it cites
        nothing, return all entries.

        If all bibliographies could be read, each cited key without an entry gives a diagnostic.
        Keys are first compared as written, and then without case, as in BibTeX. A malformed entry
        without a key is treated as cited.
        """
        cited = self.citations.keys
        everything = self.citations.everything or self.root.everything or not cited
        entries = [entry for bibliography in found for entry in bibliography.entries]
        notes = [
            *self.notes,
            *(note for bibliography in found for note in bibliography.diagnostics),
        ]
        wanted = set(cited) | {key.lower() for key in cited} - {entry.key for entry in entries}
        kept: list[Reference | Diagnostic] = [*self.missing]
        uncited: list[Reference] = []
        for entry in entries:
            if everything or not entry.key or entry.key in wanted or entry.key.lower() in wanted:
                kept.append(entry)
            elif isinstance(entry, Reference):
                uncited.append(entry)
        if uncited:
            notes.append(_never_cited(uncited))
        known = {form for entry in entries for form in (entry.key, entry.key.lower())}
        unread = any(isinstance(entry, Diagnostic) and entry.of_document for entry in entries)
        for key, place in () if unread or self.missing else cited.items():
            if key not in known and key.lower() not in known:
                message = (
                    f"cites {key[:80]!r}, and no bibliography of the paper has an entry of that key"
                )
                kept.append(Diagnostic(place, "document.no_such_entry", message, key=key))
        return Bibliography(tuple(kept), tuple(notes), parts=tuple(self.parts))


def _never_cited(entries: Sequence[Reference]) -> Diagnostic:
    keys = list(dict.fromkeys(repr(entry.key[:80]) for entry in entries))
    more = f" and {len(keys) - _NAMED:,} more" if len(keys) > _NAMED else ""
    verb, them = ("are", "them") if len(keys) > 1 else ("is", "it")
    advice = f"`citeproof verify --all` checks {them} too"
    message = f"{', '.join(keys[:_NAMED])}{more} {verb} not cited; {advice}"
    return Diagnostic(
        Place(entries[0].file), "document.never_cited", message, severity=Severity.NOTE
    )
