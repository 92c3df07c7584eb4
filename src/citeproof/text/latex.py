"""Convert LaTeX in field values to text, and text to LaTeX.

LaTeX is converted in one pass over its tokens, without recursion and in linear time. The conversion
never fails: an unknown command is replaced by the words of its argument.
"""

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

_TABLES: dict[str, Any] = json.loads(Path(__file__).with_name("latex.json").read_text("utf-8"))
"""Tables of LaTeX commands and the text that replaces them.

Sources: L. Lamport, *LaTeX*, tables 3.1-3.7 (accents, letters, Greek, operators, relations,
arrows); S. Pakin, *The Comprehensive LaTeX Symbol List*, tables 1-24 (text-mode symbols).
"""
# map from an accent's command to a combining character
_ACCENTS: dict[str, str] = _TABLES["accents"]
_LETTERS: dict[str, str] = _TABLES["letters"]
"""Map from a command, without its backslash, to a character: ``ss`` to ``ß``.

White space after these commands is removed, as in LaTeX.
"""
_SYMBOLS: dict[str, str] = _TABLES["symbols"]
"""Map from a command, without its backslash, to a symbol: ``leq`` to ``≤``.

White space after these commands becomes one space.
"""
# map from escaped character to replacement: ``,`` to a space
_ESCAPES: dict[str, str] = _TABLES["escapes"]
_VERBATIM = frozenset(_TABLES["verbatim"])  # commands whose argument is not LaTeX, such as ``\url``
_DROPPED_ARGUMENTS: dict[str, int] = _TABLES["dropped_arguments"]
"""Map from a command to the number of its first arguments that are removed: 1 for ``textcolor``,
whose first argument is a color.
"""
_SEPARATED_ARGUMENTS: dict[str, str] = _TABLES["separated_arguments"]
"""Map from a command with two arguments to the text that is written between them: ``/`` for
``frac``.
"""
_DECLARATIONS = frozenset(_TABLES["declarations"])
"""Commands that only change how text looks, such as ``textbf``. They are removed, and their
arguments are kept.
"""
_WRITTEN = {
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "–": "--",
    "—": "---",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "\u00a0": "~",
    "\u2010": "-",
    "\u2011": "-",
}
"""Map from a character to its LaTeX code, for special characters such as ``&`` and for punctuation
that LaTeX writes in ASCII.
"""
_PLAIN = {sign: text for sign, text in _WRITTEN.items() if sign.isascii()}
_COMMAND_OF = {
    letter: command for command, letter in reversed(_LETTERS.items()) if not letter.isascii()
}
_ACCENT_OF = {mark: command for command, mark in reversed(_ACCENTS.items()) if len(command) == 1}
_SIGNS = re.compile(r"[\\{}$~]")
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
_LIGATURES = {"---": "—", "--": "–", "?`": "¿", "!`": "¡", "``": "“", "''": "”", "~": " "}
"""Map from punctuation in TeX, such as ``--``, to a character. Longer keys come first."""
_COMMAND = re.compile(r"[\\$_^]")  # regex for the first character of a command or formula
_BRACED = re.compile(r"\s*\{([^{}]*)\}")
_GROUPS = re.compile(r"(?:\{[^{}]{0,60}\}){1,4}")  # regex for one to four arguments in braces
_SPACES = re.compile(r"[ \t\n\r\f\v]{2,}|[\t\n\r\f\v]")
_DOTLESS = {"ı": "i", "ȷ": "j"}
_MAX_MARKS = 4


def latex_of(text: str, *, ascii_only: bool = True) -> str:
    """Return LaTeX code for ``text``: ``M{\\"u}ller \\& Sons`` for ``Müller & Sons``.

    Characters without a LaTeX command stay. If ``ascii_only`` is false, all characters outside of
    ASCII stay.
    """
    if not ascii_only:
        return "".join(_PLAIN.get(char, char) for char in text)
    return "".join(_written(char) for char in unicodedata.normalize("NFC", text))


def _written(char: str) -> str:
    if char in _WRITTEN:
        return _WRITTEN[char]
    if char.isascii():
        return char
    if command := _COMMAND_OF.get(char):
        return f"{{\\{command}}}"
    letter, *marks = list(unicodedata.normalize("NFD", char))
    if len(marks) == 1 and letter.isascii() and (accent := _ACCENT_OF.get(marks[0])):
        return f"{{\\{accent}{{{letter}}}}}" if accent.isalpha() else f"{{\\{accent}{letter}}}"
    return char


