"""Compare titles word by word.

``Supervised learning of visual features`` and ``Unsupervised learning of visual features`` have a
similarity of 0.97, but are titles of two works. Titles in honest references differ from the record
in function words, plurals, British spelling, hyphens, a dropped subtitle or a single typo inside a
long word. If any other word differs, the titles are different.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from anyascii import anyascii
from rapidfuzz.distance import Indel, LCSseq

from citeproof.text.normalize import normalize_title, plain_text
from citeproof.text.spelling import has_same_stem, is_misspelling, is_typo, lemma, words_spelled_out
from citeproof.verification.validation.policy import Difference, found

Words = tuple[str, ...]
_ARTICLES = frozenset({"a", "an", "the", "and"})
_FUNCTION_LIST = "of on in for to with by from at as via its is s into do does or"
_FUNCTION_WORDS = _ARTICLES.union(_FUNCTION_LIST.split())
# words that may be missing in one of two titles that are treated as equal
_DROPPED = _FUNCTION_WORDS | {"part"}
_LOST_SIGN = re.compile(r"\s-\w|\(\s*\)|<\w+>|\s[,;:]")
"""Regex for the gap that a lost character leaves in a recorded title: ``the Euclidean -dimensional
Voronoi diagram``.
"""
_LONG_WORD = 8
"""Minimum number of letters of a word in which one changed letter is treated as a typo:
``recogntion`` is a typo, but ``binary`` and ``unary`` are different words.

