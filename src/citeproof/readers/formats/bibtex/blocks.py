"""Split a ``.bib`` file into blocks, ``@type{...}`` or ``@type(...)``, in one pass over its braces.

A block ends at the closing sign of its depth. If a block never closes, or another one begins inside it at the start of
a line outside any value, a brace is missing: the block ends before that beginning, and the next block is intact.
"""
# Example:                            beginnings: depth  end             blocks
#   @misc{a, title = {Open}, {        a           0      none            a: to the @ of b, not closed
#   @misc{b, title = {Shut}}          b           2      its last brace  b: to its last brace, closed
# The brace after "Open}," never closes, so a never ends. b begins a new line outside quotes, which breaks a.

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citeproof.readers.fields.reading import too_many

_TOKEN = re.compile(
    r'(?:(?:\{[^{}@]*+(?:\{[^{}@]*+\}[^{}@]*+)*+\}|"[^{}@"]*+(?:\{[^{}@]*+\}[^{}@"]*+)*+")[^{}@"]*+)++'
    r'|\{+|\}+|"|(?<![\w\\])@\s*+([\w.:*+-]*+)\s*+([{(])'
)
"""Regex of complete values without ``@``, of braces, of a quotation mark, and of the beginning of a block."""
_LINE_BLANK = " \t\n}"
_VALUE_ENDS = ("}", ")", ",", '"')
_LONGEST_INDENT = 200
_MORE_FIELDS = re.compile(r"\s*(?:,\s*)?[A-Za-z][\w-]*\s*=\s*[{\"0-9]")
_KEPT = 1_000
"""Maximum processed beginnings in the list. They are deleted together, because each deletion moves all others."""
_PAREN_END = re.compile(r'[{}"()]')


@dataclass(slots=True)
class Block:
    """A possible beginning of a block, and the block itself when its end is known."""

    start: int
    """Offset of the ``@``."""
    kind: str
    """Type of the entry in lower case."""
    inside: int
    """Offset of :attr:`body`, after the opening sign."""
    depth: int
    """Number of open braces before it."""
    parenthesis: bool
    before: str
    """The text before it in its line; its end, after an ``x``, if it is long."""
    quoted: bool
    """Whether the beginning is inside quotation marks of the block around it."""
    quotes: int = 0
    """Number of quotation marks in its body outside braces."""
    closing: int = -1
    """Offset of the closing sign, or -1."""
    end: int = -1
    """Offset after the last character."""
    body: str = ""
    closed: bool = False

    @property
    def on_new_line(self) -> bool:
        """Whether only white space and closing braces precede it in its line."""
        return not self.before.strip(_LINE_BLANK)

    @property
    def commented(self) -> bool:
        """Whether its line begins with ``%``."""
        return self.before.lstrip().startswith("%")

    @property
    def after_value(self) -> bool:
        """Whether a value, a comma or another block ends right before it."""
        return self.before.rstrip().endswith(_VALUE_ENDS)


class Blocks:
    """The blocks of a text in order. Each is ready when the next one begins.

    A block that never closes and the blocks after it are ready when the text is read to its end.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.size = len(text)
        """Offset up to which the text is read. Less than its length if there are too many entries. Valid at the end."""

    def __iter__(self) -> Iterator[Block]:
        found: list[Block] = []
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
            block = found[index]
            _end(self._text, block, stop)
            index += 1
            while index < len(found) and found[index].start < block.end:
                index += 1
            if index > _KEPT:
                del found[:index]
                index = 0
            looked = index + 1
            yield block


def _end(text: str, block: Block, stop: int) -> None:
    """Set the body and the end of ``block``, which ends at ``stop`` at the latest."""
    if block.parenthesis:
        block.closing = _closing_parenthesis(text, block.inside, stop)
    block.closed = 0 <= block.closing < stop
    inner_end = _behind_stray_brace(text, block.closing, stop) if block.closed else stop
    block.end = inner_end + block.closed
    block.body = text[block.inside : inner_end]


def _behind_stray_brace(text: str, end: int, stop: int) -> int:
    """Return the end of a block that a surplus brace at ``end`` seems to close, though more fields follow."""
    if not _MORE_FIELDS.match(text, end + 1, stop):
        return end
    last = text.rfind("}", end + 1, stop)
    return last if last >= 0 else end


def _beginnings(text: str, found: list[Block]) -> Iterator[int | None]:
    """Add each beginning to ``found`` and yield None. Yield last the offset up to which ``text`` was read.

    The end of a beginning is set when its closing brace is met.
    """
    # '@misc{a, title = {T}}': a has depth 0 and its body depth 1. The two closing braces are one token that goes from
    # depth 2 to 0, so the second one closes a.
    count = 0
    unclosed: list[Block] = []
    depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        sign, length = token[0], len(token)
        if sign == "{":
            depth += 0 if "}" in token else length
        elif sign == "}":
            while unclosed and unclosed[-1].depth >= depth - length:
                closed = unclosed.pop()
                closed.closing = match.start() + depth - closed.depth - 1
            depth = max(0, depth - length)
        elif sign == '"':
            if length == 1 and unclosed and unclosed[-1].depth + 1 == depth:
                unclosed[-1].quotes += 1
        else:
            holder = unclosed[-1] if unclosed and unclosed[-1].depth + 1 == depth else None
            beginning = _beginning(text, match, depth, quoted=holder is not None and holder.quotes % 2 == 1)
            if (beginning.parenthesis or not beginning.kind) and not (beginning.on_new_line or beginning.after_value):
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


def _beginning(text: str, match: re.Match[str], depth: int, *, quoted: bool) -> Block:
    start = match.start()
    line = text.rfind("\n", max(0, start - _LONGEST_INDENT), start) + 1
    before = text[line:start] if line or start < _LONGEST_INDENT else "x" + text[start - _LONGEST_INDENT : start]
    return Block(start, match[1].lower(), match.end(), depth, match[2] == "(", before, quoted)


def _broken_at(found: list[Block], index: int, looked: int, size: int | None) -> tuple[int | None, int]:
    """Return the offset where the block at ``index`` must end at the latest, or None if that is not known yet.

    The offset is that of a beginning which the block cannot contain, or ``size``, which is None until all beginnings
    are found. The second value is the next beginning to look at, ``looked`` that of the call before.
    """
    if index >= len(found):
        return None, looked  # with a size: there is no further block
    this = found[index]
    if size is None and this.closing < 0 and not this.parenthesis:
        return None, looked
    for position in range(looked, len(found)):
        other = found[position]
        inside = this.closing < 0 or other.start < this.closing
        if not inside or _breaks(this, other):
            return other.start, position
    return size, len(found)


def _breaks(this: Block, other: Block) -> bool:
    """Whether ``this`` cannot contain ``other``, because a closing brace is missing before ``other``."""
    between_fields = other.depth <= this.depth + 1 and not other.quoted
    if this.closing < 0:
        return other.on_new_line or between_fields
    return other.on_new_line and between_fields


def _closing_parenthesis(text: str, start: int, stop: int) -> int:
    """Return the offset of the parenthesis, outside braces and quotes, that closes ``@type(``, or -1."""
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
