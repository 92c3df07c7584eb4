"""Validate records made from the responses of sources, which may contain anything."""

import re
from collections.abc import Iterable
from dataclasses import fields, replace

from citeproof.model.record import Record

_TEXT_FIELDS = tuple(field.name for field in fields(Record) if field.name not in {"authors", "year"})
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
"""Regex of control characters, which can control a terminal, and lone surrogates, which cannot be encoded."""
_MAX_YEAR = 9999
_MAX_LENGTH = 20_000  # maximum number of characters of a field. Longer titles would take seconds to compare
_MAX_NAMES = 50_000  # maximum number of authors in a response. Ten papers of a large collaboration have 30,000
_MAX_AUTHORS = 20_000  # maximum number of authors of a record. The longest known list has 15,000 (COVIDSurg, 2021)


def well_formed(records: Iterable[Record]) -> list[Record]:
    """Return ``records`` without unprintable characters, up to the record that reaches :data:`_MAX_NAMES` authors.

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
    year = record.year
    if not (year is None or (type(year) is int and 0 <= year <= _MAX_YEAR)):
        raise TypeError("invalid year")
    if len(record.authors) > _MAX_AUTHORS:
        raise TypeError("too many authors")
    return replace(record, authors=tuple(map(_plain, record.authors)), year=year, **texts)


def _plain(text: object) -> str:
    if not isinstance(text, str) or len(text) > _MAX_LENGTH:
        raise TypeError("not a text, or too long")
    return _UNPRINTABLE.sub(" ", text) if _UNPRINTABLE.search(text) else text
