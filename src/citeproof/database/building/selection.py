"""Select the records of a source that are stored in a database, for the option ``--only``.

A selection is a list of years (``2015``, ``2015-2024``), fields (``cs``), ISSNs
(``issn:1234-5678``) and names of venues. A record is selected if it is from one of the years, and
from one of the venues.
"""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from citeproof.database import schema
from citeproof.database.schema import Row
from citeproof.model.errors import BuildError
from citeproof.text.normalize import normalize_title

_YEARS = re.compile(r"(\d{4})(?:\s*[-–]\s*(\d{4}))?")
_ISSN = re.compile(r"issn:\s*(\d{4}-?\d{3}[\dx])", re.IGNORECASE)
# regex for a part that looks like an ISSN or years; if such a part is not valid, it is an error and
# not a venue
_WRONG = re.compile(r"issn\s*:.*|[\d\s–-]*", re.IGNORECASE)
_YEAR, _VENUE, _SOURCE = (schema.COLUMNS.index(name) for name in ("year", "venue", "source"))
_CACHED = 100_000  # maximum number of venues whose selection is cached


def fields() -> dict[str, dict[str, list[str]]]:
    """Return a map from the name of a field to its ``sources`` and ``venues``.

    All records of these sources belong to the field. ``venues`` has words in the names of the
    field's venues.
    """
    data = files("citeproof.database.building").joinpath("fields.json").read_text("utf-8")
    found: dict[str, dict[str, list[str]]] = json.loads(data)
    return found


class Selection:
    """Years, venues, ISSNs and fields of the records that are selected."""

    def __init__(self, parts: Iterable[str]) -> None:
        """``parts`` are years, fields, ISSNs and names of venues.

        Raises :class:`BuildError` if ``parts`` is empty.
        """
        self.parts = tuple(dict.fromkeys(filter(None, map(str.strip, parts))))
        if not self.parts:
            raise BuildError("--only: the list is empty; name years, fields, ISSNs or venues")
        self._years: set[int] = set()
        self._issns: set[str] = set()
        self._sources: set[str] = set()
        words: list[str] = []
        names: list[str] = []
        known = fields()
        for part in self.parts:
            if found := _YEARS.fullmatch(part):
                first, last = int(found[1]), int(found[2] or found[1])
                if first > last:
                    raise BuildError(f"--only: {part} ends before it begins")
                self._years.update(range(first, last + 1))
            elif found := _ISSN.fullmatch(part):
                self._issns.add(_compact(found[1]))
            elif part.lower() in known:
                self._sources.update(known[part.lower()]["sources"])
                words += known[part.lower()]["venues"]
            elif (name := normalize_title(part)) and not _WRONG.fullmatch(part):
                (words if " " in name else names).append(name)
            else:
                raise BuildError(
                    f"--only: {part!r} is neither a year, an ISSN, a field nor a venue"
                )
        within, whole = ("|".join(map(re.escape, some)) for some in (words, names))
        patterns = (rf"\b(?:{within})\b" if within else "", rf"\A(?:{whole})\Z" if whole else "")
        self._venues = re.compile("|".join(filter(None, patterns)))
        self._by_venue = bool(words or names)
        self._named = lru_cache(_CACHED)(self._is_named)

    def takes(self, row: Row, issns: str = "") -> bool:
        """Return whether the record ``row`` is selected. ``issns`` has the ISSNs of the venue."""
        if self._years and row[_YEAR] not in self._years:
            return False
        if row[_SOURCE] in self._sources or not (self._by_venue or self._issns):
            return True
        if issns and not self._issns.isdisjoint(map(_compact, issns.split())):
            return True
        return self._by_venue and bool(row[_VENUE]) and self._named(row[_VENUE])

    def _is_named(self, venue: Any) -> bool:
        return bool(self._venues.search(normalize_title(str(venue))))


def selection_of(options: Iterable[str]) -> Selection | None:
    """Return the selection that the values of ``--only`` describe, or None if there are no values.

    A value is a list separated by commas, or ``@`` and the name of a file with one item per line.
    Raises :class:`BuildError` if a file cannot be read.
    """
    parts: list[str] = []
    for option in options:
        if option.startswith("@"):
            try:
                parts += Path(option[1:]).read_text("utf-8").splitlines()
            except (OSError, UnicodeDecodeError) as error:
                reason = getattr(error, "strerror", None) or "is not UTF-8"
                raise BuildError(f"--only: {option[1:]}: cannot be read: {reason}") from None
        else:
            parts += option.split(",")
    return Selection(parts) if parts or tuple(options) else None


def _compact(issn: str) -> str:
    return issn.replace("-", "").upper()
