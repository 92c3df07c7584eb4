"""Read papers in Typst: those entries that a paper cites from the bibliographies that it names."""

import re
from collections.abc import Iterator

from citeproof.model.reference import Bibliography, Place
from citeproof.readers import formats
from citeproof.readers.citing import CitingPaper
from citeproof.readers.document import Document
from citeproof.readers.fields.document_entries import without_entries
from citeproof.text.lines import LineCounter

NAME = "typst"
SUFFIXES = (".typ",)
CODES = {
    "typst.missing_bibliography": "a bibliography that the paper names is not inside its folder",
    "typst.missing_part": "a note, not a fault: a part of the paper is not inside its folder",
    "typst.no_bibliography": "the paper names no bibliography",
}

_BIBLIOGRAPHY = re.compile(
    r"\bbibliography\(\s*(\([^()]*\)|\"[^\"\n]*\")([^()]*(?:\([^()]*\)[^()]*)*)\)"
)
_FILE = re.compile(r"\"([^\"\n]+)\"")
_PART = re.compile(r"#(?:include|import)\s+\"([^\"\n@]+\.typ)\"")
# regex for comments and code, which do not contain citations
_SKIPPED = re.compile(r"(?<!:)//[^\n]*|/\*.*?\*/|```.*?```|`[^`\n]*`", re.DOTALL)
_CITED = re.compile(
    r"(?<![\w@.\\])@(\w[\w:.-]*\w|\w)|\bcite\(\s*(?:<([^<>\s]+)>|label\(\"([^\"\n]+)\"\))"
)
_LABEL = re.compile(r"(?<!cite\()<([\w:.-]+)>")
_MOST_PARTS = 1000  # maximum number of files of a paper


def accepts(document: Document) -> int:
    """Return how likely it is that the document is a paper in Typst: 2 (certain), 1 (possible) or 0
    (no).
    """
    if _BIBLIOGRAPHY.search(document.text):
        return 2 if document.suffix in SUFFIXES else 1
    return int(document.suffix in SUFFIXES)


def read(document: Document) -> Bibliography:
    """Read the entries that the paper cites. If it cites nothing, read all entries."""
    paper = CitingPaper(document, NAME)
    labels: set[str] = set()
    named: dict[str, tuple[Document, Place]] = {}
    for part in _parts(paper):
        text = _SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), part.text)
        labels.update(match[1] for match in _LABEL.finditer(text))
        lines = LineCounter(text)
        for match in _CITED.finditer(text):
            paper.citations.add(next(filter(None, match.groups())), _place(part, lines, match))
        lines = LineCounter(text)
        for match in _BIBLIOGRAPHY.finditer(text):
            place = _place(part, lines, match)
            named |= dict.fromkeys(_FILE.findall(match[1]), (part, place))
            if re.search(r"\bfull:\s*true", match[2]):
                paper.citations.everything = True
    for label in labels:  # references to labels of sections and figures are not citations
        paper.citations.keys.pop(label, None)
    found: list[Bibliography] = []
    for name, (part, place) in named.items():
        if (bibliography := part.neighbour(name.removeprefix("/"))) and bibliography.is_text:
            found.append(formats.read(bibliography))
            paper.parts.append(bibliography.name)
        else:
            paper.lacks_bibliography(name, place)
    if not named:
        message = "names no bibliography with #bibliography(...); name its .bib or .yml too"
        return without_entries(document, "typst.no_bibliography", message)
    return paper.cited(found)


def _parts(paper: CitingPaper) -> Iterator[Document]:
    """Yield the paper, and the files that it includes."""
    waiting, seen = [paper.root], {paper.root.name}
    for part in waiting:
        yield part
        text = _SKIPPED.sub("", part.text)
        for match in _PART.finditer(text):
            found = part.neighbour(match[1].removeprefix("/"))
            if not found:
                paper.lacks_part(match[1], Place(part.name))
            elif found.name not in seen and len(seen) < _MOST_PARTS:
                seen.add(found.name)
                waiting.append(found)
                paper.parts.append(found.name)


def _place(part: Document, lines: LineCounter, match: re.Match[str]) -> Place:
    return Place(part.name, lines.of(match.start()))
