"""Text as LaTeX writes it, in ASCII: the way back from :mod:`citeproof.text.latex`.

``Müller & Sons`` becomes ``M{\\"u}ller \\& Sons``. A character that no table of
:mod:`citeproof.text.latex_tables` knows stays as it is: today's LaTeX reads UTF-8.
"""

from __future__ import annotations

import unicodedata

from citeproof.text.latex_tables import ACCENTS, LETTERS

_SIGNS = {
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "–": "--", "—": "---", "“": "``", "”": "''", "‘": "`",
    "’": "'", "\u00a0": "~", "\u2010": "-", "\u2011": "-",
}  # fmt: skip
"""What means something to LaTeX, and what it writes with ASCII signs."""
_PLAIN = {sign: text for sign, text in _SIGNS.items() if sign.isascii()}
_COMMAND_OF = {letter: command for command, letter in reversed(LETTERS.items()) if not letter.isascii()}
_ACCENT_OF = {mark: command for command, mark in reversed(ACCENTS.items()) if len(command) == 1}


def latex_of(text: str, *, ascii_only: bool = True) -> str:
    """Return ``text`` so that LaTeX prints it; with ``ascii_only`` accented letters become commands."""
    if not ascii_only:
        return "".join(_PLAIN.get(char, char) for char in text)
    return "".join(_written(char) for char in unicodedata.normalize("NFC", text))


def _written(char: str) -> str:
    if char in _SIGNS:
        return _SIGNS[char]
    if char.isascii():
        return char
    if command := _COMMAND_OF.get(char):
        return f"{{\\{command}}}"
    letter, *marks = list(unicodedata.normalize("NFD", char))
    if len(marks) == 1 and letter.isascii() and (accent := _ACCENT_OF.get(marks[0])):
        return f"{{\\{accent}{{{letter}}}}}" if accent.isalpha() else f"{{\\{accent}{letter}}}"
    return char
