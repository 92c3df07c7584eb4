"""Remove the markup of Markdown from text."""

import re

_LINK = re.compile(r"\[([^\[\]\n]*)\]\(([^()\s]*)\)")
_BOLD_TITLE = re.compile(
    r"\*\*(?=[^\s*])([^*]{8,300})(?<=[\w)?!])[.,]?\*\*[.,]?(?=\s+(?:[–—(-]|by\b))"
)
"""Regex for words in bold type before people, which are a title:
``**On Winter** (A. Lee, 2019)``.
"""
_PERSON = re.compile(
    r"[^\W\d_a-z][\w'’-]+, [^\W\d_a-z][\w.]*(?: [^\W\d_a-z][\w.]*)?$|.*\bet\.? al\b|.*\d{4}",
    re.DOTALL,
)
_EMPHASIS = re.compile(r"(?<!\\)(?:\*{1,3}([^*\n]+)\*{1,3}|(?<!\w)_{1,3}([^_\n]+)_{1,3}(?!\w))")
_ADDRESS = re.compile(r"<(https?://[^<>\s]+)>")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def without_markup(text: str) -> str:
    """Return ``text`` without the markup of Markdown. The URLs of its links are added at the
    end.
    """
    links: list[str] = []
    if "**" in text:
        text = _BOLD_TITLE.sub(_quoted, text, count=1)
    if "](" in text:
        links = [
            address
            for said, address in _LINK.findall(text)
            if address not in said and not address.startswith("#")
        ]
        text = _LINK.sub(r"\1", text)
    if "<http" in text:
        text = _ADDRESS.sub(r"\1", text)
    if "*" in text or "_" in text:
        text = _EMPHASIS.sub(lambda match: match[1] or match[2], text)
    return " ".join([_ESCAPED.sub(r"\1", text) if "\\" in text else text, *links])


def _quoted(title: re.Match[str]) -> str:
    """Return a title in bold type as a title in quotation marks. If it contains people or a year,
    return it unchanged.
    """
    words = title[1].split()
    if len(words) == 1 or _PERSON.match(title[1]):
        return title[0]
    opening, closing = "«»" if "“" in title[1] or "”" in title[1] else "“”"
    return f"{opening}{title[1]}{closing}"
