"""Split a ``.bib`` file into blocks, ``@type{...}`` or ``@type(...)``, in one pass over its braces.

A block ends at the brace or parenthesis that closes it. If there is none, or if another block begins inside the block,
on a new line and outside values, a brace is missing: the block then ends before the other block.
"""
# Example:                            beginnings: depth  end             blocks
#   @misc{a, title = {Open}, {        a           0      none            a: to the @ of b, not closed
#   @misc{b, title = {Shut}}          b           2      its last brace  b: to its last brace, closed
# The brace after "Open}," never closes, so a never ends. b begins a new line outside quotes, which breaks a.

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from citeproof.model.reference import Span
from citeproof.readers.fields.reading import too_many

_TOKEN = re.compile(
    r'(?:(?:\{[^{}@]*+(?:\{[^{}@]*+\}[^{}@]*+)*+\}|"[^{}@"]*+(?:\{[^{}@]*+\}[^{}@"]*+)*+")[^{}@"]*+)++'
    r'|\{+|\}+|"|(?<![\w\\])@\s*+([\w.:*+-]*+)\s*+([{(])'
)
"""Regex of tokens that decide where blocks end: values without ``@``, braces, quotation marks, starts of blocks."""
_LONGEST_INDENT = 200  # maximum number of characters that are read of the text before a block in its line
_MORE_FIELDS = re.compile(r"\s*(?:,\s*)?[A-Za-z][\w-]*\s*=\s*[{\"0-9]")
_PAREN_END = re.compile(r'[{}"()]')


@dataclass(slots=True)
class Block:
    """An ``@type{...}`` block. Before its end is known, it is only a possible start of a block."""

    start: int  # offset of the ``@``
    kind: str  # type of the entry in lower case
    inside: int  # offset of :attr:`body`, after the opening brace or parenthesis
    depth: int  # number of open braces before the block
    parenthesis: bool  # whether the body is in parentheses
    on_new_line: bool  # whether only white space and closing braces precede the block in its line
    commented: bool  # whether the line of the block begins with ``%``
    quoted: bool  # whether the block starts inside quotation marks of the block around it
    quotes: int = 0  # number of quotation marks in the body that are outside braces
    closing: int = -1  # offset of the closing brace or parenthesis, or -1
    end: int = -1  # offset after the last character
    body: str = ""
    closed: bool = False
    key: str = ""
    code: str = ""  # code of the diagnostic of the block if it is not a reference
    fields: Mapping[str, str] = field(default_factory=dict)
    spans: Mapping[str, Span] = field(default_factory=dict)  # map from fields to the spans of their values

    def contains(self, other: Block) -> bool:
        """Whether ``other`` can be a part of this block: it precedes the end, and no brace seems to be missing."""
        between_fields = other.depth <= self.depth + 1 and not other.quoted
        if self.closing < 0:
            return not (other.on_new_line or between_fields)
        return other.start < self.closing and not (other.on_new_line and between_fields)


class Blocks:
    """Iterable of the blocks of a text. A block is yielded once the start of the next block is read, or at the end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.size = len(text)  # offset up to which the text is read; less than its length for too many entries
        self._reading = self._beginnings()
        self._ahead = deque[Block]()  # possible starts of blocks that were read ahead of the current block

    def __iter__(self) -> Iterator[Block]:
        while block := self._ahead.popleft() if self._ahead else next(self._reading, None):
            while block.closing < 0 and not block.parenthesis and self._read():
                pass
            stop = self._stop(block)
            if block.parenthesis:
                block.closing = _closing_parenthesis(self._text, block.inside, stop)
            block.closed = 0 <= block.closing < stop
            inner_end = _behind_stray_brace(self._text, block.closing, stop) if block.closed else stop
            block.end = inner_end + block.closed
            block.body = self._text[block.inside : inner_end]
            while self._ahead and self._ahead[0].start < block.end:
                self._ahead.popleft()
            yield block

    def _read(self) -> Block | None:
        """Read and return one more possible start of a block; return None at the end of the text."""
        if found := next(self._reading, None):
            self._ahead.append(found)
        return found

    def _stop(self, block: Block) -> int:
        """Return the maximum end of ``block``: the offset of the first block that it cannot contain."""
        for other in chain(self._ahead, iter(self._read, None)):
            if not block.contains(other):
                return other.start
        return self.size

    def _beginnings(self) -> Iterator[Block]:
        """Yield each possible start of a block. The closing brace of the block is set later, when it is read."""
        # '@misc{a, title = {T}}': a has depth 0 and its body depth 1. The two closing braces are one token that goes
        # from depth 2 to 0, so the second one closes a.
        text = self._text
        count = depth = 0
        unclosed: list[Block] = []
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
                start, parenthesis = match.start(), match[2] == "("
                before = _line_before(text, start)
                on_new_line = not before.strip(" \t\n}")
                is_plausible = on_new_line or before.rstrip().endswith(("}", ")", ",", '"'))
                if (parenthesis or not match[1]) and not is_plausible:
                    depth += not parenthesis
                    continue
                if too_many(count, start):
                    self.size = start
                    return
                count += 1
                quoted = bool(unclosed) and unclosed[-1].depth + 1 == depth and unclosed[-1].quotes % 2 == 1
                commented = before.lstrip().startswith("%")
                kind, inside = match[1].lower(), match.end()
                beginning = Block(start, kind, inside, depth, parenthesis, on_new_line, commented, quoted)
                if not parenthesis:
                    unclosed.append(beginning)
                    depth += 1
                yield beginning


def _line_before(text: str, start: int) -> str:
    """Return the text before the offset ``start`` in its line. A long text is shortened to an ``x`` and its end."""
    line = text.rfind("\n", max(0, start - _LONGEST_INDENT), start) + 1
    return text[line:start] if line or start < _LONGEST_INDENT else "x" + text[start - _LONGEST_INDENT : start]


def _behind_stray_brace(text: str, end: int, stop: int) -> int:
    """Return ``end``, the offset of a closing brace, or if more fields follow, the offset of the last brace."""
    last = text.rfind("}", end + 1, stop) if _MORE_FIELDS.match(text, end + 1, stop) else -1
    return last if last >= 0 else end


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
