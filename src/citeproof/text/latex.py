"""LaTeX in field values, as text: accents, symbols, groups, formatting commands.

One pass over the tokens, without recursion, in time linear in the text, and without failing: what
is not understood comes back as the words it holds.
"""

from __future__ import annotations

import re
import unicodedata

from citeproof.text.latex_tables import (
    ACCENTS,
    DECLARATIONS,
    DROPPED_ARGUMENTS,
    ESCAPES,
    LETTERS,
    SEPARATED_ARGUMENTS,
    SYMBOLS,
    VERBATIM,
)

_LATEX = re.compile(r"[\\{}$~]|--|``|''|[?!]`")
"""What makes a text worth a pass."""

_TOKEN = re.compile(
    r"""
      \\(?P<word>[A-Za-z@]+)\*?(?P<option>\[[^][{}\\$]{0,80}\](?={))?(?P<space>[ \t\n]*)
    | \\(?P<sign>.)
    | (?P<brace>[{}])
    | (?P<math>\$\$?)
    | (?P<script>[_^])
    | (?P<ligature>---?|``|''|[?!]`|~)
    | (?P<text>[^\\{}$_^~`'?!-]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", "~": " ", "?`": "¿", "!`": "¡"}
_BRACED = re.compile(r"\s*\{([^{}]*)\}")
_SPACES = re.compile(r"[ \t\n\r\f\v]{2,}|[\t\n\r\f\v]")
_DOTLESS = {"ı": "i", "ȷ": "j"}
_MAX_MARKS = 4


def latex_to_text(text: str) -> str:
    """Return ``text`` with its LaTeX resolved; what is not LaTeX comes back unchanged.

    Accents compose (NFC), symbol commands become their character, formatting commands and braces
    leave their argument, ``$`` goes and with it the signs of super- and subscripts, an unknown
    command leaves its argument or, without one, its name. Where LaTeX was found, runs of white
    space become one space. Never raises.
    """
    if not _LATEX.search(text):
        return text
    decoder = _Decoder(text)
    return _SPACES.sub(" ", decoder.decode()).strip()


class _Decoder:
    """The state of one pass: the text so far, the open groups, and what awaits its argument."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._out: list[str] = []
        self._groups: list[tuple[int, str | None, list[str | None]]] = []
        """For each open group: where its text begins, what follows it, what is awaited behind it."""
        self._marks: list[str] = []
        """Accents that await their letter, innermost last."""
        self._arguments: list[str | None] = []
        """What follows each argument that is awaited, last first; None drops the argument."""
        self._math = False
        self._dollars = text.count("$") - text.count("\\$")

    def decode(self) -> str:
        position = 0
        while match := _TOKEN.match(self._text, position):
            kind, position = match.lastgroup, match.end()
            if kind == "text":
                self._plain(match["text"])
            elif kind == "brace":
                self._open() if match["brace"] == "{" else self._close()
            elif kind == "math":
                self._dollar(match["math"])
            elif kind == "script":
                if not self._math:
                    self._plain(match["script"])
            elif kind == "ligature":
                self._plain(_LIGATURES[match["ligature"]])
            elif kind == "sign":
                self._sign(match["sign"])
            else:
                position = self._word(match["word"], match["space"], position)
        self._finish_marks()
        return "".join(self._out)

    def _plain(self, text: str) -> None:
        if not (self._marks or self._arguments):
            if self._groups and self._groups[-1][0] == len(self._out):
                # The first letter stands alone, so that no later step copies a long text for its sake.
                self._out.append(text[0])
                text = text[1:]
            self._out.append(text)
            return
        text = text.lstrip()
        if not text:
            return
        if self._arguments:
            after = self._arguments.pop()
            if after is not None:
                self._out.append(self._accented(text[0]) + after)
        else:
            self._out.append(self._accented(text[0]))
        self._out.append(text[1:])

    def _accented(self, letter: str) -> str:
        if not self._marks:
            return letter
        marks = "".join(reversed(self._marks[-_MAX_MARKS:]))
        self._marks.clear()
        return unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + marks)

    def _open(self) -> None:
        after = self._arguments.pop() if self._arguments else ""
        self._groups.append((len(self._out), after, self._arguments))
        self._arguments = []

    def _close(self) -> None:
        self._finish_marks()
        if not self._groups:
            return
        start, after, self._arguments = self._groups.pop()
        if after is None:
            del self._out[start:]
        elif after:
            self._out.append(after)

    def _finish_marks(self) -> None:
        """An accent without a letter: ``\\~{}`` and ``\\^{}`` are how people write the sign itself."""
        if self._marks:
            self._out.append({"\u0303": "~", "\u0302": "^"}.get(self._marks[-1], ""))
            self._marks.clear()

    def _dollar(self, dollars: str) -> None:
        if self._dollars < 2 and not self._math:
            self._plain(dollars)
            return
        self._dollars -= len(dollars)
        self._math = not self._math

    def _sign(self, sign: str) -> None:
        if sign in ACCENTS:
            self._marks.append(ACCENTS[sign])
        elif sign in "()[]":
            self._math = sign in "(["
        else:
            replacement = ESCAPES.get(sign, sign)
            if replacement:
                self._plain(replacement)

    def _word(self, word: str, space: str, position: int) -> int:
        """Take one command and return where to go on."""
        if word in ACCENTS and (self._text[position : position + 1].isalpha() or self._at(position, "{\\")):
            self._marks.append(ACCENTS[word])
        elif word in LETTERS:
            self._plain(LETTERS[word])
        elif word in SYMBOLS:
            self._plain(SYMBOLS[word] + (" " if space else ""))
        elif word in VERBATIM and (argument := _BRACED.match(self._text, position)):
            self._out.append(argument[1].replace("\\", ""))
            return argument.end()
        elif word in DROPPED_ARGUMENTS:
            self._arguments = [None] * DROPPED_ARGUMENTS[word] if self._at(position, "{") else []
        elif word in SEPARATED_ARGUMENTS:
            self._arguments = [SEPARATED_ARGUMENTS[word]]
        elif word not in DECLARATIONS and not self._at(position, "{"):
            self._plain(word + (" " if space else ""))
        return position

    def _at(self, position: int, signs: str) -> bool:
        return position < len(self._text) and self._text[position] in signs
