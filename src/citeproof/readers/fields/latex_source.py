"""Find comments, braces, arguments and lines in LaTeX source."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_SIGN = re.compile(r"\\.|[{}]", re.DOTALL)
_BRACKET = re.compile(r"\\.|[{}\[\]]", re.DOTALL)
_BLANK = re.compile(r"\s*")


def without_comments(text: str) -> str:
    """Return ``text`` with a space for each character of its comments. All other characters keep their offsets."""
    return _COMMENT.sub(lambda match: match[1] + " " * (len(match[0]) - len(match[1])), text)


def closing_braces(text: str) -> dict[int, int]:
    """Return the offset of the closing brace for each opening one: ``{a{b}}`` gives ``{0: 5, 2: 4}``."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for match in _SIGN.finditer(text):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            closing[opened.pop()] = match.start()
    return closing


def group(text: str, position: int, closing: dict[int, int]) -> tuple[int, int] | None:
    """Return start and end of the content of the group at ``position``, ignoring white space, or None."""
    blank = _BLANK.match(text, position)
    start = blank.end() if blank else position
    return (start + 1, closing[start]) if start in closing else None


def optional(text: str, position: int) -> tuple[int, int] | None:
    """Return start and end of the content of the optional argument at ``position``, ignoring white space, or None.

    Brackets may be nested, and those in braces do not count: in ``[a [b]{]}] {key}`` the content is ``a [b]{]}``.
    """
    blank = _BLANK.match(text, position)
    start = blank.end() if blank else position
    braces = brackets = 0
    for match in _BRACKET.finditer(text, start) if text.startswith("[", start) else ():
        sign = match[0]
        if sign in "{}":
            braces += 1 if sign == "{" else -1
        elif sign in "[]" and braces == 0:
            brackets += 1 if sign == "[" else -1
            if brackets == 0:
                return start + 1, match.start()
    return None


class LineCounter:
    """Counts the lines of ``text`` in one pass, if positions are given in ascending order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line, self._counted = 1, 0

    def of(self, position: int) -> int:
        """Return the line of ``position``, from 1."""
        self._line += self._text.count("\n", self._counted, position)
        self._counted = position
        return self._line
