r"""Read ``.aux`` files, in which LaTeX writes the keys that a paper cites and the bibliographies that it names.

``\@input`` is followed to the ``.aux`` files of parts inside the paper's folder. The ``.bcf`` names the bibliographies
for biber. If a bibliography is missing, or none is named, entries come from the ``.bbl``, or else from the ``.tex``.
"""

import re
from collections import deque
from dataclasses import dataclass, field
from pathlib import PurePath

from citeproof.model.reference import Bibliography, Diagnostic, Place
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.fields.sources import Citations, CitingPaper, LineCounter
from citeproof.readers.lists.bibitems import BEGINNING, read_bibitems

NAME = "latex-aux"
SUFFIXES = (".aux",)
CODES = {
    "latex-aux.missing_bibliography": "a bibliography that the file names is not inside its folder",
    "latex-aux.missing_part": "a note, not a fault: a part's file is not inside the folder; what it cites is unknown",
    "latex-aux.no_bibliography": "the file names no bibliography, and there is no `.bbl` beside it",
    "latex-aux.no_citation": "the file names no bibliography and cites nothing",
}

_SIGN = re.compile(r"^\\(?:citation|bibdata|bibcite|bibstyle|abx@aux@cite)\b", re.MULTILINE)
_OF_PART = re.compile(r"^\\@setckpt\{", re.MULTILINE)  # regex of saved counters, which only the .aux of a part contains
_COMMAND = re.compile(
    r"^\\(?:(?P<cited>citation|abx@aux@cite(?:\{\d*\})?)|(?P<printed>bibcite)|(?P<named>bibdata)|(?P<part>@input))"
    r"\s*\{(?P<value>[^{}\n]*+)\}",
    re.MULTILINE,
)
r"""Regex of ``\citation{a,b}``, ``\abx@aux@cite{0}{a}``, ``\bibcite{a}{1}``, ``\bibdata{r}``, ``\@input{b.aux}``."""
_BIBER = re.compile(r"<bcf:datasource\b[^<>]*>([^<>]{1,500}+)</bcf:datasource>")
_GENERATED = re.compile(r"-blx$|Notes$")  # regex of the names of files of biblatex and REVTeX without references
_MOST_PARTS = 500


def accepts(document: Document) -> int:
    """Return 2 for the ``.aux`` of a whole paper, 1 for the ``.aux`` of a part or without citations, else 0."""
    if _SIGN.search(document.text):
        return 1 if _OF_PART.search(document.text) else 2
    return int(document.text.startswith("\\relax"))


def read(document: Document) -> Bibliography:
    """Read the entries that the paper cites."""
    return _AuxFile(document, NAME).bibliography()


@dataclass(slots=True)
class _AuxFile(CitingPaper):
    printed: Citations = field(default_factory=Citations)  # keys of the entries in the paper's reference list
    named: dict[str, Place] = field(default_factory=dict)  # map from names of bibliographies to where they are named

    def _walk(self) -> None:
        """Read the file and the ``.aux`` files of its parts, each once."""
        waiting, seen = deque([self.root]), {PurePath(self.root.name).name}
        while waiting and len(seen) <= _MOST_PARTS:
            part = waiting.popleft()
            lines = LineCounter(part.text)
            for match in _COMMAND.finditer(part.text):
                place, value = Place(part.name, lines.of(match.start())), match["value"].strip()
                if match["cited"]:
                    self.citations.add(value, place)
                elif match["printed"]:
                    self.printed.add(value, place)
                elif match["named"]:
                    for name in filter(None, map(str.strip, value.split(","))):
                        self.named.setdefault(name, place)
                elif value and value not in seen:
                    seen.add(value)
                    found = self.root.neighbour(value)
                    if found and found.is_text:
                        self.parts.append(found.name)
                        waiting.append(found)
                    else:
                        self.lacks_part(value, place)

    def bibliography(self) -> Bibliography:
        """Return the cited entries, or if there are no citations, the entries of the paper's reference list."""
        self._walk()
        bibliographies = self._named() or self._printed()
        if bibliographies or self.missing:
            if not self.citations.keys:
                self.printed.everything |= self.citations.everything
                self.citations = self.printed
            return self.cited(bibliographies)
        code, message = "no_citation", "cites nothing and names no bibliography; name the paper's .tex or .bib"
        if self.citations.keys or self.citations.everything or self.printed.keys:
            code = "no_bibliography"
            message = "names no bibliography, and there is no .bbl beside it; name the paper's .tex or .bib"
        return Bibliography((Diagnostic(Place(self.root.name), f"{NAME}.{code}", message),), tuple(self.notes))

    def _named(self) -> list[Bibliography]:
        """Return the bibliographies that the file names. If one is missing, return the reference list if possible."""
        found: dict[str, Document] = {}
        control = None if self.named else self.root.beside(".bcf")
        of_biber = {name.strip(): Place(self.root.name) for name in _BIBER.findall(control.text if control else "")}
        for name, place in (self.named or of_biber).items():
            one = self.root.neighbour(f"{name}.bib") or self.root.neighbour(name)
            if one and one.is_text:
                found.setdefault(one.name, one)
            elif not _GENERATED.search(name):
                self.lacks_bibliography(name, place)
        if self.missing and (printed := self._printed()):
            self.missing = []
            return printed
        self.parts += found
        return formats.read_in_order(found.values())

    def _printed(self) -> list[Bibliography]:
        """Return the reference list: the ``.bbl`` of the same name, or the ``thebibliography`` of the ``.tex``."""
        if found := self.root.beside(".bbl"):
            self.parts.append(found.name)
            return [formats.read(found, "bbl")]
        paper = self.root.beside(".tex")
        if paper and BEGINNING.search(paper.text):
            self.parts.append(paper.name)
            return [Bibliography(tuple(read_bibitems(paper.text, paper.name)))]
        return []
