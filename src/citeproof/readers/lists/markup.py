"""Remove the markup of Markdown from text."""

import re

_LINK = re.compile(r"\[([^\[\]\n]*)\]\(([^()\s]*)\)")
_EMPHASIS = re.compile(r"(?<!\\)(?:\*{1,3}([^*\n]+)\*{1,3}|(?<!\w)_{1,3}([^_\n]+)_{1,3}(?!\w))")
_ADDRESS = re.compile(r"<(https?://[^<>\s]+)>")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def without_markup(text: str) -> str:
    """Return ``text`` without the markup of Markdown.

    The addresses of links are added at the end.
    """
    links: list[str] = []
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
