"""Identifiers and URLs in a reference string, including those broken by a line end."""

import re
from typing import NamedTuple

_DOI = re.compile(
    r"(?:(?:https?\s?:\s?//\s?)?(?:dx\.)?doi\.org/\s?|doi\s?[:=]?\s*(?:https?://(?:dx\.)?doi\.org/)?)?\b(10\.\d{4,9}/(?:\s(?=\S+[\d/]))?[^\s\"<>]+)",
    re.IGNORECASE,
)
_DOI_BEGINS = re.compile(r"10(?<!\w10)\.\d{4,9}/")
_DOI_LABEL = re.compile(r"[hHdD](?:[tT][tT][pP]|[xX]\.|[oO][iI])")
"""Regex of the beginning of a label or resolver address before a DOI."""
_LONGEST_LABEL = 60
"""Maximum length of a label such as ``doi: https://dx.doi.org/``."""
_ARXIV = re.compile(
    r"(?:https?://)?(?:arxiv\.org/(?:abs|pdf)/|\barxiv\s?(?:preprint|e-prints?)?\s*(?:,\s*)?(?:arxiv)?\s*[:.]?\s*)\s*"
    r"(?:abs/)?((?:[\dX]{4}\.[\dX]{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7}))(?:v\d+)?(?:\s*\[[\w.-]+\])?",
    re.IGNORECASE,
)
"""Regex of an arXiv id. A placeholder such as ``2304.XXXX`` matches too."""
_URL = re.compile(r"(?:https?\s?:\s?//|ftp://|www\.)\s?[^\s<>\"]+", re.IGNORECASE)
_SPREAD = re.compile(r"https?\s?:\s?/ ?/\s?[^\s<>\"]+(?:(?: / ?| \. ?|(?<=\d\.) (?=\d))[^\s<>\"]+)*", re.IGNORECASE)
"""Regex of a URL into which justification has put spaces: ``http : / / www . example . org / paper.pdf``"""
_LEAD = re.compile(
    r"[\s,.;(\[]*(?:\b(?:available\s+(?:from|at|online|on)|retrieved\s+(?:on\s+)?(?:[\w\s,]{0,30}\s)?from|accessed\s+(?:on|at)?|url|online(?:\s+at)?|see|doi|"
    r"https?|link)\s*:?\s*)+$",
    re.IGNORECASE,
)
_LEAD_ENDS = ("from", "at", "on", "online", "accessed", "url", "see", "doi", "http", "https", "link")
"""Last words that a match of ``_LEAD`` can have."""


class Links(NamedTuple):
    """The links in a text, and the text without them."""

    text: str
    doi: str = ""
    arxiv_id: str = ""
    url: str = ""


def take_links(text: str) -> Links:
    """Return the DOI, arXiv id and URL of a reference string, and the rest of the text.

    The words of ``text`` must be separated by single spaces.
    """
    doi = arxiv_id = url = ""
    if "/ /" in text:
        text = _SPREAD.sub(lambda match: match[0].replace(" ", ""), text)
    if "10." in text and (begin := _DOI_BEGINS.search(text)) and (match := _doi(text, begin.start())):
        doi = _trimmed(match[1].replace(" ", ""))
        text = _without(text, match.start(), match.start(1) + len(_trimmed(match[1])))
    if "arxiv" in text.lower() and (match := _ARXIV.search(text)):
        arxiv_id = match[1]
        if match[0].lower().startswith(("http", "arxiv.org")):
            text = _without(text, match.start(), match.end())
    while ("//" in text or "www." in text.lower()) and (match := _URL.search(text)):
        url = url or _trimmed(match[0].replace(" ", ""))
        text = _without(text, match.start(), match.start() + len(_trimmed(match[0])))
    return Links(" ".join(text.split()) if doi or arxiv_id or url else text, doi, arxiv_id, url)


def _doi(text: str, begin: int) -> re.Match[str] | None:
    """Return the first DOI with its label. ``begin`` is the first position where a DOI may begin."""
    label = _DOI_LABEL.search(text, max(0, begin - _LONGEST_LABEL), begin)
    return _DOI.search(text, label.start() if label else begin)


def _without(text: str, start: int, end: int) -> str:
    before = text[:start]
    last = before.rstrip().removesuffix(":").rstrip()
    if last[-8:].lower().endswith(_LEAD_ENDS) and (lead := _LEAD.search(before)):
        before = before[: lead.start()] + "."
    return f"{before} {text[end:]}"


def _trimmed(value: str) -> str:
    """Return a URL without trailing punctuation. A closing bracket stays if the URL contains the opening one."""
    while value and (
        value[-1] in ".,;:'\"”’"
        or (value[-1] in ")]" and value.count(value[-1]) > value.count("(["[")]".index(value[-1])]))
    ):
        value = value[:-1]
    return value
