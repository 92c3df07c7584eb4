"""Read papers in the Markdown of pandoc and Quarto. If the header names bibliographies, the cited
entries are read, and otherwise the reference list.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from citeproof.model.reference import Bibliography, Place
from citeproof.readers import formats
from citeproof.readers.citing import Citations, CitingPaper
from citeproof.readers.document import Document
from citeproof.readers.fields.document_entries import without_entries

NAME = "markdown"
SUFFIXES = (".md", ".markdown", ".qmd", ".rmd")
CODES = {
    "markdown.missing_bibliography": (
        "a bibliography of the header is not inside the paper's folder"
    ),
    "markdown.without_list": (
        "the header has no bibliography, and there is no heading of a reference list"
    ),
}

_HEADER = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
_BIBLIOGRAPHY = re.compile(r"^bibliography:[ \t]*(.*(?:\n[ \t]*-[ \t].*)*)", re.MULTILINE)
_NOCITE = re.compile(r"^nocite:(.*(?:\n[ \t].*)*)", re.MULTILINE)
_REFERENCES = re.compile(r"^references:", re.MULTILINE)
_CITED = re.compile(
    r"(?<![\w@.\\/])@(?:\{([^{}\s]{1,200})\}|(\*|\w(?:\w|[:.#$%&+?<>~/-](?=\w)){0,200}))"
)
_CROSS_REFERENCE = re.compile(
    r"(?:fig|tbl|sec|eq|lst|thm|lem|cor|prp|cnj|def|exm|exr|nte|tip|wrn|imp|cau)-"
)
"""Regex for the beginning of a Quarto label, such as ``fig-``: a cross-reference such as
``@fig-map`` is not a citation.
"""
_LIST_HEADING = re.compile(
    r"^#{1,6}[ \t]+(?:\d+\.?[ \t]+)?(?:References|Bibliography|Works Cited)\b", re.MULTILINE
)
_FENCE = re.compile(r"[ \t]{0,3}(```|~~~)")
_CODE = re.compile(r"`[^`\n]+`")


def accepts(document: Document) -> int:
    """Return how likely it is that the document is a paper in Markdown: 2 (certain), 1 (possible)
    or 0 (no).
    """
    header = _HEADER.match(document.text)
    if header and (_BIBLIOGRAPHY.search(header[1]) or _REFERENCES.search(header[1])):
        return 2 if document.text[header.end() :].strip() else 1
    return int(_LIST_HEADING.search(document.text) is not None)


def read(document: Document) -> Bibliography:
    """Read those entries of its bibliographies that the paper cites. If it has no bibliography,
    read the reference list.
    """
    match = _HEADER.match(document.text)
    header = match[0] if match else ""
    lines, first = list(_without_code(document.text[len(header) :])), header.count("\n") + 1
    paper = CitingPaper(document, NAME, _citations(document.name, header, lines, first))
    bibliographies = list(_bibliographies(paper, header))
    if not bibliographies and not paper.missing:
        blank = re.sub(r"[^\n]", " ", header)
        whole = Document.of_text(blank + document.text[len(header) :], document.name)
        found = formats.load("text").read(replace(whole, format="text"))
        if any(reference.authors or reference.year for reference in found.references):
            return found
        message = (
            "names no bibliography in its header and has no heading such as 'References'; name its"
            " .bib too"
        )
        return without_entries(document, "markdown.without_list", message)
    entries = [entry for one in bibliographies for entry in one.entries]
    paper.parts += dict.fromkeys(entry.file for entry in entries if entry.file != document.name)
    return paper.cited(bibliographies)


def _bibliographies(paper: CitingPaper, header: str) -> Iterator[Bibliography]:
    if _REFERENCES.search(header):
        yield formats.read(Document.of_text(header, paper.root.name), "csl-yaml")
    named = _BIBLIOGRAPHY.search(header)
    place = Place(paper.root.name, 1 + header.count("\n", 0, named.start() if named else 0))
    for name in _names(named[1]) if named else ():
        found = paper.root.neighbour(name)
        if found and found.is_text:
            yield formats.read(found)
        else:
            paper.lacks_bibliography(name, place)


def _names(value: str) -> Iterator[str]:
    """Yield the file names in a YAML value, which is written as ``a``, as ``[a, b]``, or as lines
    that begin with a dash.
    """
    for line in value.split("\n"):
        names = line.strip().removeprefix("-").strip().strip("[]").split(",")
        yield from filter(None, (name.strip().strip("\"'") for name in names))


def _citations(name: str, header: str, lines: list[str], first: int) -> Citations:
    citations = Citations()
    nocite = _NOCITE.search(header)
    for number, line in ((1, nocite[1] if nocite else ""), *enumerate(lines, start=first)):
        for match in _CITED.finditer(line):
            if not _CROSS_REFERENCE.match(key := match[1] or match[2]):
                citations.add(key, Place(name, number))
    return citations


def _without_code(text: str) -> Iterator[str]:
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if match and fence in {"", match[1]}:
            fence = "" if fence else match[1]
            yield ""
        else:
            yield "" if fence else _CODE.sub("", line)
