r"""Read papers in LaTeX (``.tex``): the entries that a paper cites from its bibliographies.

Files in ``\input``, ``\include`` and ``\subfile`` are read if they are in the paper's folder.
Entries come from files in ``\bibliography`` and ``\addbibresource``, from ``filecontents`` or
``thebibliography``, or from the ``.bbl`` file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from citeproof.model.reference import Bibliography, Place, Span
from citeproof.readers import formats
from citeproof.readers.citing import CitingPaper
from citeproof.readers.document import Document
from citeproof.readers.fields.document_entries import without_entries
from citeproof.readers.lists.bibitems import BEGINNING, read_bibitems
from citeproof.text.lines import LineCounter
from citeproof.text.tex_syntax import without_comments

NAME = "latex"
SUFFIXES = (".tex", ".ltx", ".latex")
CODES = {
    "latex.missing_bibliography": "a bibliography that the paper names is not inside its folder",
    "latex.missing_part": (
        "a note, not a fault: a part of the paper is not inside its folder; what it cites is"
        " unknown"
    ),
    "latex.no_bibliography": "the paper names no bibliography and contains none",
    "latex.no_citation": "the paper cites nothing, names no bibliography and contains none",
}

_PAPER = re.compile(r"\\documentclass|\\begin\s*\{document\}")
_PART = re.compile(
    r"\\(?:begin\s*\{thebibliography\}|(?:chapter|section)\*?\s*\{|bibliography\s*\{|bibitem)"
)
_INPUT = re.compile(
    r"\\(?:input|include|subfile|subfileinclude)\s*\{([^{}]*)\}|\\input\s+([^\s{}\\]+)"
)
_IMPORT = re.compile(r"\\(?:sub)?(?:import|includefrom|inputfrom)\*?\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_NAMED = re.compile(
    r"\\(bibliography|nobibliography|putbib|addbibresource|addglobalbib|"
    r"addsectionbib)\*?\s*(?=[\[{])"
)
_CITATION = re.compile(
    r"\\(?![A-Za-z]*(?i:style|setup|command|bibcite|citetext|citealias|reset))"
    r"([A-Za-z]*(?i:cite)[A-Za-z]*+)\*?(?=\s*+[\[{(])"
)
r"""Regex for citation commands, such as ``\citep``. Commands that cite nothing, such as
``\citestyle``, do not match.
"""
_OPTIONAL = re.compile(r"\s*\[(?:[^\[\]{}]++|\{[^{}]*+\})*+\]|\s*\((?:[^(){}]++|\{[^{}]*+\})*+\)")
_KEYS = re.compile(r"\s*\{([^{}]*+)\}")
_EMBEDDED = re.compile(r"\\begin\s*\{filecontents\*?\}\s*(?:\[[^\[\]{}]*+\]\s*)?\{([^{}\n]*+)\}")
_MOST_EMBEDDED = 20
_MOST_PARTS = 500


def accepts(document: Document) -> int:
    """Return 2 if the document is a whole paper in LaTeX, 1 if it may be a part of a paper, and
    otherwise 0.
    """
    return 2 if _PAPER.search(document.text) else int(_PART.search(document.text) is not None)


def read(document: Document) -> Bibliography:
    """Read those entries of its bibliographies that the paper cites."""
    paper = _Paper(document, NAME)
    waiting = [document]
    for _ in range(_MOST_PARTS):
        if waiting:
            waiting += reversed([*paper.parts_in(waiting.pop())])
    return paper.bibliography()


@dataclass(slots=True)
class _Paper(CitingPaper):
    # bibliographies that the paper names, in order
    files: list[Document] = field(default_factory=list)
    bibliographies: list[Bibliography] = field(default_factory=list)
    # map from file name to file in ``filecontents``
    embedded: dict[str, Document] = field(default_factory=dict)
    # names that were already read, as pairs such as ``("file", "a.tex")``
    seen: set[tuple[str, str]] = field(default_factory=set)

    def parts_in(self, part: Document) -> Iterator[Document]:
        """Collect the cited keys and the bibliographies that the file ``part`` names. Yield the
        files that it includes.
        """
        tex = without_comments(part.text)
        for name, document in islice(_embedded(part), _MOST_EMBEDDED - len(self.embedded)):
            self.embedded.setdefault(name, document)
        for match, line in _on_lines(_CITATION, tex):
            place = Place(part.name, line, span=Span(*match.span()))
            for keys in _arguments(tex, match.end(), many=match[1].lower().endswith("cites")):
                self.citations.add(keys, place)
        for match, line in _on_lines(_NAMED, tex):
            for names in _arguments(tex, match.end(), many=False):
                self._add_files(names, match[1], Place(part.name, line))
        if BEGINNING.search(tex):
            self.bibliographies.append(Bibliography(tuple(read_bibitems(part.text, part.name))))
        for match, line in _on_lines(_INPUT, tex):
            yield from self._part(match[1] or match[2] or "", Place(part.name, line))
        for match in _IMPORT.finditer(tex):
            yield from self._part(
                f"{match[1].strip().rstrip('/')}/{match[2].strip()}", Place(part.name)
            )

    def _part(self, name: str, place: Place) -> Iterator[Document]:
        name = name.strip().strip('"')
        if not _is_name(name) or not self._is_new("part", name):
            return
        for found in filter(None, map(self.root.neighbour, (name, f"{name}.tex"))):
            if found.is_text:
                if self._is_new("file", found.name):
                    self.parts.append(found.name)
                    yield found
                return
        self.lacks_part(name, place)

    def _is_new(self, kind: str, name: str) -> bool:
        """Add the pair of ``kind`` and ``name`` to :attr:`seen`. Return whether the pair is new
        there.
        """
        before = len(self.seen)
        self.seen.add((kind, name))
        return len(self.seen) > before

    def _add_files(self, names: str, command: str, place: Place) -> None:
        """Find the bibliographies ``names``, which are separated by commas, and add them to
        :attr:`files`. ``command`` is the command that names them at ``place``.
        """
        for name in filter(_is_name, (name.strip().strip('"') for name in names.split(","))):
            if not self._is_new("bibliography", name):
                continue
            forms = (name, f"{name}.bib") if command.startswith("add") else (f"{name}.bib", name)
            # LaTeX ignores a ``filecontents`` if a file with the same name exists.
            found = next(filter(None, map(self.root.neighbour, forms)), None)
            if found and not self._is_new("file", found.name):
                continue
            found = found or next(filter(None, map(self.embedded.get, forms)), None)
            if found and found.is_text:
                self.parts.append(found.name)
                self.files.append(found)
            else:
                self.lacks_bibliography(name, place)

    def bibliography(self) -> Bibliography:
        """Return the cited entries. If a bibliography is missing, the ``.bbl`` file of the paper is
        used instead.
        """
        self.bibliographies = [*formats.read_in_order(self.files), *self.bibliographies]
        if (self.missing or not self.bibliographies) and (printed := self.root.beside(".bbl")):
            self.parts.append(printed.name)
            self.bibliographies = [formats.read(printed, "bbl")]
            self.missing = []
        if self.bibliographies or self.missing:
            return self.cited(self.bibliographies)
        if self.citations.keys:
            message = "names no bibliography and holds none; name its .bib or .bbl too"
            return without_entries(self.root, "latex.no_bibliography", message)
        return without_entries(
            self.root, "latex.no_citation", "cites nothing and names no bibliography"
        )


def _is_name(text: str) -> bool:
    """Whether ``text`` can be the name of a file: it contains neither a TeX macro nor a parameter,
    such as ``#1``.
    """
    return bool(text) and "\\" not in text and "#" not in text


def _on_lines(pattern: re.Pattern[str], tex: str) -> Iterator[tuple[re.Match[str], int]]:
    lines = LineCounter(tex)
    for match in pattern.finditer(tex):
        yield match, lines.of(match.start())


def _embedded(part: Document) -> Iterator[tuple[str, Document]]:
    """Yield name and content of each ``.bib`` file in a ``filecontents`` environment. Spaces
    precede the content, so that offsets are the same as in ``part``.
    """
    text, at = part.text, 0
    while (match := _EMBEDDED.search(text, at)) and (
        at := text.find("\\end{filecontents", match.end())
    ) >= 0:
        if (name := match[1].strip()).endswith(".bib"):
            blank = re.sub(r"[^\n]", " ", text[: match.end()])
            yield name, Document.of_text(f"{blank}{text[match.end() : at]}", part.name)


def _arguments(tex: str, position: int, *, many: bool) -> Iterator[str]:
    """Yield the first argument in braces after ``position`` in ``tex``: ``a,b`` for
    ``[see][p. 3]{a,b}``. With ``many``, yield up to 20 arguments.
    """
    for _ in range(20):
        if left_out := _OPTIONAL.match(tex, position):
            position = left_out.end()
        elif keys := _KEYS.match(tex, position):
            yield keys[1]
            position = keys.end() if many else len(tex)
        else:
            return
