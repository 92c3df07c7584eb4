"""Two further exact keys: the main title, and the same words in another order.

A title cut before its subtitle is less than 0.9 similar under any normalisation; instead of bending
the similarity, such a title is found by the part before its first ``: ``, as a match of its own kind.
"""

from __future__ import annotations

import zlib

from citeproof.text.normalize import normalize_title

SEPARATOR = ": "


def main_title(title: str) -> str:
    """Return the normalised part of a raw ``title`` before its first ``: ``; empty where there is none."""
    main, separator, subtitle = title.partition(SEPARATOR)
    return normalize_title(main) if separator and subtitle.strip() else ""


def main_length(title: str, normalized: str) -> int:
    """Return how many letters of ``normalized``, the normal form of ``title``, are its main title; 0 for none.

    Markup that reaches across the colon can make the parts differ from the whole; such a title has none.
    """
    if SEPARATOR not in title:
        return 0
    main = main_title(title)
    if not main or len(main) > 65_535 or not normalized.startswith(main + " "):
        return 0
    return len(main)


def main_hash(main: str) -> int:
    """Return the 32-bit key of a normalised main title."""
    return zlib.crc32(main.encode())


def same_words(one: str, other: str) -> bool:
    """Return whether two normalised titles have the same words in another order."""
    return one != other and sorted(one.split()) == sorted(other.split())
