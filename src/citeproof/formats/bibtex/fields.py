"""What an entry holds: its key and its fields, read with tolerance and never losing what follows.

Where BibTeX would stop, the reading goes on as the writer most likely meant it: a missing comma, a missing
``#``, a second comma, a comment line, quotes inside a quoted value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.models import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

MACROS = {
    "jan": "January", "feb": "February", "mar": "March", "apr": "April", "may": "May", "jun": "June",
    "jul": "July", "aug": "August", "sep": "September", "oct": "October", "nov": "November", "dec": "December",
    "acmcs": "ACM Computing Surveys", "acta": "Acta Informatica", "cacm": "Communications of the ACM",
    "ibmjrd": "IBM Journal of Research and Development", "ibmsj": "IBM Systems Journal",
    "ieeese": "IEEE Transactions on Software Engineering", "ieeetc": "IEEE Transactions on Computers",
    "ieeetcad": "IEEE Transactions on Computer-Aided Design of Integrated Circuits",
    "ipl": "Information Processing Letters", "jacm": "Journal of the ACM",
    "jcss": "Journal of Computer and System Sciences", "scp": "Science of Computer Programming",
    "sicomp": "SIAM Journal on Computing", "tocs": "ACM Transactions on Computer Systems",
    "tods": "ACM Transactions on Database Systems", "tog": "ACM Transactions on Graphics",
    "toms": "ACM Transactions on Mathematical Software", "toois": "ACM Transactions on Office Information Systems",
    "toplas": "ACM Transactions on Programming Languages and Systems", "tcs": "Theoretical Computer Science",
}  # fmt: skip
"""The macros that the standard styles define (``plain.bst``)."""

_PEOPLE = frozenset({"author", "editor"})
"""Where the name of an undefined macro would be taken for a person's."""

MACRO_LENGTH = 2000
"""Longest expansion of a macro in characters; a longer one would let a small file fill the memory."""

_HEAD = re.compile(r"[^,=]*")
_AROUND_KEY = ' \t\n{}"'
_GAP = re.compile(r"(?:[\s,]+|%[^\n]*(?:\n|$))*")
_COMMENT = re.compile(r"%[^\n]*\n")
_NAME = re.compile(r"([^\W\d][^\s=,{}\"#%()\\]*)\s*=")
_NAME_BEFORE_VALUE = re.compile(r"([^\W\d][^\s=,{}\"#%()\\]*)\s*(?:=|(?=[{\"]))")
"""Also where the ``=`` is forgotten."""
_BLANK = re.compile(r"\s*")
_SIMPLE = re.compile(r"\{([^{}]*)\}")
_BRACE = re.compile(r"[{}]")
_QUOTE = re.compile(r'[{}"]')
_AFTER_QUOTE = re.compile(r"\s*(?:%[^\n]*\n\s*)?(?:[,#)}]|$|[A-Za-z_][\w:.+*/-]*\s*=)")
_WORD = re.compile(r"[^\s,#{}\"=]+")


class UnclosedQuoteError(ValueError):
    """A value opens with a quotation mark that never closes."""


@dataclass(frozen=True, slots=True)
class Part:
    """One operand of ``#``: text, or the name of a macro."""

    text: str
    is_macro: bool
    joined: bool
    """A ``#`` stands before it; otherwise a comma or an operator was forgotten and a space stands for it."""


def read_key(body: str) -> tuple[str, int]:
    """Return an entry's key and where its fields begin; the key is empty where a field comes first."""
    head = _HEAD.match(body)
    assert head is not None
    if head.end() == len(body) or body[head.end()] == ",":
        return head[0].strip(_AROUND_KEY), head.end() + 1
    words = head[0].rsplit(None, 1)
    if len(words) == 2:
        return words[0].strip(_AROUND_KEY), body.index(words[1], len(words[0]))
    return "", 0


def read_fields(body: str, position: int, macros: Mapping[str, str]) -> tuple[dict[str, str], dict[str, Span]]:
    """Return the fields of ``body`` from ``position`` on, and where in it their values stand.

    Names are in lower case; the first of two alike counts. In ``k, year = {2001},`` the value is ``2001`` and stands
    at 10 to 16, its braces included.

    Raises:
        UnclosedQuoteError: a value's quotation mark never closes.
    """
    fields: dict[str, str] = {}
    spans: dict[str, Span] = {}
    while position < len(body):
        gap = _GAP.match(body, position)
        position = gap.end() if gap else position
        name = _NAME_BEFORE_VALUE.match(body, position)
        if not name:
            position = _next_field(body, position)
            continue
        start = _skip_blank(body, name.end())
        parts, end, position = _read_value(body, start)
        if not fields.get(key := name[1].lower()):
            unknown = len(parts) == 1 and parts[0].is_macro and parts[0].text.lower() not in macros
            fields[key] = "" if unknown and key in _PEOPLE else expand(parts, macros)
            spans[key] = Span(start, max(start, _without_blank(body, end)))
    return fields, spans


def expand(parts: list[Part], macros: Mapping[str, str]) -> str:
    """Return the value that ``parts`` make; an undefined macro stays visible as its name."""
    texts: list[str] = []
    for part in parts:
        if not part.joined and texts:
            texts.append(" ")
        texts.append(macros.get(part.text.lower(), part.text) if part.is_macro else part.text)
    return "".join(texts)


def _next_field(body: str, position: int) -> int:
    """Return where reading goes on behind something that is no field."""
    comma = body.find(",", position)
    return len(body) if comma < 0 else comma + 1


def _read_value(body: str, position: int) -> tuple[list[Part], int, int]:
    """Return the operands of a value, where the last one ends, and where reading goes on.

    A comment behind a value reaches to the end of its line: ``year = {2001} % checked``.
    """
    parts: list[Part] = []
    joined = True
    end = position
    while True:
        position = _skip_blank(body, position)
        if position >= len(body) or body[position] == ",":
            return parts, end, position
        sign = body[position]
        if parts and (comment := _COMMENT.match(body, position)):
            position = comment.end()
            continue
        if sign == "#":
            joined, position = True, position + 1
            continue
        if parts and not joined and _NAME.match(body, position):
            return parts, end, position
        if sign == "{":
            text, position = _read_braced(body, position)
            parts.append(Part(text, is_macro=False, joined=joined))
        elif sign == '"':
            text, position = _read_quoted(body, position)
            parts.append(Part(text, is_macro=False, joined=joined))
        elif word := _WORD.match(body, position):
            position = word.end()
            parts.append(Part(word[0], is_macro=not word[0].isdigit(), joined=joined))
        else:
            position += 1
        joined, end = False, position


def _skip_blank(body: str, position: int) -> int:
    blank = _BLANK.match(body, position)
    return blank.end() if blank else position


def _without_blank(body: str, end: int) -> int:
    """Return where what stands before ``end`` ends without the white space behind it."""
    while end and body[end - 1].isspace():
        end -= 1
    return end


def _read_braced(body: str, position: int) -> tuple[str, int]:
    if simple := _SIMPLE.match(body, position):
        return simple[1], simple.end()
    depth = 0
    for match in _BRACE.finditer(body, position):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return body[position + 1 : match.start()], match.end()
    return body[position + 1 :], len(body)


def _read_quoted(body: str, position: int) -> tuple[str, int]:
    """Read to the quotation mark, outside braces, behind which the entry can go on."""
    depth = 0
    for match in _QUOTE.finditer(body, position + 1):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
        elif depth <= 0 and _AFTER_QUOTE.match(body, match.end()):
            return body[position + 1 : match.start()], match.end()
    raise UnclosedQuoteError
