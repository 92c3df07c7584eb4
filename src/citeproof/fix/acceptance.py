"""Read and edit ``citeproof.accepted.toml``, which lists bibliography entries that a person has
checked and accepted.

Each accepted entry is a table. Adding or removing a table changes nothing else in the file, so
comments are kept::

    [[accepted]]
    file = "refs.bib"
    key = "smith20"
    because = "a report of our own archive"
    on = 2026-11-22
    until = 2027-11-22
    content = "9f86d081884c7d65"
"""

import json
import os
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from citeproof.model.errors import InputError
from citeproof.model.quantity import quantity
from citeproof.model.reference import Reference, name_of
from citeproof.model.verdict import Acceptance, Lapse, Verdict
from citeproof.readers.document import read_at_most

_HASHED_FIELDS = (
    "title",
    "authors",
    "and_others",
    "year",
    "venue",
    "entry_type",
    "doi",
    "arxiv_id",
    "pages",
    "volume",
    "number",
    "url",
    "publisher",
)
"""Fields of a reference that :func:`content_of` hashes.

If a field is added or removed here, all hashes change, and all earlier acceptances become invalid.
"""


def content_of(reference: Reference) -> str:
    """Return a hash of the fields of ``reference`` that describe the cited work, as 16 hexadecimal
    digits.

    Case, white space, the order of fields, braces, quotes and notes do not affect the hash. If the
    reference is written as free text, or has no title, its whole text is hashed instead.
    """
    by_field = [f"{name}={getattr(reference, name)}" for name in _HASHED_FIELDS]
    said = [reference.raw] if reference.from_text or not reference.title else by_field
    text = "\n".join(" ".join(unicodedata.normalize("NFC", one).casefold().split()) for one in said)
    from hashlib import sha256  # loads OpenSSL, 3 MB

    # collisions are improbable
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