For shorter words, a typo is recognised by how many titles contain each word.
"""
# minimum number of words of a subtitle or main title that may be cited without the rest
_SUBTITLE_WORDS = 3
_USUAL = 100  # minimum number of titles that contain a word for the word to be called usual
_RESEMBLING = 0.8  # minimum similarity of a misprint and the right word
_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"[ivx]+")
_BREAK = re.compile(r"\s*[:?!;–—]\s+|\s*[:?!;–—]$|\s+-{1,3}\s+|\.\s+|\s*\(|\s*\[")
_KINDS = (
    r"(?:abstracts?(?: only)?|version|draft|papers?|reports?|talk|lecture|address|speech"
    r"|keynote(?: \w+)?|tutorial|demo|demonstration|poster|panel|session|survey|discussion"
    r"|presentation|summary|statement|note|announcement|description|contribution|communication"
    r"|preprint|reprint|retrospective|pearl|awards?|prize|oral|spotlight)"
)
"""Regex for a kind of text that a remark on a title names, such as ``abstract`` or ``poster``."""
_REMARK = re.compile(
    r"(?:\s*(?:"
    rf"[(\[](?:[\w-]+[ ,:]+){{0,4}}{_KINDS}(?:,? (?:abstract|only|and \w+)){{0,2}}!?[)\]]"
    rf"|[(\[](?:(?:an? |the )?{_KINDS} (?:of|from) [^()]+|invited|online|in [a-z]+)[)\]]"
    r"|[:,.–—-]+ (?:an? )?(?:(?:extended|detailed) abstract|functional pearl|brief announcement"
    r"|(?:preliminary|technical) (?:version|report)|(?:full|extended) version"
    r"|invited (?:talk|paper|lecture))"
    r"))+\s*\.?$",
    re.IGNORECASE,
)
"""Regex for a remark after a title, such as ``(Extended Abstract)``, ``(Awarded Best Paper!)`` and
``, functional pearl``. Proceedings and databases add such remarks to titles, or leave them out.
"""
USUAL_REMARKS = (
    "extended abstract",
    "abstract",
    "abstract only",
    "student abstract",
    "preliminary version",
    "preliminary report",
    "invited talk",
    "invited paper",
)
"""The most frequent remarks after titles in DBLP, sorted by frequency. They are two thirds of all
remarks.
"""
_LABEL = re.compile(
    r"^(?:(?:guest )?editorial\W+|(?:[\w-]+ ){1,4}(?:award|prize|medal)\s*:\s*"
    r"|(?:(?:brief|classroom|commentary|demo|demonstration|experience|extended|functional|full"
    r"|guest|invited|open|position|poster|regular|research|review|short|special|squibs?|survey"
    r"|system|technical|viewpoint|workshop)(?: and)? )*"
    rf"(?:{_KINDS}|articles?|book reviews?|columns?|commentary|discussions?|interview|issue"
    r"|last words|obituar(?:y|ies)|opinion|perspectives?|problems?|section|squibs?|viewpoints?)"
    r"(?: introduction| details| summary| section| \w*\d\w*| [ivx]+| [a-z])?\s*[:.–—]\s*)"
    r"(?=\w+\W+\w+\W+\w)",
    re.IGNORECASE,
)
"""Regex for a label before a title of at least three words, such as ``Session 3:``, ``Poster:`` or
``Squibs and Discussions:``. Journals and proceedings print such labels above the title.
"""
_TRANSLATED = re.compile(r"^(?=.*[^\W\d_a-z\u00aa-\u024f])[^a-z]+\(([^()]+)\)$", re.IGNORECASE)
"""Regex for a title in another script with a translation in brackets. The group has the
translation.
"""
_CUT = re.compile(r"(?:\.\s?\.\s?\.|…)\W*\Z")
_LAST = 12  # number of characters at the end of a title that are searched for an ellipsis


_PARTS = frozenset({"title.subtitle", "title.part_added"})
"""Codes of differences in which one title has a subtitle or a prefix that the other title lacks."""


@dataclass(frozen=True, slots=True)
class TitleComparison:
    """Result of comparing two titles word by word."""

    same: bool  # whether the two titles may be titles of one work
    differences: tuple[Difference, ...] = ()
    other_number: bool = False
    """Whether the titles differ only in numbers, such as ``Part I`` and ``Part II`` or ``MUC-3``
    and ``MUC-4``.
    """
    # whether only the endings of words differ, such as ``optimum`` and ``optimal``
    same_stems: bool = False
    one_side: bool = False  # whether one title has further words, all at one position

    @property
    def part_added(self) -> bool:
        """Whether the cited title has a subtitle or prefix that the recorded title lacks."""
        return any(item.code == "title.part_added" for item in self.differences)

    @property
    def part_missing(self) -> bool:
        """Whether one title lacks a subtitle or prefix of the other title.

        The two titles may be titles of different works.
        """
        return any(item.code in _PARTS for item in self.differences)


EQUAL = TitleComparison(same=True)


@lru_cache(maxsize=1024)
def compare_titles(
    cited: str, recorded: str, counts: tuple[tuple[str, int], ...] = ()
) -> TitleComparison:
    """Compare two titles word by word.

    ``counts`` has pairs of a word and the number of titles with this word.
    """
    ours, theirs = title_words(cited), title_words(recorded)
    if ours == theirs or "".join(ours) == "".join(theirs):
        return EQUAL

    def same(key: str, shown: str = "") -> TitleComparison:
        return TitleComparison(same=True, differences=(found(key, cited, recorded, shown=shown),))

    changed = [pair for pair in _differences(ours, theirs) if not _harmless(*pair)]
    single_letters = all(
        not theirs and all(len(word) == 1 for word in ours) for ours, theirs in changed
    )
    lost_sign = single_letters and _LOST_SIGN.search(recorded)
    if not changed or lost_sign or _same_spelled_out(cited, recorded):
        return same("title.spelling", _spelling(ours, theirs))
    # if several databases count a word, the highest count is used
    known = dict(sorted(counts, key=itemgetter(1)))
    if known and all(_misspelt(*pair, known) for pair in changed):
        shown = "; ".join(
            f"the record has '{other}', not '{word}' (in {known[other]:,} and in {known[word]:,}"
            " titles)"
            for left, right in changed
            for word, other in zip(left, right, strict=True)
            if _is_typo_of(word, other, known)
        )
        if shown:
            return same("title.misspelt", shown)
        return same("title.spelling", _spelling(ours, theirs))
    if _lacks_a_part(cited, recorded) and len(ours) > len(theirs):
        return same("title.part_added")
    if known and all(_is_odd(*pair, known) for pair in changed):
        return same("title.odd_record", _quoted(changed[0][1]))
    if (
        _lacks_a_part(cited, recorded)
        or _is_beginning(cited, recorded)
        or _lists_parts(ours, theirs)
    ):
        return same("title.subtitle")
    numbers = all(_numbers_differ(*pair) for pair in changed)
    stems = all(
        len(ours) == len(theirs) and all(map(has_same_stem, ours, theirs))
        for ours, theirs in changed
    )
    shown = _told(changed, "the record has {1}, not {0}")
    changed_word = found("title.word_changed", cited, recorded, shown=shown)
    one_side = len(changed) == 1 and not all(changed[0])
    return TitleComparison(False, (changed_word,), numbers, stems, one_side)


@dataclass(frozen=True, slots=True)
class TitleForm:
    """A title that is normalised and split into words for comparisons."""

    normal: str  # the normalised title; empty for a title without letters and digits
    words: Words
    """Words of the title without a remark such as "(extended abstract)" and without a label such as
    "Poster:".
    """
    is_cut: bool = False
    """Whether the title ends in an ellipsis, like truncated titles in search results."""

    @property
    def length(self) -> int:
        """Number of words of the title, including remarks and labels."""
        return self.normal.count(" ") + 1 if self.normal else 0


@lru_cache(maxsize=4096)
def title_form(title: str) -> TitleForm:
    """Return a title that is normalised and split into words for comparisons."""
    bare = _TRANSLATED.sub(r"\1", _LABEL.sub("", _REMARK.sub("", title)))
    normal = normalize_title(title)
    words = tuple((normalize_title(bare) if bare not in ("", title) else normal).split())
    return TitleForm(normal, words, _CUT.search(title, max(0, len(title) - _LAST)) is not None)


def title_words(title: str) -> Words:
    """Return the normalised words of a title, without a remark such as "(extended abstract)" and
    without a label such as "Poster:".
    """
    return title_form(title).words


def telling_words(title: str) -> Words:
    """Return the normalised words of a title without function words such as ``of``."""
    return tuple(word for word in title_words(title) if word not in _FUNCTION_WORDS)


def _differences(
    ours: Words, theirs: Words, form: Callable[[str], str] = lemma
) -> list[tuple[Words, Words]]:
    """Return pairs of word sequences in which two titles differ.

    Two words are equal if ``form`` returns the same value for both. By default, spelling variants
    and inflection are ignored.
    """
    blocks = []
    left = right = 0
    for block in LCSseq.editops([*map(form, ours)], [*map(form, theirs)]).as_matching_blocks():
        if block.a > left or block.b > right:
            blocks.append((ours[left : block.a], theirs[right : block.b]))
        left, right = block.a + block.size, block.b + block.size
    return blocks


def _same_spelled_out(cited: str, recorded: str) -> bool:
    """Return whether two titles agree after symbols and Greek letters are spelled out, such as
    ``λ`` as ``lambda``.
    """
    ours, theirs = words_spelled_out(cited), words_spelled_out(recorded)
    is_changed = (ours, theirs) != (title_words(cited), title_words(recorded))
    return is_changed and all(_harmless(*pair) for pair in _differences(ours, theirs))


def _harmless(ours: Words, theirs: Words) -> bool:
    """Return whether two word sequences differ only in spaces, typos in long words, or function
    words.
    """
    if lemma("".join(ours)) == lemma("".join(theirs)):
        return True
    if not ours or not theirs:
        return _DROPPED.issuperset(ours + theirs)
    left, right = (
        tuple(word for word in words if word not in _ARTICLES) for words in (ours, theirs)
    )
    if not left or not right:
        return _FUNCTION_WORDS.issuperset(left + right)
    if len(left) != len(right):  # "I and II" is not "III", although the letters are equal
        return lemma("".join(left)) == lemma("".join(right)) and not all(
            map(_is_number, left + right)
        )
    return all(map(_same_word, left, right))


def _same_word(word: str, other: str) -> bool:
    """Return whether two words are equal, apart from spelling variants, alphabet, or a typo in a
    long word.
    """
    if lemma(word) == lemma(other):
        return True
    if (
        not (word.isascii() and other.isascii())
        and anyascii(word).lower() == anyascii(other).lower()
    ):
        return True
    is_long = (
        min(len(word), len(other)) >= _LONG_WORD
        and word[0] == other[0]
        and (word + other).isalpha()
    )
    return (
        is_long
        and is_typo(word, other)
        and not word.startswith(other)
        and not other.startswith(word)
    )


def words_a_letter_apart(cited: str, *recorded: str) -> Words:
    """Return words of a cited title and of each title in ``recorded`` that differ by a letter or
    two, such as ``sytem`` and ``system``.
    """
    apart = (
        pair
        for title in recorded
        for words in _differences(title_words(cited), title_words(title))
        for pair in zip(*words, strict=False)
        if is_typo(*pair, shortest=1) or Indel.normalized_similarity(*pair) >= _RESEMBLING
    )
    return tuple(dict.fromkeys(word for pair in apart for word in pair))


def _misspelt(ours: Words, theirs: Words, counts: Mapping[str, int]) -> bool:
    """Return whether two word sequences differ only by typos.

    ``counts`` states how many titles contain each word.
    """
    return len(ours) == len(theirs) and all(
        _same_word(word, other)
        or _is_typo_of(word, other, counts)
        or _is_typo_of(other, word, counts, own=1)
        for word, other in zip(ours, theirs, strict=True)
    )


def _is_odd(ours: Words, theirs: Words, counts: Mapping[str, int]) -> bool:
    """Return whether the recorded words ``theirs`` are probably misprints of ``ours``: they are in
    no other title, and resemble ``ours``, which are usual words.
    """
    return len(ours) == len(theirs) and all(
        counts.get(other, 2) <= 1
        and counts.get(word, 0) >= _USUAL
        and Indel.normalized_similarity(word, other) >= _RESEMBLING
        for word, other in zip(ours, theirs, strict=True)
    )


def _is_typo_of(word: str, other: str, counts: Mapping[str, int], own: int = 0) -> bool:
    return {word, other} <= counts.keys() and is_misspelling(
        word, other, counts[word] - own, counts[other]
    )


def _numbers_differ(ours: Words, theirs: Words) -> bool:
    """Return whether two word sequences differ only in numbers, such as ``RecSys18`` and
    ``RecSys17``.
    """
    without = {_DIGITS.sub("0", " ".join(words)) for words in (ours, theirs)}
    return bool(ours and theirs) and (len(without) == 1 or all(map(_is_number, ours + theirs)))


def _is_number(word: str) -> bool:
    return lemma(word).isdigit() or _ROMAN.fullmatch(word) is not None


def _lacks_a_part(cited: str, recorded: str) -> bool:
    """Return whether one title is the other title without a subtitle or prefix."""
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


def _lists_parts(ours: Words, theirs: Words) -> bool:
    """Return whether the cited title ends in ``I and II`` or similar numbers, and the recorded
    title ends in one of these numbers.
    """
    *title, first, connective, last = ours if len(ours) > _SUBTITLE_WORDS else ("", "", "")
    if connective != "and" or not (_is_number(first) and _is_number(last)):
        return False
    return any(
        [*map(lemma, title), lemma(number)] == [*map(lemma, theirs)] for number in (first, last)
    )


def _is_beginning(cited: str, recorded: str) -> bool:
    """Return whether the cited title is truncated by an ellipsis, and the recorded title begins
    with the cited title.
    """
    ours, theirs = title_words(cited), title_words(recorded)
    is_part = title_form(cited).is_cut and _SUBTITLE_WORDS < len(ours) <= len(theirs)
    return (
        is_part
        and theirs[: len(ours) - 1] == ours[:-1]
        and theirs[len(ours) - 1].startswith(ours[-1])
    )


def _spelling(ours: Words, theirs: Words) -> str:
    return _told(_differences(ours, theirs, str), "{0} for {1}")


def _told(pairs: Iterable[tuple[Words, Words]], both: str) -> str:
    """Return a text that names the words of each pair: the words that only the cited title has, and
    the words that only the record has.
    """

    def told(left: Words, right: Words) -> str:
        if not right:
            return f"the record does not have {_quoted(left)}"
        if not left:
            return f"the record also has {_quoted(right)}"
        return both.format(_quoted(left), _quoted(right))

    return "; ".join(told(*pair) for pair in pairs)


def _quoted(words: Words) -> str:
    return f"'{' '.join(words)}'"
