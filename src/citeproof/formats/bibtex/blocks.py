"""Where the entries of a ``.bib`` file begin and end: one pass over braces, linear whatever the text.

A block begins at ``@type{`` or ``@type(`` and ends at the closing sign of the same depth. One that never
closes, or inside which another begins at the start of a line outside any value, is broken there; reading
goes on at that next beginning, so that what follows survives.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from citeproof.fields.limits import too_many

_TOKEN = re.compile(r'\{+|\}+|"|(?<![\w\\])@\s*+([\w.:*+-]*+)\s*+([{(])')
_LINE_BLANK = " \t\n}"
_VALUE_ENDS = ("}", ")", ",", '"')
_LONGEST_INDENT = 200
_MORE_FIELDS = re.compile(r"\s*(?:,\s*)?[A-Za-z][\w-]*\s*=\s*[{\"0-9]")
_PAREN_END = re.compile(r'[{}"()]')


@dataclass(slots=True)
class Beginning:
    """A place that looks like the beginning of an entry."""

    start: int
    """Where the ``@`` is."""
    kind: str
    """The entry's type in lower case."""
    body: int
    """The first character behind the opening sign."""
    depth: int
    """How many braces are open before it."""
    parenthesis: bool
    on_new_line: bool
    """Nothing but white space or a closing brace stands before it in its line."""
    commented: bool
    """Its line begins with ``%``."""
    after_value: bool
    """A value, a comma or another entry ends right before it."""
    quoted: bool
    """It stands between quotation marks of the entry that holds it."""
    quotes: int = 0
    """How many quotation marks stand in its body outside braces."""
    end: int = -1
    """Where its closing sign is; -1: nowhere."""


@dataclass(frozen=True, slots=True)
class Block:
    """One ``@type{...}`` of the file."""

    kind: str
    start: int
    end: int
    """One past the block's last character."""
    inside: int
    """Where :attr:`body` begins."""
    body: str
    closed: bool
    commented: bool


def blocks(text: str) -> tuple[list[Block], int]:
    """Return the blocks of ``text`` in order, and how far it was read: to its end, but for hostile texts.

    What stands between blocks is no entry by BibTeX's rules.
    """
    beginnings, size = _beginnings(text)
    starts = [beginning.start for beginning in beginnings]
    found: list[Block] = []
    index = 0
    while index < len(beginnings):
        beginning = beginnings[index]
        stop = _broken_at(beginnings, index, size)
        if beginning.parenthesis:
            beginning.end = _closing_parenthesis(text, beginning.body, stop)
        closed = 0 <= beginning.end < stop
        inner_end = _behind_stray_brace(text, beginning.end, stop) if closed else stop
        end = inner_end + 1 if closed else stop
        body = text[beginning.body : inner_end]
        found.append(Block(beginning.kind, beginning.start, end, beginning.body, body, closed, beginning.commented))
        index = bisect_left(starts, end, lo=index + 1)
    return found, size


def _behind_stray_brace(text: str, end: int, stop: int) -> int:
    """Return the true end of a block that one brace too many seems to close at ``end``."""
    if not _MORE_FIELDS.match(text, end + 1, stop):
        return end
    last = text.rfind("}", end + 1, stop)
    return last if last >= 0 else end


def _beginnings(text: str) -> tuple[list[Beginning], int]:
    """Find every beginning with its depth and, for those with a brace, its end; and how far ``text`` was read."""
    found: list[Beginning] = []
    unclosed: list[Beginning] = []
    depth = 0
    for match in _TOKEN.finditer(text):
        sign = match[0][0]
        if sign == "{":
            depth += len(match[0])
        elif sign == "}":
            length = len(match[0])
            while unclosed and unclosed[-1].depth >= depth - length:
                closing = unclosed.pop()
                closing.end = match.start() + depth - closing.depth - 1
            depth = max(0, depth - length)
        elif sign == '"':
            if unclosed and unclosed[-1].depth + 1 == depth:
                unclosed[-1].quotes += 1
        else:
            holder = unclosed[-1] if unclosed and unclosed[-1].depth + 1 == depth else None
            beginning = _beginning(text, match, depth, quoted=holder is not None and holder.quotes % 2 == 1)
            if not (beginning.on_new_line or beginning.after_value) and (beginning.parenthesis or not beginning.kind):
                depth += match[2] == "{"
                continue
            if too_many(len(found), beginning.start):
                return found, beginning.start
            found.append(beginning)
            if not beginning.parenthesis:
                unclosed.append(beginning)
                depth += 1
    return found, len(text)


def _beginning(text: str, match: re.Match[str], depth: int, *, quoted: bool) -> Beginning:
    start = match.start()
    line = text.rfind("\n", max(0, start - _LONGEST_INDENT), start) + 1
    before = text[line:start] if line or start < _LONGEST_INDENT else "x" + text[start - _LONGEST_INDENT : start]
    return Beginning(
        start=start,
        kind=match[1].lower(),
        body=match.end(),
        depth=depth,
        parenthesis=match[2] == "(",
        on_new_line=not before.strip(_LINE_BLANK),
        commented=before.lstrip().startswith("%"),
        after_value=before.rstrip().endswith(_VALUE_ENDS),
        quoted=quoted,
    )


def _broken_at(beginnings: list[Beginning], index: int, size: int) -> int:
    """Return where the next block must begin because this one cannot reach further, or ``size``."""
    this = beginnings[index]
    for position in range(index + 1, len(beginnings)):
        other = beginnings[position]
        inside = this.end < 0 or other.start < this.end
        if not inside or _breaks(this, other):
            return other.start
    return size


def _breaks(this: Beginning, other: Beginning) -> bool:
    """Whether ``this`` cannot hold ``other``, so that one of its braces must be missing."""
    between_fields = other.depth <= this.depth + 1 and not other.quoted
    if this.end < 0:
        return other.on_new_line or between_fields
    return other.on_new_line and between_fields


def _closing_parenthesis(text: str, start: int, stop: int) -> int:
    """Return where ``@type(`` closes: at its parenthesis outside braces and quotes; -1 if nowhere."""
    braces, parentheses, quoted = 0, 0, False
    for match in _PAREN_END.finditer(text, start, stop):
        sign = match[0]
        if sign == "{":
            braces += 1
        elif sign == "}":
            braces -= 1
        elif braces > 0:
            continue
        elif sign == '"':
            quoted = not quoted
        elif not quoted:
            parentheses += 1 if sign == "(" else -1
            if parentheses < 0:
                return match.start()
    return -1
