"""Split a ``.bib`` file into blocks, ``@type{...}`` or ``@type(...)``, in one pass over its braces.

A block ends at its closing brace or parenthesis. If the closing brace is missing, the block ends
before the next block. The brace is assumed to be missing if another block begins inside the block,
on a new line and outside field values.
"""
# Example:                            beginnings: depth  end             blocks
#   @misc{a, title = {Open}, {        a           0      none            a: to the @ of b, not
#   closed
#   @misc{b, title = {Shut}}          b           2      its last brace  b: to its last brace,
#   closed
# The brace after "Open}," is never closed, so a has no end. It is ended before b, because b begins
# on a new line and outside quotation marks.

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from citeproof.model.reference import Span
from citeproof.readers.fields.document_entries import too_many

_TOKEN = re.compile(
    r"(?:(?:\{[^{}@]*+(?:\{[^{}@]*+\}[^{}@]*+)*+\}|"
    r'"[^{}@"]*+(?:\{[^{}@]*+\}[^{}@"]*+)*+")[^{}@"]*+)++'
    r'|\{+|\}+|"|(?<![\w\\])@\s*+([\w.:*+-]*+)\s*+([{(])'
)
"""Regex for the tokens of a ``.bib`` file: ``@type{``, braces, a quotation mark, or a whole value
that has no ``@``.
"""
# maximum number of characters before a block, in its line, that are examined
_LONGEST_INDENT = 200
_MORE_FIELDS = re.compile(r"\s*(?:,\s*)?[A-Za-z][\w-]*\s*=\s*[{\"0-9]")
_PAREN_END = re.compile(r'[{}"()]')


@dataclass(slots=True)
class Block:
    """An ``@type{...}`` block of a ``.bib`` file. When it is made, only its beginning is known."""

    start: int  # offset of the ``@``
    kind: str  # type of the entry in lower case, such as ``article``
    inside: int  # offset of :attr:`body`, after the opening brace or parenthesis
    depth: int  # number of open braces before the block
    parenthesis: bool  # whether the body is in parentheses
    on_new_line: bool  # whether only white space and closing braces precede the block in its line
    commented: bool  # whether the line of the block begins with ``%``
    quoted: bool  # whether the block starts inside a quoted value of the enclosing block
    quotes: int = 0  # number of quotation marks in the body, except inside braces
    closing: int = -1  # offset of the closing brace or parenthesis, or -1
    end: int = -1  # offset after the last character of the block
    body: str = ""
    closed: bool = False
    key: str = ""
    # code of the diagnostic, such as ``bibtex.no_fields``, if the block is not a reference
    code: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    # map from field names to the offsets of their values
    spans: Mapping[str, Span] = field(default_factory=dict)

    def contains(self, other: Block) -> bool:
        """Whether the block ``other``, which begins later, is only text inside this block. If not,
        this block ends before ``other``.
        """
        between_fields = other.depth <= self.depth + 1 and not other.quoted
        if self.closing < 0:
            return not (other.on_new_line or between_fields)
        return other.start < self.closing and not (other.on_new_line and between_fields)


class Blocks:
    """Iterates over the blocks of a BibTeX text. The text is read only as far as the next block
    requires.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        # offset at which reading ends: the end of the text, or earlier if the entries are too many
        self.size = len(text)
        self._reading = self._beginnings()
        # blocks that begin after the current block and were already found
        self._ahead = deque[Block]()

    def __iter__(self) -> Iterator[Block]:
        while block := self._ahead.popleft() if self._ahead else next(self._reading, None):
            while block.closing < 0 and not block.parenthesis and self._read():
                pass
            stop = self._stop(block)
            if block.parenthesis:
                block.closing = _closing_parenthesis(self._text, block.inside, stop)
            block.closed = 0 <= block.closing < stop
            inner_end = (
                _behind_stray_brace(self._text, block.closing, stop) if block.closed else stop
            )
            block.end = inner_end + block.closed
            block.body = self._text[block.inside : inner_end]
            while self._ahead and self._ahead[0].start < block.end:
                self._ahead.popleft()
            yield block

    def _read(self) -> Block | None:
        """Find the next beginning of a block, append it to ``_ahead`` and return it. Return None at
        the end of the text.
        """
        if found := next(self._reading, None):
            self._ahead.append(found)
        return found

    def _stop(self, block: Block) -> int:
        """Return the offset at which ``block`` must end at the latest: the start of the next block
        that is not inside ``block``.
        """
        for other in chain(self._ahead, iter(self._read, None)):
            if not block.contains(other):
                return other.start
        return self.size

    def _beginnings(self) -> Iterator[Block]:
        """Yield a :class:`Block` for each ``@type{``. Its attribute ``closing`` is set later."""
        # '@misc{a, title = {T}}': a has depth 0 and its body depth 1. The two closing braces are
        # one token that goes from depth 2 to 0, so the second one closes a.
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
                quoted = (
                    bool(unclosed)
                    and unclosed[-1].depth + 1 == depth
                    and unclosed[-1].quotes % 2 == 1
                )
                commented = before.lstrip().startswith("%")
                kind, inside = match[1].lower(), match.end()
                beginning = Block(
                    start, kind, inside, depth, parenthesis, on_new_line, commented, quoted
                )
                if not parenthesis:
                    unclosed.append(beginning)
                    depth += 1
                yield beginning


def _line_before(text: str, start: int) -> str:
    """Return the text before ``start`` in its line. If it is longer than 200 characters, return
    ``x`` and the last 200 characters.
    """
    line = text.rfind("\n", max(0, start - _LONGEST_INDENT), start) + 1
    return (
        text[line:start]
        if line or start < _LONGEST_INDENT
        else "x" + text[start - _LONGEST_INDENT : start]
    )


def _behind_stray_brace(text: str, end: int, stop: int) -> int:
    """Return the offset of the brace that closes an entry. ``end`` is the offset of its first
    closing brace, and ``stop`` the offset at which the entry must end at the latest.

    The result is ``end``, unless further fields and another closing brace follow. Then the entry
    has a superfluous brace, and the result is the offset of the last brace.
    """
    # ``@misc{k, title = {T}}, year = 1999}`` ends at the last brace. If a stray line
    # ``doi = {10.1/x}`` follows ``@misc{k, title = {T}}``, the entry ends at its own brace.
    if not _MORE_FIELDS.match(text, end + 1, stop):
        return end
    last = text.rfind("}", end + 1, stop)
    return last if text.count("}", end + 1, stop) > text.count("{", end + 1, stop) else end


def _closing_parenthesis(text: str, start: int, stop: int) -> int:
    """Return the offset of the parenthesis that closes ``@type(``, or -1 if there is none between
    ``start`` and ``stop``. Parentheses in braces and in quoted values are skipped.
    """
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
