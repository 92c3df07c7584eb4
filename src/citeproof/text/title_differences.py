"""Compare titles word by word, and find out which differences also occur between correct references
and their records.

``Supervised`` and ``Unsupervised learning of visual features`` have a similarity of 0.97 but are
titles of two works. Titles in correct references differ from the record in function words, plurals,
British spelling, hyphens, a missing subtitle or a single typo in a long word. If any other word
differs, the titles are those of two works.
"""

import re
from collections.abc import Callable, Mapping

from anyascii import anyascii
from rapidfuzz.distance import Indel, LCSseq, Postfix, Prefix

from citeproof.text.normalize import plain_text
from citeproof.text.spelling import is_misspelling, is_typo, lemma, words_spelled_out
from citeproof.text.title_words import ARTICLES, FUNCTION_WORDS, Words, title_form, title_words

# words that may be missing in one of two titles of the same work
_DROPPED = FUNCTION_WORDS | {"part"}
LOST_SIGN = re.compile(r"\s-\w|\(\s*\)|<\w+>|\s[,;:]")
"""Regex for the gap that a lost character leaves in the title of a record: two spaces or a hyphen
after a space in ``the Euclidean -dimensional Voronoi diagram``.
"""
_LONG_WORD = 8
"""Minimum number of letters of a word in which one changed letter is a typo: ``recogntion`` is a
typo, but ``unary`` is not a typo of ``binary``.

For shorter words, the numbers of titles that contain each of the two words decide.
"""
# minimum number of words of a subtitle or main title that may be cited without the rest
_SUBTITLE_WORDS = 3
_USUAL = 100  # minimum number of titles that contain a word for the word to be usual
_RESEMBLING = 0.8  # minimum similarity of a misprint and the intended word
_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"[ivx]+")
_BREAK = re.compile(r"\s*[:?!;–—]\s+|\s*[:?!;–—]$|\s+-{1,3}\s+|\.\s+|\s*\(|\s*\[")


def differing(
    ours: Words, theirs: Words, form: Callable[[str], str] = lemma
) -> list[tuple[Words, Words]]:
    """Return pairs of word sequences in which two titles differ: ``[(("deep",), ("wide",))]`` for
    ``deep nets`` and ``wide nets``.

    Two words are equal if ``form`` returns the same text for both. By default, spelling variants
    and inflection are ignored.
    """
    start = Prefix.similarity(ours, theirs)
    end = Postfix.similarity(ours[start:], theirs[start:])
    ours, theirs = (words[start : len(words) - end] for words in (ours, theirs))
    blocks = []
    left = right = 0
    for block in LCSseq.editops([*map(form, ours)], [*map(form, theirs)]).as_matching_blocks():
        if block.a > left or block.b > right:
            blocks.append((ours[left : block.a], theirs[right : block.b]))
        left, right = block.a + block.size, block.b + block.size
    return blocks


def are_same_spelled_out(cited: str, recorded: str) -> bool:
    """Return whether two titles agree once symbols and Greek letters are replaced by their names,
    such as ``λ`` by ``lambda``. False if neither title has a symbol or Greek letter.
    """
    ours, theirs = words_spelled_out(cited), words_spelled_out(recorded)
    is_changed = (ours, theirs) != (title_words(cited), title_words(recorded))
    return is_changed and all(is_harmless(*pair) for pair in differing(ours, theirs))


def is_harmless(ours: Words, theirs: Words) -> bool:
    """Return whether two word sequences of titles differ only in spaces, in typos in long words, or
    in function words.
    """
    left, right = (
        tuple(word for word in words if word not in ARTICLES) for words in (ours, theirs)
    )
    if not left or not right:
        return _DROPPED.issuperset(left + right)
    if len(left) != len(right):  # "I and II" is not "III", although the letters are equal
        return lemma("".join(left)) == lemma("".join(right)) and not all(
            map(_is_number, left + right)
        )
    return all(map(_same_word, left, right))


def _same_word(word: str, other: str) -> bool:
    """Return whether two words are equal except for spelling variants, the alphabet, or a typo in a
    long word.
    """
    if lemma(word) == lemma(other) or anyascii(word).lower() == anyascii(other).lower():
        return True
    if {word, other} == {"i", "1"} or {word, other} <= FUNCTION_WORDS:
        return True
    is_long = min(len(word), len(other)) >= _LONG_WORD and (word + other).isalpha()
    short, long = sorted((word, other), key=len)
    is_near = is_typo(word, other) or sorted(word) == sorted(other)
    return is_long and word[0] == other[0] and is_near and not long.startswith(short)


