"""Read Markdown of pandoc and Quarto: the cited entries of the header's bibliographies, or else the
reference list.
"""

import re
from collections.abc import Iterator

from citeproof.model.reference import Bibliography, Diagnostic, Place
from citeproof.readers import formats
from citeproof.readers.citing import Citations, CitingPaper
from citeproof.readers.document import Document
from citeproof.readers.lists.sections import Paragraph, listed, on_lines

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
"""Regex of the beginning of a Quarto label, such as ``fig-``, because ``@fig-map`` is no
citation.
"""
_LIST_HEADING = re.compile(
    r"^#{1,6}[ \t]+(?:\d+\.?[ \t]+)?(?:References|Bibliography|Works Cited)\b", re.MULTILINE
)
_HEADING = re.compile(r"#{1,6}[ \t]+(.*?)[ \t#]*(?:\{[^{}]*\})?[ \t]*")
_ITEM = re.compile(
    r"[ \t]{0,3}(?:[-*+]|\d{1,4}[.)]|\[\^[^\]\s]{1,40}\]:)[ \t]+|(?=\[\d{1,4}\][ \t])"
)
_FENCE = re.compile(r"[ \t]{0,3}(```|~~~)")
_CODE = re.compile(r"`[^`\n]+`")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\(([^()\s]*)\)")
_EMPHASIS = re.compile(r"(?<!\\)(?:\*{1,3}([^*\n]+)\*{1,3}|(?<!\w)_{1,3}([^_\n]+)_{1,3}(?!\w))")
_ADDRESS = re.compile(r"<(https?://[^<>\s]+)>")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def accepts(document: Document) -> int:
    """Return how likely the document is a paper in Markdown: 2 if certainly, 1 if possibly, 0 if
    not.
    """
    header = _HEADER.match(document.text)
    if header and (_BIBLIOGRAPHY.search(header[1]) or _REFERENCES.search(header[1])):
        return 2 if document.text[header.end() :].strip() else 1
    return int(_LIST_HEADING.search(document.text) is not None)


def read(document: Document) -> Bibliography:
    """Read the entries that the paper cites. Without a bibliography, read the reference list."""
    match = _HEADER.match(document.text)
    header = match[0] if match else ""
    lines, first = list(_without_code(document.text[len(header) :])), header.count("\n") + 1
    paper = CitingPaper(document, NAME, _citations(document.name, header, lines, first))
    bibliographies = list(_bibliographies(paper, header))
    if not bibliographies and not paper.missing:
        paragraphs = list(_paragraphs(lines, first))
        printed = listed(paragraphs)
        if not printed and not any(paragraph.heading for paragraph in paragraphs):
            printed = on_lines(paragraphs)
        message = (
            "names no bibliography in its header and has no heading such as 'References'; name its"
            " .bib too"
        )
        return formats.read_list(document, printed, "markdown.without_list", message)
    entries = [entry for one in bibliographies for entry in one.entries]
    paper.parts += dict.fromkeys(entry.file for entry in entries if entry.file != document.name)
    unread = any(isinstance(entry, Diagnostic) and entry.of_document for entry in entries)
    return paper.cited(bibliographies, complete=not unread)


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
    """Yield the file names in a YAML value: ``a``, ``[a, b]``, or lines that begin with a dash."""
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


def _paragraphs(lines: list[str], first: int) -> Iterator[Paragraph]:
    held: list[str] = []
    begin = first
    for number, line in enumerate([*lines, ""], start=first):
        heading = _HEADING.fullmatch(line)
        item = _ITEM.match(line)
        underlined = len(held) == 1 and re.fullmatch(r"(?:=+|-+)[ \t]*", line)
        if held and (heading or item or underlined or not line.strip()):
            yield Paragraph(_plain("\n".join(held)), begin, heading=bool(underlined))
            held = []
        if heading:
            yield Paragraph(_plain(heading[1]), number, heading=True)
        elif line.strip() and not underlined and not line.startswith(":::"):
            begin = begin if held else number
            held.append(line[item.end() :] if item else line)


def _plain(text: str) -> str:
    """Return ``text`` without the markup of Markdown.

    The addresses of links are added at the end.
    """
    links = [
        address
        for said, address in _LINK.findall(text)
        if address not in said and not address.startswith("#")
    ]
    text = _ADDRESS.sub(r"\1", _LINK.sub(r"\1", text))
    if "*" in text or "_" in text:
        text = _EMPHASIS.sub(lambda match: match[1] or match[2], text)
    return " ".join([_ESCAPED.sub(r"\1", text), *links])
