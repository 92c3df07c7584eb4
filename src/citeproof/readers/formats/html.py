"""Read reference lists in HTML: entries with the CSS class of a citation program, or the items
after a heading such as ``References``.
"""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from citeproof.model.reference import Bibliography
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.lists.sections import Paragraph, listed, on_lines

NAME = "html"
SUFFIXES = (".html", ".htm", ".xhtml")
CODES = {"html.without_list": "no heading of a reference list, and no list that is all of the page"}

_SURE = re.compile(
    r"\A\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<(?:!doctype\s+html|html)\b",
    re.IGNORECASE,
)
_BEGINNING = re.compile(
    r"\A\ufeff?\s*<(?:ol|ul|li|div|p|h[1-6]|body|head|section)\b", re.IGNORECASE
)
# CSS classes of entries of citeproc (Zotero) and LaTeXML (arXiv)
_MARKED = frozenset({"csl-entry", "ltx_bibitem"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = _HEADINGS | {
    "p",
    "li",
    "dd",
    "dt",
    "div",
    "section",
    "ol",
    "ul",
    "dl",
    "table",
    "tr",
    "td",
    "th",
    "article",
    "aside",
    "header",
    "footer",
    "nav",
    "main",
    "body",
    "blockquote",
    "pre",
    "summary",
}
"""HTML elements that begin a new paragraph."""
_ITEMS = frozenset({"li", "dd"})
_ITEM_ENDS = _ITEMS | {"ol", "ul", "dl", "section", "body"}
_AFTER_ITEM = _ITEMS | _HEADINGS | {"dt"}  # elements that end an open list item
_NO_TAG = re.compile(
    r"<(?!(?:/?[A-Za-z]|!doctype\b)(?:[^<>\"']++|\"[^\"]{0,2000}+\"|'[^']{0,2000}+'){0,100}+>)",
    re.IGNORECASE,
)
"""Regex for a ``<`` that does not begin an HTML tag, as in ``a < b``."""
_SILENT = frozenset({"script", "style", "template", "svg", "math"})


def accepts(document: Document) -> int:
    """Return how likely it is that the document is HTML: 2 (certain), 1 (possible) or 0 (no)."""
    # The page in ``paper.pdf`` may be an error page that a site sent instead of the file.
    if _SURE.match(document.text):
        return 2 if document.suffix in {*SUFFIXES, ".txt", ""} else 1
    return int(_BEGINNING.match(document.text) is not None)


def read(document: Document) -> Bibliography:
    """Read the entries that have a known CSS class. If there are none, read the list after a
    heading of a reference list. If there is no such heading, read all items of a page without
    headings.
    """
    page = _Page()
    page.feed(_NO_TAG.sub("&lt;", _without_comments(document.text)))
    page.close()
    marked = on_lines([block.paragraph() for block in page.blocks if block.marked])
    printed = marked or listed(block.paragraph() for block in page.blocks) or _items(page.blocks)
    message = (
        "has no heading such as 'References' and is not a list; give the list alone, or name its"
        " format with --from"
    )
    return formats.read_list(document, printed, "html.without_list", message)


def _without_comments(text: str) -> str:
    """Return ``text`` without HTML comments, but with the line breaks in them, so that line numbers
    stay valid. A comment without an end is kept.
    """
    pieces, at = [], 0
    while (begin := text.find("<!--", at)) >= 0 and (end := text.find("-->", begin)) >= 0:
        pieces += [text[at:begin], "\n" * text.count("\n", begin, end)]
        at = end + len("-->")
    return "".join([*pieces, text[at:]])


@dataclass(slots=True)
class _Block:
    tag: str
    line: int
    marked: bool
    pieces: list[str] = field(default_factory=list)

    def paragraph(self) -> Paragraph:
        return Paragraph("".join(self.pieces), self.line, heading=self.tag in _HEADINGS)


def _items(blocks: list[_Block]) -> list[Paragraph]:
    """Return the list items of a page that has no headings, or its paragraphs if it has no list
    items. Return an empty list if it has headings.
    """
    tags = {block.tag for block in blocks}
    if tags & _HEADINGS:
        return []
    wanted = tags & _ITEMS or {"p"}
    said = [
        block.paragraph()
        for block in blocks
        if block.tag in wanted and "".join(block.pieces).strip()
    ]
    # a single paragraph is not a list, because every page has one
    return on_lines(said) if tags & _ITEMS or len(said) > 1 else []


class _Page(HTMLParser):
    """HTML parser that collects the paragraphs of a page.

    Example: in ``<li>A. Lee. <p>Title.</p><li>B. Kim.`` the second ``<li>`` ends the first item.
    The ``<p>`` in the item only adds a space. The paragraphs are ``A. Lee. Title.`` and ``B. Kim.``
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[_Block] = []
        self._open: _Block | None = None
        # nesting depth of the tag of the current paragraph: 2 inside ``<div><div>``
        self._depth = 0
        self._silent = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a paragraph if ``tag`` is a block element. Inside a list item or an entry with a
        known CSS class, add a space instead.
        """
        if self._silent:
            return
        said = dict(attrs)
        marked = not _MARKED.isdisjoint((said.get("class") or "").split())
        if tag in _SILENT:
            self._silent = tag
            self._add(said.get("alttext") or "")
        elif (
            self._open
            and not marked
            and (self._open.marked or (self._open.tag in _ITEMS and tag not in _AFTER_ITEM))
        ):
            self._depth += tag == self._open.tag
            if tag in _BLOCKS or tag == "br":
                self._add(" ")
        elif marked or tag in _BLOCKS:
            self._open = _Block(tag, self.getpos()[0], marked)
            self.blocks.append(self._open)
            self._depth = 1
        elif tag == "br":
            self._add("\n")

    def handle_endtag(self, tag: str) -> None:
        """End the current paragraph if ``tag`` closes it."""
        if self._silent:
            self._silent = "" if tag == self._silent else self._silent
        elif self._open and self._open.marked:
            self._depth -= tag == self._open.tag
            self._open = self._open if self._depth else None
        elif tag in _BLOCKS and not (
            self._open and self._open.tag in _ITEMS and tag not in _ITEM_ENDS
        ):
            self._open = None

    def handle_data(self, data: str) -> None:
        """Add text to the current paragraph. The text of scripts, style sheets and formulas is
        ignored.
        """
        if not self._silent:
            self._add(" ".join(re.split(r"\s+", data)))

    def _add(self, text: str) -> None:
        """Add ``text`` to the current paragraph. If no paragraph is open, begin a new paragraph."""
        if not self._open and text.strip():
            self._open = _Block("", self.getpos()[0], marked=False)
            self.blocks.append(self._open)
        if self._open:
            self._open.pieces.append(text)