def latex_to_text(text: str) -> str:
    """Return ``text`` with LaTeX commands replaced by text: ``M{\\"u}ller`` becomes ``Müller``.

    Never raises.

    An accent and its letter become one character (NFC), and commands for symbols become symbols.
    Formatting commands, braces, and the signs ``$``, ``^`` and ``_`` of formulas are removed. An
    unknown command is replaced by its first argument or, without arguments, by its name. Several
    white space characters become one space.
    """
    # ``in`` finds a pair of characters four times as fast as a regex.
    if not (
        _SIGNS.search(text)
        or "--" in text
        or "``" in text
        or "''" in text
        or "?`" in text
        or "!`" in text
    ):
        return text
    if _COMMAND.search(text):
        text = _Decoder(text).decode()
    else:
        if "-" in text or "'" in text or "`" in text or "~" in text:
            for written, letter in _LIGATURES.items():
                text = text.replace(written, letter)
        text = text.replace("{", "").replace("}", "")
    return (_SPACES.sub(" ", text) if "  " in text or not text.isprintable() else text).strip()


class _Decoder:
    """Converts one text from LaTeX.

    It stores the output, the open braces, and the accents and commands whose argument has not been
    read yet.

    Example: In ``M{\\"u}ller`` the brace opens a group. ``\\"`` appends U+0308 to :attr:`_marks`,
    which makes ``ü`` of ``u``. In ``\\frac{1}{2}``, the command appends ``/`` to
    :attr:`_arguments`. The ``/`` is written after the first argument: ``1/2``. ``\\textcolor``
    appends None, which deletes the first argument of ``\\textcolor``.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._out: list[str] = []
        self._groups: list[tuple[int, str | None, list[str | None]]] = []
        """For each open brace: the start of the group in ``_out``, the text to add after the group,
        and the ``_arguments`` of the enclosing group.
        """
        self._marks: list[str] = []
        """Accents whose letter has not been read yet. The last accent is the one next to the
        letter.
        """
        self._arguments: list[str | None] = []
        """Texts to write after the next arguments, in reverse order. None deletes an argument."""
        self._math = False
        self._dollars = text.count("$") - text.count("\\$")

    def decode(self) -> str:
        position = 0
        while match := _TOKEN.match(self._text, position):
            kind, position = match.lastgroup, match.end()
            if kind == "brace":
                self._open() if match["brace"] == "{" else self._close()
            elif kind == "math":
                self._dollar(match["math"])
            elif kind == "sign":
                self._sign(match["sign"])
            elif kind == "space":
                position = self._word(match["word"], match["space"], position)
            elif kind != "script" or not self._math:
                self._plain(_LIGATURES.get(match[0], match[0]))
        self._finish_marks()
        return "".join(self._out)

    def _plain(self, text: str) -> None:
        if not (self._marks or self._arguments):
            if self._groups and self._groups[-1][0] == len(self._out):
                # The first letter is stored as a separate string. A later step can then change it
                # without copying a long text.
                self._out.append(text[0])
                text = text[1:]
            self._out.append(text)
            return
        text = text.lstrip()
        if not text:
            return
        after = self._arguments.pop() if self._arguments else ""
        if after is not None:
            self._out.append(self._accented(text[0]) + after)
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
        r"""Write an accent without a letter as a character: ``~`` for ``\~{}`` and ``^`` for
        ``\^{}``.
        """
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
        if sign in _ACCENTS:
            self._marks.append(_ACCENTS[sign])
        elif sign in "()[]":
            self._math = sign in "(["
        elif replacement := _ESCAPES.get(sign, sign):
            self._plain(replacement)

    def _word(self, word: str, space: str, position: int) -> int:
        """Convert the command ``word``, which the white space ``space`` follows up to ``position``.
        Return the position at which the conversion of the text continues.
        """
        if word in _ACCENTS and (
            self._text[position : position + 1].isalpha()
            or self._text.startswith(("{", "\\"), position)
        ):
            self._marks.append(_ACCENTS[word])
        elif word in _LETTERS:
            self._plain(_LETTERS[word])
        elif word in _SYMBOLS:
            self._plain(_SYMBOLS[word] + (" " if space else ""))
        elif word in _VERBATIM and (argument := _BRACED.match(self._text, position)):
            self._out.append(argument[1].replace("\\", ""))
            return argument.end()
        elif word in _DROPPED_ARGUMENTS:
            self._arguments = (
                [None] * _DROPPED_ARGUMENTS[word] if self._text.startswith("{", position) else []
            )
        elif word in _SEPARATED_ARGUMENTS:
            self._arguments = [_SEPARATED_ARGUMENTS[word]]
        elif word not in _DECLARATIONS and not self._text.startswith("{", position):
            self._plain(word + (" " if space else ""))
        elif word not in _DECLARATIONS and (groups := _GROUPS.match(self._text, position)):
            # number of arguments: three in ``\\van{Gemund}{Van}{van}``
            arguments = groups[0].count("{")
            self._arguments = [*[None] * (arguments - 1), ""]
            first = groups[0][1:].partition("}")[0]
            if arguments == 3 and self._text[groups.end() :].lstrip("~ ").startswith(first or "}"):
                # In ``\\VAN{Hasselt}{Van}{van}~Hasselt`` the first argument is only for sorting.
                self._arguments = [None, "", None]
        return position
