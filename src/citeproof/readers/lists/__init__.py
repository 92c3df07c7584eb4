"""Find reference lists among lines of text, split the lists into entries, and join the lines of
each entry.
"""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

_ADDRESS = re.compile(r"(?:https?:/?/?|www\.|doi[:.]|\b10\.\d{4,9}/|arxiv\.)\S*$", re.IGNORECASE)
_ADDRESS_GOES_ON = re.compile(r"\S*[\d/._%=&?#-]\S*|[a-z0-9]\S*")
_BEHIND_HYPHEN_LIST = """
agnostic augmented aware based centered centric conditioned constrained domain driven enhanced
enriched free grained guided informed invariant label language learning level object oriented
preserving resolution resource scale specific trained training tuning
"""
_BEHIND_HYPHENS = frozenset(_BEHIND_HYPHEN_LIST.split())
"""Words that often follow a hyphen, such as ``enhanced`` in ``context-enhanced``."""
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PLAIN_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
"""Regex for a word in lower-case ASCII text. It finds the same words as ``_WORD``, but is
faster.
"""


class Line(NamedTuple):
    """A line of a PDF page or of a text file. Lengths are in points for a PDF, and in characters
    for a text file.
    """

    text: str
    number: int  # page number in a PDF, or line number in a text file, counted from 1
    left: float = 0.0  # left edge; in a text file, the number of leading spaces
    right: float = 0.0
    bottom: float = 0.0  # distance from the bottom of the page
    height: float = 1.0  # height of the line, which grows with the font size
    column: int = 0  # column of the page, counted from 0
    # whether the line ends with a hyphen, either of a compound word or of a word divided there
    broken_word: bool = False
    link: str = ""  # URL of the DOI or arXiv paper to which a hyperlink in the line leads


def vocabulary(lines: Sequence[Line]) -> set[str]:
    """Return the words of ``lines`` in lower case. Words that are divided at the end of a line are
    left out.
    """
    words: set[str] = set()
    goes_on = False
    for line in lines:
        text = line.text
        found = (
            _PLAIN_WORD.findall(text.lower())
            if text.isascii()
            else list(map(str.lower, _WORD.findall(text)))
        )
        broken = line.broken_word or text.endswith("-")
        words.update(found[goes_on : len(found) - broken])
        goes_on = broken
    return words


def join_lines(lines: Sequence[Line], known_words: Collection[str] = ()) -> str:
    """Join ``lines`` into one text.

    ``known_words`` are the words of the paper. A hyphen at a line end is kept if they suggest a
    compound.

    >>> from citeproof.readers.lists import Line
    >>> lines = [Line("A citation-", 1, broken_word=True), Line("enhanced index", 1)]
    >>> join_lines(lines, {"citation", "enhanced"})
    'A citation-enhanced index'
    """
    finished: list[str] = []
    tail = ""
    for line in lines:
        tail = _joined(tail, line.text, known_words) if tail else line.text
        if line.broken_word:
            tail = tail.rstrip("-") + "-"
        # Only the last word can continue on the next line; the words before it are complete.
        before, _, tail = tail.rpartition(" ")
        finished.append(before)
    return " ".join(" ".join([*finished, tail]).split())


def _joined(text: str, following: str, known_words: Collection[str]) -> str:
    is_divided = text.endswith("-") and text != "-"
    if address := _ADDRESS.search(text):
        is_whole = _continues(address[0], following)
    elif is_divided and not following[:1].isdigit():
        return _made_whole(text[:-1], following, known_words)
    else:
        is_whole = following[:1].isdigit() and (is_divided or text.endswith(("–", "/")))
    return text + following if is_whole else f"{text} {following}"


def goes_on(text: str, following: str) -> bool:
    """Return whether ``text`` ends with a URL that continues on the line ``following``."""
    address = _ADDRESS.search(text)
    return address is not None and _continues(address[0], following)


def _continues(address: str, following: str) -> bool:
    word = following.split(maxsplit=1)[0] if following.split() else ""
    if address.endswith(("/", "-", "_", "=", "&", "?", ":", "%", "#")):
        return True
    if address.endswith("."):
        return bool(re.match(r"(?![a-z]+[,.]?$)[a-z0-9]", word))
    return bool(
        re.match(r"(?!\(?\d{4}\)?[.,]?$)(?=\S*[\d/_%=])", word) and _ADDRESS_GOES_ON.fullmatch(word)
    )


def _made_whole(text: str, following: str, known_words: Collection[str]) -> str:
    """Join ``text``, which ends in a word that was divided by a hyphen, and ``following``, the text
    of the next line. ``text`` lacks the hyphen. It is added again in compounds such as
    ``citation-enhanced``.

    ``known_words`` are the words of the paper, which help to recognise compounds.
    """
    before, after = re.search(r"[^\W_]+$", text), re.match(r"[^\W_]+", following)
    first, second = before[0] if before else "", after[0] if after else ""
    is_compound = f"{first}{second}".lower() not in known_words and (
        f"{first}-{second}".lower() in known_words
        or second[:1].isupper()
        or (second in _BEHIND_HYPHENS and len(first) > 1)
        or (
            len(first) > 2
            and len(second) > 2
            and first.lower() in known_words
            and second.lower() in known_words
        )
    )
    return f"{text}-{following}" if is_compound or not first or not second else text + following