def words_a_letter_apart(cited: str, *recorded: str) -> Words:
    """Return the words in which ``cited`` and a title of ``recorded`` differ by one or two letters:
    ``("sytem", "system")``.
    """
    apart = (
        pair
        for title in recorded
        for words in differing(title_words(cited), title_words(title))
        for pair in zip(*words, strict=False)
        if is_typo(*pair, shortest=1) or Indel.normalized_similarity(*pair) >= _RESEMBLING
    )
    return tuple(dict.fromkeys(word for pair in apart for word in pair))


def are_misspelt(ours: Words, theirs: Words, counts: Mapping[str, int]) -> bool:
    """Return whether two word sequences differ only by typos.

    ``counts`` maps each word to the number of titles that contain it.
    """
    return len(ours) == len(theirs) and all(
        _same_word(word, other)
        or is_typo_of(word, other, counts)
        or is_typo_of(other, word, counts, own=1)
        for word, other in zip(ours, theirs, strict=True)
    )


def are_odd(ours: Words, theirs: Words, counts: Mapping[str, int]) -> bool:
    """Return whether the words ``theirs`` of a record are misprints of the words ``ours``: each is
    in at most one title and resembles a usual word of ``ours``.

    ``counts`` maps each word to the number of titles that contain it.
    """
    return len(ours) == len(theirs) and all(
        counts.get(other, 2) <= 1
        and counts.get(word, 0) >= _USUAL
        and Indel.normalized_similarity(word, other) >= _RESEMBLING
        for word, other in zip(ours, theirs, strict=True)
    )


def is_typo_of(word: str, other: str, counts: Mapping[str, int], own: int = 0) -> bool:
    """Return whether ``word`` is a typo of ``other``, because far more titles contain ``other``.

    ``counts`` maps each word to the number of titles that contain it. ``own`` is subtracted from
    the number for ``word``: 1 if the title with ``word`` is itself one of these titles.
    """
    return {word, other} <= counts.keys() and is_misspelling(
        word, other, counts[word] - own, counts[other]
    )


def numbers_differ(ours: Words, theirs: Words) -> bool:
    """Return whether two word sequences differ only in numbers, such as ``RecSys18`` and
    ``RecSys17``.
    """
    without = {_DIGITS.sub("0", " ".join(words)) for words in (ours, theirs)}
    return bool(ours and theirs) and (len(without) == 1 or all(map(_is_number, ours + theirs)))


def _is_number(word: str) -> bool:
    return lemma(word).isdigit() or _ROMAN.fullmatch(word) is not None


def lacks_a_part(cited: str, recorded: str) -> bool:
    """Return whether one of two titles equals the other title without its subtitle or without the
    part before the subtitle.
    """
    ours, theirs = title_words(cited), title_words(recorded)
    short, long_title = (ours, recorded) if len(ours) < len(theirs) else (theirs, cited)
    if len(short) < _SUBTITLE_WORDS:
        return False
    plain, joined = plain_text(long_title), "".join(short)
    parts = (
        (title_words(plain[: mark.start()]), title_words(plain[mark.end() :]))
        for mark in _BREAK.finditer(plain)
    )
    return any(head and tail and joined in ("".join(head), "".join(tail)) for head, tail in parts)


def lists_parts(ours: Words, theirs: Words) -> bool:
    """Return whether the cited title ends in several part numbers, such as ``I and II``, and the
    recorded title is the same with one of them, ``I`` or ``II``.
    """
    parts = ours[-3::2]
    if ours[-2:-1] != ("and",) or not all(map(_is_number, parts)):
        return False
    return any(not differing((*ours[:-3], part), theirs) for part in parts)


def is_beginning(cited: str, recorded: str) -> bool:
    """Return whether the cited title is cut off by an ellipsis, and the recorded title begins with
    the cited title.
    """
    ours, theirs = title_words(cited), title_words(recorded)
    is_part = title_form(cited).is_cut and _SUBTITLE_WORDS < len(ours) <= len(theirs)
    return (
        is_part
        and theirs[: len(ours) - 1] == ours[:-1]
        and theirs[len(ours) - 1].startswith(ours[-1])
    )
