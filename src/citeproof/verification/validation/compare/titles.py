"""Compare the cited title with a recorded one, and say in which words they differ."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from citeproof.text.spelling import has_same_stem
from citeproof.text.title_differences import (
    LOST_SIGN,
    are_misspelt,
    are_odd,
    are_same_spelled_out,
    differing,
    is_beginning,
    is_harmless,
    is_typo_of,
    lacks_a_part,
    lists_parts,
    numbers_differ,
)
from citeproof.text.title_words import Words, title_words
from citeproof.verification.validation.policy import Difference, found

Counts = tuple[tuple[str, int], ...]
"""Pairs: a word, and the number of titles in the database that contain the word."""
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
        """Whether one title lacks a subtitle or prefix that the other title has. Such titles may
        belong to different works.
        """
        return any(item.code in _PARTS for item in self.differences)


EQUAL = TitleComparison(same=True)


@lru_cache(maxsize=1024)
def compare_titles(cited: str, recorded: str, counts: Counts = ()) -> TitleComparison:
    """Compare two titles word by word.

    ``counts`` has pairs: a word that may be misspelt, and the number of titles in the database with
    this word.
    """
    ours, theirs = title_words(cited), title_words(recorded)
    if "".join(ours) == "".join(theirs):
        return EQUAL

    def same(key: str, shown: str = "") -> TitleComparison:
        return TitleComparison(same=True, differences=(found(key, cited, recorded, shown=shown),))

    changed = [pair for pair in differing(ours, theirs) if not is_harmless(*pair)]
    single_letters = all(
        not theirs and all(len(word) == 1 for word in ours) for ours, theirs in changed
    )
    lost_sign = single_letters and LOST_SIGN.search(recorded)
    if lost_sign or are_same_spelled_out(cited, recorded):
        return same("title.spelling", _spelling(ours, theirs))
    # if several databases count a word, the highest count is used
    known = dict(sorted(counts, key=itemgetter(1)))
    if all(are_misspelt(*pair, known) for pair in changed):
        shown = "; ".join(
            f"the record has '{other}' (found in {known[other]:,} titles), not '{word}'"
            f" ({known[word]:,})"
            for left, right in changed
            for word, other in zip(left, right, strict=True)
            if is_typo_of(word, other, known)
        )
        if shown:
            return same("title.misspelt", shown)
        return same("title.spelling", _spelling(ours, theirs))
    is_part = lacks_a_part(cited, recorded)
    if is_part and len(ours) > len(theirs):
        return same("title.part_added")
    if all(are_odd(*pair, known) for pair in changed):
        return same("title.odd_record", _quoted(changed[0][1]))
    if is_part or is_beginning(cited, recorded) or lists_parts(ours, theirs):
        return same("title.subtitle")
    numbers = all(numbers_differ(*pair) for pair in changed)
    stems = all(
        len(ours) == len(theirs) and all(map(has_same_stem, ours, theirs))
        for ours, theirs in changed
    )
    shown = _told(changed)
    changed_word = found("title.word_changed", cited, recorded, shown=shown)
    one_side = len(changed) == 1 and not all(changed[0])
    return TitleComparison(False, (changed_word,), numbers, stems, one_side)


def _spelling(ours: Words, theirs: Words) -> str:
    return _told(differing(ours, theirs, str))


def _told(pairs: Iterable[tuple[Words, Words]]) -> str:
    """Return a text that says which words differ. Each of ``pairs`` has the words that only the
    cited title has, and the words that only the recorded title has at the same position.
    """

    def told(left: Words, right: Words) -> str:
        if not right:
            return f"the record does not have {_quoted(left)}"
        if not left:
            return f"the record also has {_quoted(right)}"
        return f"the record has {_quoted(right)}, not {_quoted(left)}"

    return "; ".join(told(*pair) for pair in pairs)


def _quoted(words: Words) -> str:
    return f"'{' '.join(words)}'"
