"""Find comments, braces and arguments in TeX."""

import re

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_BRACE_OR_BRACKET = re.compile(r"\\.|[{}\[\]]", re.DOTALL)
_BLANK = re.compile(r"\s*")


def without_comments(text: str) -> str:
    """Return ``text`` with each character of a TeX comment replaced by a space.

    All offsets stay valid.
    """
    return _COMMENT.sub(lambda match: match[1] + " " * (len(match[0]) - len(match[1])), text)


def closing_braces(text: str) -> dict[int, int]:
    """Map the offset of each opening brace to the offset of the closing brace: {0: 5, 2: 4} for
    ``{a{b}}``.
    """
    closing: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            closing[opened.pop()] = match.start()
    return closing


def after_blank(text: str, position: int) -> int:
    """Return the offset of the first character at or after ``position`` that is not white space."""
    blank = _BLANK.match(text, position)
    return blank.end() if blank else position


def group(text: str, position: int, closing: dict[int, int]) -> tuple[int, int] | None:
    """Return start and end of the content of the TeX group ``{...}`` that begins at ``position``,
    after white space. None if no group begins there.

    ``closing`` is the result of :func:`closing_braces` for ``text``.
    """
    start = after_blank(text, position)
    return (start + 1, closing[start]) if start in closing else None


def optional(text: str) -> tuple[int, int] | None:
    """Return start and end of the content of the optional TeX argument with which ``text`` begins:
    (1, 9) for ``[a [b]{]}] {c}``. None if ``text`` begins with no such argument.
    """
    start = after_blank(text, 0)
    braces = brackets = 0
    for match in _BRACE_OR_BRACKET.finditer(text, start) if text.startswith("[", start) else ():
        braces += (match[0] == "{") - (match[0] == "}")
        if braces == 0:
            brackets += (match[0] == "[") - (match[0] == "]")
            if brackets == 0:
                return start + 1, match.start()
    return None
