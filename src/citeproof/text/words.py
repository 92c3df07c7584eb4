"""The words by which a work is asked for, and by which an answer is known to belong to the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citeproof.models import Record, Reference

_DISTINCTIVE = 5
_STEM = 4
_COMMON = set(
    """a an and are as at based by for from how in into is it its new of on or study the their to toward towards
    under using via what when with without""".split()  # noqa: SIM905 - a list of words reads as words
)


def family_name(name: str) -> str:
    """Return the family name of ``Family, Given`` or ``Given Family``, normalised."""
    family = name.split(",", 1)[0] if "," in name else (name.split() or [""])[-1]
    return normalize_title(family)


def distinctive_words(title: str) -> list[str]:
    """Return the few longest words of ``title``, in its order: what a search engine can do most with."""
    words = [word for word in dict.fromkeys(normalize_title(title).split()) if word not in _COMMON]
    longest = set(sorted(words, key=lambda word: (-len(word), words.index(word)))[:_DISTINCTIVE])
    return [word for word in words if word in longest]


def author_and_words(reference: Reference) -> str:
    """Return the first author's family name with the distinctive words of the title; empty without either."""
    words = distinctive_words(reference.title)
    if not reference.authors or not words:
        return ""
    return " ".join([family_name(reference.authors[0]), *words])


def about_the_question(question: str, records: Iterable[Record]) -> bool:
    """Whether any record shares a word with ``question``, endings aside.

    Search engines rank by shared words, so hits without a single one answer something else. Only words
    in ASCII letters are judged, because other scripts need not part their words as we do.
    """
    words = normalize_title(question).split()
    stems = {word[:_STEM] for word in words if word.isascii() and word not in _COMMON}
    for record in records:
        text = normalize_title(" ".join((record.title, *record.authors)))
        if not stems or any(word[:_STEM] in stems for word in text.split()):
            return True
    return False


def shares_an_author(reference: Reference, record: Record) -> bool:
    """Whether a cited family name stands in the record's names; true where either has no names."""
    if not reference.authors or not record.authors:
        return True
    recorded = set(normalize_title(" ".join(record.authors)).split())
    return any(set(family_name(name).split()) & recorded for name in reference.authors)
