r"""Read ``.aux`` files, in which LaTeX writes the keys that a paper cites and the bibliographies
that it names.

The ``.aux`` files in ``\@input`` are also read if they are inside the paper's folder. If biber is
used, the ``.bcf`` file names the bibliographies. If a bibliography is missing, or if none is named,
entries come from the ``.bbl`` file. If there is no ``.bbl`` file, entries come from the ``.tex``
file.
"""

import re
from collections import deque
from dataclasses import dataclass, field
from pathlib import PurePath

from citeproof.model.reference import Bibliography, Diagnostic, Place
from citeproof.readers import formats
from citeproof.readers.citing import Citations, CitingPaper
from citeproof.readers.document import Document
from citeproof.readers.lists.bibitems import BEGINNING, read_bibitems
from citeproof.text.lines import LineCounter

NAME = "latex-aux"
SUFFIXES = (".aux",)
CODES = {
    "latex-aux.missing_bibliography": "a bibliography that the file names is not inside its folder",
    "latex-aux.missing_part": (
        "a note, not a fault: a part's file is not inside the folder; what it cites is unknown"
    ),
    "latex-aux.no_bibliography": "the file names no bibliography, and there is no `.bbl` beside it",
    "latex-aux.no_citation": "the file names no bibliography and cites nothing",
}

_SIGN = re.compile(r"^\\(?:citation|bibdata|bibcite|bibstyle|abx@aux@cite)\b", re.MULTILINE)
# regex for ``\@setckpt``, which occurs only in the .aux file of a part of a paper
_OF_PART = re.compile(r"^\\@setckpt\{", re.MULTILINE)
_COMMAND = re.compile(
    r"^\\(?:(?P<cited>citation|abx@aux@cite(?:\{\d*\})?)|(?P<printed>bibcite)|(?P<named>bibdata)|"
    r"(?P<part>@input))"
    r"\s*\{(?P<value>[^{}\n]*+)\}",
    re.MULTILINE,
)
r"""Regex for the commands ``\citation{a,b}``, ``\abx@aux@cite{0}{a}``, ``\bibcite{a}{1}``,
``\bibdata{r}`` and ``\@input{b.aux}``.
"""
_BIBER = re.compile(r"<bcf:datasource\b[^<>]*>([^<>]{1,500}+)</bcf:datasource>")
# regex for names of files that biblatex or REVTeX writes for its own use
_GENERATED = re.compile(r"-blx$|Notes$")
_MOST_PARTS = 500


def accepts(document: Document) -> int:
    """Return 2 if the document is the ``.aux`` file of a whole paper, 1 if it may belong to a part
    of a paper, and otherwise 0.
    """
    if _SIGN.search(document.text):
        return 1 if _OF_PART.search(document.text) else 2
    return int(document.text.startswith("\\relax"))


def read(document: Document) -> Bibliography:
    """Read those entries of its bibliographies that the paper cites."""
    return _AuxFile(document, NAME).bibliography()


@dataclass(slots=True)
class _AuxFile(CitingPaper):
    # keys of the entries in the paper's reference list
    printed: Citations = field(default_factory=Citations)
    # map from bibliography to the place that names it
    named: dict[str, Place] = field(default_factory=dict)

    def _walk(self) -> None:
        """Collect citations and bibliographies from this file and from the ``.aux`` files that it
        includes.
        """
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
        """Return the cited entries. If the paper has no citations, return the whole reference
        list.
        """
        self._walk()
        bibliographies = self._named() or self._printed()
        if bibliographies or self.missing:
            if not self.citations.keys:
                self.printed.everything |= self.citations.everything
                self.citations = self.printed
            return self.cited(bibliographies)
        code, message = (
            "no_citation",
            "cites nothing and names no bibliography; name the paper's .tex or .bib",
        )
        if self.citations.keys or self.citations.everything or self.printed.keys:
            code = "no_bibliography"
            message = (
                "names no bibliography, and there is no .bbl beside it; name the paper's .tex or"
                " .bib"
            )
        return Bibliography(
            (Diagnostic(Place(self.root.name), f"{NAME}.{code}", message),), tuple(self.notes)
        )

    def _named(self) -> list[Bibliography]:
        """Return the bibliographies that the file names. If one of them is missing, return the
        printed reference list instead.
        """
        found: dict[str, Document] = {}
        control = None if self.named else self.root.beside(".bcf")
        of_biber = {
            name.strip(): Place(self.root.name)
            for name in _BIBER.findall(control.text if control else "")
        }
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
        """Return the reference list in the ``.bbl`` file, or if this file is missing, in the
        ``.tex`` file. The result is empty if there is no list.
        """
        if found := self.root.beside(".bbl"):
            self.parts.append(found.name)
            return [formats.read(found, "bbl")]
        paper = self.root.beside(".tex")
        if paper and BEGINNING.search(paper.text):
            self.parts.append(paper.name)
            return [Bibliography(tuple(read_bibitems(paper.text, paper.name)))]
        return []