NAME = "citeproof.accepted.toml"
LARGEST = 2**24
"""Maximum number of bytes of an acceptance file: enough for about 50,000 acceptances."""
_TABLE = "accepted"
_HEADER = re.compile(rf"\s*\[\[\s*{_TABLE}\s*\]\]\s*(#.*)?$")
_FIRST_LINE = (
    "# Entries that a person has accepted, written by 'citeproof accept'. 'citeproof verify' lists"
    " them and does not count them.\n"
)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A bibliography entry that a person has checked and accepted, although it may have
    problems.
    """

    file: str
    """Name of the bibliography file. It is in the same folder as the acceptance file."""
    key: str
    """Key of the entry. An entry without a key has its DOI or title here: see :func:`name_of`."""
    because: str
    on: date
    until: date | None
    """Last day on which the acceptance is valid. None if it never expires."""
    content: str
    """Hash of the entry, computed by :func:`content_of` when the entry was accepted."""

    @property
    def name(self) -> tuple[str, str]:
        """Name of the bibliography file and key of the entry: ``("refs.bib", "smith20")``."""
        return self.file, self.key

    def acceptance_of(self, reference: Reference, today: date) -> Acceptance:
        """Return the acceptance of ``reference`` as of the day ``today``. The field ``lapsed`` of
        the result says whether the acceptance has expired, or the entry has changed since it was
        accepted.
        """
        is_over = self.until is not None and self.until < today
        lapsed = Lapse.EXPIRED if is_over else None
        if self.content != content_of(reference):
            lapsed = Lapse.CHANGED
        until = self.until.isoformat() if self.until else ""
        return Acceptance(self.because, self.on.isoformat(), until, lapsed)


class Acceptances:
    """Adds acceptances to verdicts on entries that a person has accepted.

    The acceptance file of each folder is read when it is first needed.
    """

    def __init__(self, today: Callable[[], date], *, none: bool = False) -> None:
        """``today`` returns the current date, with which expired acceptances are found. If ``none``
        is true, acceptance files are ignored.
        """
        self._today = today
        self._none = none
        self._of_folder = cache(self._read_folder)
        self._of_file: dict[str, dict[str, Accepted]] = {}
        self._waiting: dict[tuple[str, str], Path] = {}
        """Map from (bibliography file, key) to the acceptance file, for each accepted entry that
        has not been checked yet.
        """
        self._silenced = Counter[Path]()
        """Map from an acceptance file to the number of entries that it accepts although their
        status is not VALID.
        """
        self.troubles: list[str] = []
        """Error messages about acceptance files that could not be read."""

    def applied(self, verdict: Verdict) -> Verdict:
        """Return ``verdict`` with the acceptance of its entry, which may have expired. If the entry
        was not accepted, return ``verdict`` unchanged.
        """
        reference = verdict.reference
        if (name := reference.file) not in self._of_file:
            path = Path(name)
            known = self._of_folder(path.parent) if name and not self._none else ()
            self._of_file[name] = {one.key: one for one in known if one.file == path.name}
            self._waiting |= {(name, key): path.parent / NAME for key in self._of_file[name]}
        if reference.place.paper:  # only the cited entries of a paper's bibliography are checked
            self._waiting = {
                name: path for name, path in self._waiting.items() if name[0] != reference.file
            }
        one = self._of_file[reference.file].get(name_of(reference))
        if not one:
            return verdict
        self._waiting.pop((reference.file, one.key), None)
        verdict = replace(verdict, acceptance=one.acceptance_of(reference, self._today()))
        if verdict.is_accepted and not verdict.is_valid:
            self._silenced[Path(reference.file).with_name(NAME)] += 1
        return verdict

    def unmet(self) -> tuple[str, ...]:
        """Return a message for each accepted entry that is not in the checked bibliographies."""
        return tuple(
            (
                f"{name}: no longer has the entry {key!r}, which {path} accepts; remove it with "
                "'citeproof accept --remove'."
            )
            for (name, key), path in self._waiting.items()
        )

    def silenced(self) -> tuple[str, ...]:
        """Return a message for each acceptance file that accepts entries whose status is not
        VALID.
        """
        return tuple(
            f"{path} accepts {quantity(count, 'entry', 'entries')} not VALID;"
            " --no-accepted ignores this file."
            for path, count in self._silenced.items()
        )

    def _read_folder(self, folder: Path) -> tuple[Accepted, ...]:
        try:
            return read(folder / NAME)
        except InputError as error:
            self.troubles.append(f"{error}; no entry of this file counts as accepted.")
            return ()


_TYPES: dict[str, type] = {
    "file": str,
    "key": str,
    "because": str,
    "on": date,
    "until": date,
    "content": str,
}
_TYPE_NAMES = {str: "text in quotes", date: "a date such as 2026-11-22, without quotes"}


def read(path: Path) -> tuple[Accepted, ...]:
    """Return the acceptances in the file ``path``. If the file is missing, return an empty tuple.

    Raises :class:`InputError` if the file cannot be read or is malformed.
    """
    return _understood(path, text_of(path))


def text_of(path: Path) -> str:
    """Return the text of the file ``path``. If the file is missing, return an empty text.

    Raises :class:`InputError` if the file cannot be read.
    """
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is not a regular file")
        target = Path(os.path.realpath(path))
        if path.is_symlink() and target.name != path.name:
            raise InputError(f"{path}: is a link to a file of another name, {target}")
        if not path.exists():
            return ""
        with path.open("rb") as file:
            data = read_at_most(file, LARGEST)
        if len(data) > LARGEST:
            raise InputError(f"{path}: has more than {LARGEST // 2**20} MB")
        return data.decode()
    except (OSError, ValueError) as error:
        raise InputError(
            f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'no UTF-8'}"
        ) from error


def changed(
    path: Path, text: str, added: Sequence[Accepted] = (), removed: Sequence[tuple[str, str]] = ()
) -> str:
    """Return ``text``, the content of the acceptance file ``path``, with the acceptances ``added``
    at its end and without the acceptances ``removed``.

    ``removed`` has pairs of bibliography file and key. Earlier acceptances of the entries in
    ``added`` are removed too. Raises :class:`InputError` if ``text`` is not a valid acceptance
    file, or if it has a form that cannot be edited.
    """
    before = {one.name: one for one in _understood(path, text)}
    gone = {*removed, *(one.name for one in added)}
    lines = text.splitlines(keepends=True)
    for number in reversed([number for number, name in enumerate(before) if name in gone]):
        start, end = _extent(lines, number)
        del lines[start:end]
    kept = "".join(lines)
    if kept and not kept.endswith("\n"):
        kept += "\n"
    after = "".join(
        (kept or (_FIRST_LINE if added else ""), *(f"\n{_toml_of(one)}" for one in added))
    )
    if "\r\n" in text:
        after = after.replace("\r\n", "\n").replace("\n", "\r\n")
    wanted = {name: one for name, one in before.items() if name not in gone} | {
        one.name: one for one in added
    }
    with suppress(ValueError):
        if {one.name: one for one in _parsed(after)} == wanted:
            return after
    raise InputError(
        f"{path}: does not have the form that 'citeproof accept' writes; edit it by hand"
    )


def _understood(path: Path, text: str) -> tuple[Accepted, ...]:
    try:
        return tuple(_parsed(text))
    except (ValueError, RecursionError) as error:
        why = error if isinstance(error, ValueError) else "is nested too deeply"
        raise InputError(f"{path}: is not valid: {why}") from error


def _parsed(text: str) -> Iterator[Accepted]:
    """Yield the acceptances in ``text``.

    Raises :class:`ValueError`, whose message says what is wrong and where.
    """
    content = tomllib.loads(text)
    if unknown := content.keys() - {_TABLE}:
        raise ValueError(f"there is no {min(unknown)!r}, only [[{_TABLE}]]")
    tables = content.get(_TABLE, [])
    if not isinstance(tables, list):
        raise ValueError(f"write [[{_TABLE}]] with two brackets")
    seen = set[tuple[str, str]]()
    for number, table in enumerate(tables, 1):
        one = _accepted(table, f"[[{_TABLE}]] number {number}")
        if one.name in seen:
            raise ValueError(f"{one.key!r} of {one.file} occurs twice; keep one of them")
        seen.add(one.name)
        yield one


def _accepted(table: Any, where: str) -> Accepted:
    if not isinstance(table, dict):
        raise ValueError(f"{where} is not a table")
    for name in table:
        if name not in _TYPES:
            raise ValueError(f"{where}: there is no {name!r}; there are {', '.join(_TYPES)}")
    for name, wanted in _TYPES.items():
        if name not in table:
            if name != "until":
                raise ValueError(f"{where}: {name!r} is missing")
        elif type(table[name]) is not wanted:
            raise ValueError(f"{where}: {name} is {_TYPE_NAMES[wanted]}")
        elif wanted is str and not table[name].strip():
            raise ValueError(f"{where}: {name} is empty")
    return Accepted(**{"until": None, **table})


def _extent(lines: Sequence[str], number: int) -> tuple[int, int]:
    """Return the index of the first line of the table with the index ``number``, and the index
    after its last line. Tables and lines are counted from 0.

    Comments between two tables belong to neither of them::

        [[accepted]]          0    table 0 has the lines 0 and 1
        key = "one"           1
        # asked the author    2
                              3    table 1 begins here, with the blank line before the header
        [[accepted]]          4
    """
    headers = [place for place, line in enumerate(lines) if _HEADER.match(line)]
    if number >= len(headers):
        return 0, 0
    start = headers[number]
    following = range(start + 1, len(lines))
    end = next((place for place in following if lines[place].lstrip().startswith("[")), len(lines))
    while end > start + 1 and (
        not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")
    ):
        end -= 1
    while start and not lines[start - 1].strip():
        start -= 1
    return start, end


def _toml_of(one: Accepted) -> str:
    """Return an acceptance as TOML text that begins with ``[[accepted]]``."""
    lines = [f"[[{_TABLE}]]"]
    for name in _TYPES:
        value = getattr(one, name)
        if isinstance(value, date):
            lines.append(f"{name} = {value.isoformat()}")
        elif value is not None:
            lines.append(
                f"{name} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")
            )
    return "".join(f"{line}\n" for line in lines)
