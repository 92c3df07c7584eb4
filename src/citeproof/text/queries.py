"""Choose the words of a query to an online source, and check the records in the response."""

import re
from collections.abc import Iterable
from dataclasses import fields, replace

from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.text.normalize import normalize_title

_DISTINCTIVE = 5  # maximum number of words of the title that a query contains
_STEM = 4  # number of first letters by which words are compared
_COMMON_LIST = """
a an and are as at based by for from how in into is it its new of on or study the their to toward
towards under using via what when with without
"""
_COMMON = frozenset(_COMMON_LIST.split())
_TEXT_FIELDS = tuple(
    field.name for field in fields(Record) if field.name not in {"authors", "year"}
)
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
"""Regex for control characters and for lone surrogates, which cannot be encoded in UTF-8."""
_MAX_YEAR = 9999
# maximum number of characters of a record's field: longer titles take seconds to compare
_MAX_LENGTH = 20_000
# maximum number of authors in a response. Ten papers of a large collaboration have 30,000 authors
_MAX_NAMES = 50_000
# maximum number of authors of a record. The longest known list has 15,000 (COVIDSurg, 2021)
_MAX_AUTHORS = 20_000


def family_name(name: str) -> str:
    """Return the family name of ``Family, Given`` or ``Given Family``, normalised like a title:
    ``muller`` for ``Müller, Jan``.
    """
    return normalize_title(name.split(",", 1)[0] if "," in name else (name.split() or [""])[-1])


def distinctive_words(title: str) -> list[str]:
    """Return the five longest words of ``title`` in original order.

    Common words such as ``using`` are left out.
    """
    words = [word for word in dict.fromkeys(normalize_title(title).split()) if word not in _COMMON]
    longest = set(sorted(words, key=lambda word: (-len(word), words.index(word)))[:_DISTINCTIVE])
    return [word for word in words if word in longest]


def author_and_words(reference: Reference) -> str:
    """Return a query that consists of the first author's family name and the distinctive words of
    the title.

    The result is empty if the reference has no authors or no distinctive words in its title.
    """
    words = distinctive_words(reference.title)
    if not reference.authors or not words:
        return ""
    return " ".join([family_name(reference.authors[0]), *words])


def shares_a_word(query: str, records: Iterable[Record]) -> bool:
    """Whether the title or the authors of any record contain a word of ``query``.

    Two words count as the same if their first four letters are equal. Only uncommon ASCII words are
    compared, because other scripts may not separate words by spaces. If ``query`` has no such word,
    the result is True if there is any record.
    """
    stems = {
        word[:_STEM]
        for word in normalize_title(query).split()
        if word.isascii() and word not in _COMMON
    }
    texts = (normalize_title(" ".join((record.title, *record.authors))) for record in records)
    return any(not stems or any(word[:_STEM] in stems for word in text.split()) for text in texts)


def well_formed(records: Iterable[Record]) -> list[Record]:
    """Return ``records`` with unprintable characters replaced by spaces.

    Once the records returned so far have more than 50,000 authors in total, the remaining records
    are dropped.

    Raises:
        TypeError: a field has the wrong type or is too long.
    """
    kept: list[Record] = []
    names = 0
    for record in records:
        kept.append(_well_formed(record))
        names += len(record.authors)
        if names > _MAX_NAMES:
            break
    return kept


def _well_formed(record: Record) -> Record:
    texts = {name: _plain(getattr(record, name)) for name in _TEXT_FIELDS}
    if not (record.year is None or (type(record.year) is int and 0 <= record.year <= _MAX_YEAR)):
        raise TypeError("invalid year")
    if len(record.authors) > _MAX_AUTHORS:
        raise TypeError("too many authors")
    return replace(record, authors=tuple(map(_plain, record.authors)), year=record.year, **texts)


def _plain(text: object) -> str:
    if not isinstance(text, str) or len(text) > _MAX_LENGTH:
        raise TypeError("not a text, or too long")
    return _UNPRINTABLE.sub(" ", text) if _UNPRINTABLE.search(text) else text
