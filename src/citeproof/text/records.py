"""Whether a record that was made of a source's answer is one: what comes from outside may hold anything anywhere."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from citeproof.models import Record

if TYPE_CHECKING:
    from collections.abc import Iterable

_TEXTS = tuple(field.name for field in fields(Record) if field.name not in {"authors", "year"})
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
"""Control characters, among them those that steer a terminal, and halves of characters, which cannot be written."""
_LAST_YEAR = 9999
_LONGEST = 20_000
"""Characters of a field. Longer ones would cost seconds to compare, and no work has such a title."""
_MOST_NAMES = 50_000
"""Authors of all records of an answer together: ten papers of a large collaboration have 30,000."""
_MOST_AUTHORS = 20_000
"""The longest list of authors known has some 15,000 names (COVIDSurg, 2021)."""


def well_formed(records: Iterable[Record]) -> list[Record]:
    """Return ``records`` without unprintable characters, the first of them where they have very many authors together.

    Raises :class:`TypeError` where a field is of another kind than its own, or too long.
    """
    kept: list[Record] = []
    names = 0
    for record in records:
        kept.append(_well_formed(record))
        names += len(record.authors)
        if names > _MOST_NAMES:
            break
    return kept


def _well_formed(record: Record) -> Record:
    texts = {name: _plain(getattr(record, name)) for name in _TEXTS}
    year = record.year
    if not (year is None or (type(year) is int and 0 <= year <= _LAST_YEAR)):
        raise TypeError("a year that is none")
    if len(record.authors) > _MOST_AUTHORS:
        raise TypeError("more authors than any work has")
    return replace(record, authors=tuple(map(_plain, record.authors)), year=year, **texts)


def _plain(text: object) -> str:
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise TypeError("no text where one belongs")
    return _UNPRINTABLE.sub(" ", text) if _UNPRINTABLE.search(text) else text
