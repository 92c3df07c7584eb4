r"""What LaTeX notes of a paper (``.aux``): the keys that it cites, and the bibliographies that it names.

``\@input`` is followed to the parts' own files inside the paper's folder, never outside it. biber's bibliographies are
named in the ``.bcf`` beside it. Where none is named or one is missing, the entries come from the ``.bbl`` beside it, or
from the ``thebibliography`` of the ``.tex``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from citeproof import formats
from citeproof.fields.bibitems import BEGINNING, read_bibitems
from citeproof.fields.citations import Citations, cited_entries
from citeproof.fields.latex_source import LineCounter
from citeproof.models import Bibliography, Diagnostic, Place, Severity

if TYPE_CHECKING:
    from citeproof.inputs.document import Document

NAME = "latex-aux"
SUFFIXES = (".aux",)
CODES = {
    "latex-aux.missing_bibliography": "a bibliography that the file names is not inside its folder",
    "latex-aux.missing_part": "a note, not a fault: a part's file is not inside the folder; what it cites is unknown",
    "latex-aux.no_bibliography": "the file names no bibliography, and there is no `.bbl` beside it",
    "latex-aux.no_citation": "the file names no bibliography and cites nothing",
}
"""Every diagnostic of this format, and what it means."""

_BEGINNING = "\\relax"
_SIGN = re.compile(r"^\\(?:citation|bibdata|bibcite|bibstyle|abx@aux@cite)\b", re.MULTILINE)
_OF_PART = re.compile(r"^\\@setckpt\{", re.MULTILINE)
"""Only the file of an included part keeps its counters."""
_NOTED = re.compile(
    r"^\\(?:(?P<cited>citation|abx@aux@cite(?:\{\d*\})?)|(?P<printed>bibcite)|(?P<named>bibdata)|(?P<part>@input))"
    r"\s*\{(?P<value>[^{}\n]*+)\}",
    re.MULTILINE,
)
r"""``\citation{a,b}``, biblatex's ``\abx@aux@cite{0}{a}``, ``\bibcite{a}{1}``, ``\bibdata{r}``, ``\@input{b.aux}``."""
_BIBER = re.compile(r"<bcf:datasource\b[^<>]*>([^<>]{1,500}+)</bcf:datasource>")
_MADE = re.compile(r"-blx$|Notes$")
"""Bibliographies that biblatex and REVTeX write for themselves; they hold no references."""
_MOST_PARTS = 500


def accepts(document: Document) -> int:
    """Return 2 for what LaTeX notes of a whole paper, 1 for a part's or where nothing is cited, else 0."""
    if _SIGN.search(document.text):
        return 1 if _OF_PART.search(document.text) else 2
    return int(document.text.startswith(_BEGINNING))


def read(document: Document) -> Bibliography:
    """Read what the paper cites."""
    paper = _Noted(document)
    paper.walk()
    return paper.bibliography()


@dataclass(slots=True)
class _Noted:
    """What is noted of a paper, as far as it has been read."""

    root: Document
    citations: Citations = field(default_factory=Citations)
    printed: Citations = field(default_factory=Citations)
    """The entries of the list that was printed."""
    named: dict[str, Place] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    notes: list[Diagnostic] = field(default_factory=list)
    missing: list[Diagnostic] = field(default_factory=list)

    def walk(self) -> None:
        """Take over what the file and those of the parts say, each once."""
        waiting, seen = [self.root], {PurePath(self.root.name).name}
        while waiting and len(seen) <= _MOST_PARTS:
            for name, place in self._take(waiting.pop(0)):
                if name in seen:
                    continue
                seen.add(name)
                found = self.root.neighbours.find(name)
                if found and found.is_text:
                    self.parts.append(found.name)
                    waiting.append(found)
                else:
                    message = f"inputs {name[:80]!r}, which is not inside the paper's folder; what it cites is unknown"
                    self.notes.append(Diagnostic(place, "latex-aux.missing_part", message, severity=Severity.NOTE))

    def _take(self, part: Document) -> list[tuple[str, Place]]:
        """Take over what one file says, and return the files that it inputs."""
        inputs: list[tuple[str, Place]] = []
        lines = LineCounter(part.text)
        for match in _NOTED.finditer(part.text):
            place, value = Place(part.name, lines.of(match.start())), match["value"]
            if match["cited"]:
                self.citations.add(value, place)
            elif match["printed"]:
                self.printed.add(value, place)
            elif match["named"]:
                for name in filter(None, map(str.strip, value.split(","))):
                    self.named.setdefault(name, place)
            elif value.strip():
                inputs.append((value.strip(), place))
        return inputs

    def bibliography(self) -> Bibliography:
        """Return what is cited, or what was printed where no citation is noted."""
        bibliographies = self._named() or self._printed()
        if not bibliographies and not self.missing:
            cites = bool(self.citations.keys or self.citations.everything or self.printed.keys)
            code = "no_bibliography" if cites else "no_citation"
            message = "names no bibliography, and there is no .bbl beside it; name the paper's .tex or .bib"
            if not cites:
                message = "cites nothing and names no bibliography; name the paper's .tex or .bib"
            return Bibliography((Diagnostic(Place(self.root.name), f"latex-aux.{code}", message),), tuple(self.notes))
        citations = self.citations if self.citations.keys else self.printed
        citations.everything |= self.citations.everything or self.root.everything or not citations.keys
        found = cited_entries(bibliographies, citations, complete=not self.missing)
        return Bibliography((*self.missing, *found.entries), (*self.notes, *found.diagnostics), parts=tuple(self.parts))

    def _named(self) -> list[Bibliography]:
        """Return the bibliographies that are named; none where one is missing and the ``.bbl`` stands in for it."""
        found: dict[str, Bibliography] = {}
        for name, place in (self.named or self._of_biber()).items():
            one = next((one for form in (f"{name}.bib", name) if (one := self.root.neighbours.find(form))), None)
            if one and one.name in found:
                continue
            if one and one.is_text:
                found[one.name] = formats.read(one, "bibtex")
            elif not _MADE.search(name):
                message = f"names the bibliography {name[:80]!r}, which is not inside the paper's folder"
                self.missing.append(Diagnostic(place, "latex-aux.missing_bibliography", message))
        if self.missing and (printed := self._printed()):
            self.missing = []
            return printed
        self.parts += found
        return list(found.values())

    def _of_biber(self) -> dict[str, Place]:
        control = self._beside(".bcf")
        names = _BIBER.findall(control.text) if control else ()
        return {name.strip(): Place(self.root.name) for name in names}

    def _printed(self) -> list[Bibliography]:
        """Return the ``.bbl`` beside the file, else the list that the paper itself holds."""
        if found := self._beside(".bbl"):
            self.parts.append(found.name)
            return [formats.read(found, "bbl")]
        paper = self._beside(".tex")
        if paper and BEGINNING.search(paper.text):
            self.parts.append(paper.name)
            return [Bibliography(tuple(read_bibitems(paper.text, paper.name)))]
        return []

    def _beside(self, suffix: str) -> Document | None:
        """Return the text of the paper's name that ends in ``suffix``; None where there is none."""
        found = self.root.neighbours.find(PurePath(self.root.name).with_suffix(suffix).name)
        return found if found and found.is_text else None
