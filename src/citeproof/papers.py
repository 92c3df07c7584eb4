"""The papers of a folder or an archive: which of its files are papers, and which only belong to one.

A paper in LaTeX, its bibliographies, its ``.bbl``, its ``.aux`` and its PDF are one paper, read from the ``.tex``. What
is neither a paper nor a bibliography is left out, and one note for the whole folder says what.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from citeproof import formats
from citeproof.inputs.collection import Collection
from citeproof.models import Bibliography, Diagnostic, Place, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citeproof.inputs.collection import Member, Opened
    from citeproof.inputs.document import Document

CODES = {
    "document.left_out": "a note, not a fault: files of a folder or archive without references, or parts of a paper",
}

_SOURCES = (("latex", "markdown"), ("latex-aux",))
"""Formats of papers that name their bibliographies: what is written before what LaTeX notes of it."""
_PRINTED = frozenset({"pdf", "bbl"})
"""Formats of what is made of a paper in LaTeX and lies beside it under its name."""
_SUPPORT = frozenset({"bibtex", "bbl"})
"""Formats of what a paper in LaTeX would name if it used it; what it does not name is read with ``--all``."""
_ANY_TEXT = frozenset({"titles"})
"""Formats that any text could have; in a folder they are not guessed."""
_NO_LIST = frozenset(
    {
        "document.empty",
        "docx.without_list",
        "markdown.without_list",
        "pdf.without_list",
        "pdf.without_text",
        "latex.no_citation",
        "latex-aux.no_citation",
    }
)
"""What is said of a document that is well and has no references."""
ARCHIVES = frozenset({".zip", ".tar", ".tgz", ".gz"})
"""Suffixes of archives, and of single files that are packed."""
_NAMED = 8
"""So many of the files that are left out are named."""
_DIGITS = re.compile(r"(\d+)")


def papers_of(opened: Iterable[Opened]) -> Iterator[Document | Diagnostic | Bibliography]:
    """Yield ``opened`` with a bibliography for each paper in place of each folder or archive.

    The papers of one folder or archive come in the order of their names, numbers by their value: 2 before 10.
    """
    for one in opened:
        if isinstance(one, Collection):
            yield from _Reading(one).papers()
        else:
            yield one


@dataclass(slots=True)
class _Reading:
    """One folder or archive as far as it has been read."""

    collection: Collection
    found: list[tuple[str, Bibliography]] = field(default_factory=list)
    """Each paper's name with what it holds."""
    used: set[str] = field(default_factory=set)
    """Names of the documents that papers were read from."""
    sources: set[str] = field(default_factory=set)
    """Papers in LaTeX, by name without suffix."""
    folders: set[str] = field(default_factory=set)
    """Folders that hold one."""
    written: set[str] = field(default_factory=set)
    """Files that LaTeX reads, by name without suffix, whether they are papers or parts."""
    left_out: list[str] = field(default_factory=list)

    def papers(self) -> Iterator[Bibliography]:
        """Yield the papers, and behind them what is to be said of the whole."""
        try:
            waiting = self._members()
            self.written = {member.stem for member in waiting if member.suffix in formats.load("latex").SUFFIXES}
            for names in _SOURCES:
                suffixes = {suffix for name in names for suffix in formats.load(name).SUFFIXES}
                waiting = [one for one in waiting if one.suffix not in suffixes or not self._read(one, whole=True)]
            for member in waiting:
                self._read(member, whole=False)
        finally:
            self.collection.close()
        self.found += [(said.file, Bibliography((said,))) for said in self.collection.diagnostics]
        yield from (bibliography for _, bibliography in sorted(self.found, key=_natural))
        if not self.found:
            message = "holds no paper and no bibliography; name a format with --from if it does"
            yield Bibliography((Diagnostic(Place(self.collection.name), "document.empty", message),))
        elif self.left_out:
            yield Bibliography((), (self._note(),))

    def _members(self) -> list[Member]:
        """Return the members that may be papers or archives."""
        wanted = (self.collection.format,) if self.collection.format else formats.names()
        suffixes = {suffix for name in wanted for suffix in formats.load(name).SUFFIXES} | ARCHIVES
        self.left_out += [member.name for member in self.collection.members if member.suffix not in suffixes]
        return [member for member in self.collection.members if member.suffix in suffixes]

    def _read(self, member: Member, *, whole: bool) -> bool:
        """Read a member; with ``whole`` only if it is a whole paper. Return whether nothing is left to do with it."""
        if member.name in self.used:
            return True
        opened = member.open()
        if isinstance(opened, Diagnostic):
            self.found.append((member.name, Bibliography((opened,))))
        elif isinstance(opened, Collection):
            inner = replace(opened, format=self.collection.format, everything=self.collection.everything)
            self.found += [(member.name, paper) for paper in _Reading(inner).papers()]
        else:
            return self._read_document(member, opened, whole=whole)
        return True

    def _read_document(self, member: Member, document: Document, *, whole: bool) -> bool:
        if not document.data:
            self.left_out.append(member.name)
            return True
        document = replace(document, format=self.collection.format, everything=self.collection.everything)
        chosen = formats.load(document.format) if document.format else formats.detect(document)
        sure = chosen.accepts(document) if chosen else 0
        if whole and sure < 2:
            return False
        if (
            not chosen
            or not sure
            or (chosen.NAME in _ANY_TEXT and not document.format)
            or self._belongs(member, chosen)
        ):
            self.left_out.append(member.name)
            return True
        paper = formats.read(document)
        if self._says_nothing(member, paper, sure):
            self.left_out.append(member.name)
            return True
        if (chosen.NAME == "latex" or paper.parts) and paper.references:
            self.used |= set(paper.parts)
            self.sources.add(member.stem)
            self.folders.add(member.folder)
        self.found.append((member.name, paper))
        return True

    def _belongs(self, member: Member, chosen: formats.Format) -> bool:
        """Whether a file is a part or a print of a paper in LaTeX beside it, or what LaTeX notes of one."""
        if chosen.NAME == "latex-aux":
            return member.stem in self.written or self._is_below_a_paper(member)
        if chosen.NAME in _PRINTED and member.stem in self.sources:
            return True
        return chosen.NAME in _SUPPORT and member.folder in self.folders and not self.collection.everything

    def _says_nothing(self, member: Member, paper: Bibliography, sure: int) -> bool:
        """Whether a document has no references, and nobody would expect it to have some."""
        if any(not isinstance(entry, Diagnostic) for entry in paper.entries):
            return False
        codes = {entry.code for entry in paper.entries if isinstance(entry, Diagnostic)}
        figure = self._is_below_a_paper(member)
        if codes <= _NO_LIST and not (codes & {"pdf.without_list", "pdf.without_text"} and not figure):
            return True
        return sure < 2

    def _is_below_a_paper(self, member: Member) -> bool:
        """Whether a member is in a folder that holds a paper in LaTeX, or in one below it."""
        return any(member.folder == folder or member.folder.startswith(f"{folder}/") for folder in self.folders)

    def _note(self) -> Diagnostic:
        names = ", ".join(name.removeprefix(f"{self.collection.name}/") for name in sorted(self.left_out)[:_NAMED])
        more = f" and {len(self.left_out) - _NAMED:,} more" if len(self.left_out) > _NAMED else ""
        count = f"{len(self.left_out):,} file{'s' if len(self.left_out) > 1 else ''}"
        message = f"{count} in it not checked, without references or part of a paper that was: {names}{more}"
        return Diagnostic(Place(self.collection.name), "document.left_out", message, severity=Severity.NOTE)


def _natural(named: tuple[str, Bibliography]) -> list[tuple[int, int, str]]:
    """Return what sorts names as people do: ``paper 2`` before ``paper 10``."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _DIGITS.split(named[0]) if part]
