"""Where the entries of a ``.bib`` file begin and end: one pass over braces, linear whatever the text.

A block begins at ``@type{`` or ``@type(`` and ends at the closing sign of the same depth. One that never
closes, or inside which another begins at the start of a line outside any value, is broken there; reading
goes on at that next beginning, so that what follows survives.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from citeproof.fields.limits import too_many

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r'\{+|\}+|"|(?<![\w\\])@\s*+([\w.:*+-]*+)\s*+([{(])')
_LINE_BLANK = " \t\n}"
_VALUE_ENDS = ("}", ")", ",", '"')
_LONGEST_INDENT = 200
_MORE_FIELDS = re.compile(r"\s*(?:,\s*)?[A-Za-z][\w-]*\s*=\s*[{\"0-9]")
_START = attrgetter("start")
_KEPT = 1_000
"""Beginnings that are kept though they are done with: forgetting each by itself would move all others each time."""
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


class Blocks:
    """The blocks of a text in their order, as they are read. What stands between them is no entry by BibTeX's rules.

    A block comes as soon as nothing behind it can change it: when the next one begins. One that never closes, and what
    follows it, come when the text is read to its end.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.size = len(text)
        """How far the text is read: to its end, but for hostile texts; known when all blocks were taken."""

    def __iter__(self) -> Iterator[Block]:
        found: list[Beginning] = []
        reading = _beginnings(self._text, found)
        size: int | None = None
        index, looked = 0, 1
        while True:
            stop, looked = _broken_at(found, index, looked, size)
            if stop is None and size is None:
                if (size := next(reading)) is not None:
                    self.size = size
                continue
            if stop is None:
                return
            block = _block(self._text, found[index], stop)
            index = bisect_left(found, block.end, lo=index + 1, key=_START)
            if index > _KEPT:
                del found[:index]
                index = 0
            looked = index + 1
            yield block


def _block(text: str, beginning: Beginning, stop: int) -> Block:
    """Return the block that begins at ``beginning`` and reaches ``stop`` at the most."""
    if beginning.parenthesis:
        beginning.end = _closing_parenthesis(text, beginning.body, stop)
    closed = 0 <= beginning.end < stop
    inner_end = _behind_stray_brace(text, beginning.end, stop) if closed else stop
    end = inner_end + 1 if closed else stop
    body = text[beginning.body : inner_end]
    return Block(beginning.kind, beginning.start, end, beginning.body, body, closed, beginning.commented)


def _behind_stray_brace(text: str, end: int, stop: int) -> int:
    """Return the true end of a block that one brace too many seems to close at ``end``."""
    if not _MORE_FIELDS.match(text, end + 1, stop):
        return end
    last = text.rfind("}", end + 1, stop)
    return last if last >= 0 else end


def _beginnings(text: str, found: list[Beginning]) -> Iterator[int | None]:
    """Add to ``found`` each beginning with its depth, and yield None; its end becomes known later, if it has a brace.

    Yield at the end how far ``text`` was read. Signs are counted in one pass.
    """
    count = 0
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
            if too_many(count, beginning.start):
                yield beginning.start
                return
            count += 1
            found.append(beginning)
            if not beginning.parenthesis:
                unclosed.append(beginning)
                depth += 1
            yield None
    yield len(text)


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


def _broken_at(found: list[Beginning], index: int, looked: int, size: int | None) -> tuple[int | None, int]:
    """Return where the next block must begin because the one at ``index`` cannot reach further, or ``size``.

    ``size`` is None while there is more to be found; then it may be open where the block ends, and None is returned.
    Beginnings before ``looked`` were looked at by an earlier call; the second value is the next one to look at.
    """
    if index >= len(found):
        return None, looked  # with a size: there is no further block
    this = found[index]
    if size is None and this.end < 0 and not this.parenthesis:
        return None, looked
    for position in range(looked, len(found)):
        other = found[position]
        inside = this.end < 0 or other.start < this.end
        if not inside or _breaks(this, other):
            return other.start, position
    return size, len(found)


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
