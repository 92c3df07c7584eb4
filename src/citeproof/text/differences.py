"""Which words of two texts differ, for marking them where a person compares the two."""

from __future__ import annotations

from difflib import SequenceMatcher

from citeproof.text.normalize import normalize_title


def differing_words(cited: str, recorded: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Return the words of each text in order, each with whether the other text lacks it at that place.

    Words are compared as titles are, so case, accents and punctuation alone make no difference.
    """
    left, right = cited.split(), recorded.split()
    matcher = SequenceMatcher(None, [normalize_title(w) for w in left], [normalize_title(w) for w in right], False)
    same_left, same_right = set[int](), set[int]()
    for start_left, start_right, length in matcher.get_matching_blocks():
        same_left.update(range(start_left, start_left + length))
        same_right.update(range(start_right, start_right + length))
    return (
        [(word, place not in same_left) for place, word in enumerate(left)],
        [(word, place not in same_right) for place, word in enumerate(right)],
    )
