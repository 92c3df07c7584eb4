"""What a faulty reading of running text may explain: it is asked of a person, and accuses nobody.

The fields of a reference that was read from running text may be cut at wrong places; its text (``raw``) stays as it is.
A difference counts only where the text itself contradicts the record, whatever way it is read.

Example: ``A. Lee. On sheep. Part two. 2001`` may be read with the title ``On sheep``. A record ``On sheep. Part two``
differs from that reading and not from the text, so that nothing is held against the reference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from citeproof.models import MatchKind
from citeproof.text.names import fold_words, parse_name
from citeproof.text.normalize import normalize_title
from citeproof.validation.difference import Difference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from citeproof.models import Reference
    from citeproof.validation.case import Case

CODES = {
    "reading.unclear": (
        "The record differs from the fields as they were read from running text, and the text itself may agree with it."
    ),
    "reading.doubtful": "The fields were read from running text, and something shows that they may be wrong.",
}

_LOST = str.maketrans("", "", "fil")
"""Letters of the ligatures that some fonts of PDF files have no text for: ``e cient`` for ``efficient``."""
_LONG_NAME = 5
"""Letters of a name that hardly stands in a text by chance."""
_WHOLE = 4
"""A title of fewer words may be the beginning of a longer one."""
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_ADDRESS_OR_RANGE = re.compile(r"(?:https?:|www\.|doi:?\s*10\.|10\.\d{4,9}/)\S*|\d+\s?[-–—]\s?\d+", re.IGNORECASE)
"""Addresses and pages hold numbers that look like years."""
_BROKEN = re.compile(r"[\s-]+(?=[a-z0-9./_-]*[0-9])", re.IGNORECASE)
"""What may stand between the two parts of an identifier that the end of a line broke."""


def doubted(reference: Reference) -> tuple[Difference, ...]:
    """Return what shows that a reference may have been read wrongly, as a difference; none where nothing does."""
    if not reference.doubts:
        return ()
    return (Difference("reading.doubtful", "", "", f"may have been read wrongly: {'; '.join(reference.doubts)}"),)


def as_read(case: Case, differences: Iterable[Difference]) -> tuple[Difference, ...]:
    """Return ``differences``, those that reading may explain as open questions."""
    if not case.reference.from_text:
        return tuple(differences)
    kept = (item for item in differences if not (item.code.startswith("venue.") and _is_cut_venue(case)))
    return tuple(_open(item) if _may_be_misread(case, item) else item for item in kept)


def _open(difference: Difference) -> Difference:
    explanation = f"{difference.explanation}; the text may have been read wrongly"
    return replace(difference, code="reading.unclear", explanation=explanation)


def _may_be_misread(case: Case, difference: Difference) -> bool:
    field = difference.code.partition(".")[0]
    if difference.code in _NEVER or field not in _MISREAD:
        return False
    return _another_work(case) or _MISREAD[field](case, difference)


_NEVER = frozenset(
    {
        "title.spelling",
        "title.misspelt",
        "title.subtitle",
        "authors.spelling",
        "authors.order",
        "authors.commas",
        "year.near",
    }
)
"""Notes, which count against nobody."""


def _another_work(case: Case) -> bool:
    """Whether a title that was perhaps cut at a wrong place is all that leads to the record."""
    return bool(case.reference.doubts) and case.best is not None and not case.best.people and not _settled(case)


def _settled(case: Case) -> bool:
    """Whether the title is no cut one that another work has by chance: the identifier or the year agrees as well."""
    best = case.best
    if best is None:
        return False
    by_identifier = best.doi or best.candidate.match in {MatchKind.DOI, MatchKind.ARXIV_ID}
    dated = case.reference.year is not None and best.record.year == case.reference.year
    return by_identifier or (dated and best.title.same and case.title.length >= _WHOLE)


def _title(case: Case, _: Difference) -> bool:
    """Whether the text holds the recorded title, or lacks nothing of it but what PDF files lose."""
    text = _letters(case.reference.raw)
    cited = _letters(case.reference.title)
    titles = [_letters(record.title) for record in case.records]
    return any(title in text or _alike(title, cited) for title in titles if title)


def _alike(title: str, cited: str) -> bool:
    return title.translate(_LOST) == cited.translate(_LOST)


def _people(case: Case, difference: Difference) -> bool:
    """Whether the text names the recorded people, so that only its parting may be wrong.

    For people who are cited and not recorded, all the recorded ones must stand before the title; for names that are
    missing, those names anywhere. Where nobody seems to be the same, one of them is enough; a name that holds two of
    them was parted wrongly. Of a work that the text may call otherwise, its people say nothing.
    """
    if difference.code == "authors.given_name":
        name = _Words.of(difference.cited)
        return any(sum(name.has_any((other,)) for other in record.authors) > 1 for record in case.records)
    text = _Words.of(case.reference.raw)
    if difference.code == "authors.dropped":
        return any(text.has_all(item.authors.uncited) for item in case.work)
    if difference.code in {"authors.other_people", "authors.another_work"}:
        before = _before_title(case)
        return (bool(case.reference.doubts) and not _settled(case)) or any(
            before.has_any(record.authors) for record in case.records
        )
    return any(_before_title(case).has_all(record.authors) for record in case.records)


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text, folded as names are."""

    words: frozenset[str]
    glued: str

    @classmethod
    def of(cls, text: str) -> Self:
        words = fold_words(text)
        return cls(frozenset(words), "".join(words))

    def has_all(self, names: Sequence[str]) -> bool:
        """Whether the last words of all ``names`` are here; long ones may be broken or glued."""
        return bool(names) and all(map(self._has, names))

    def has_any(self, names: Sequence[str]) -> bool:
        """Whether the last word of one of ``names`` is here."""
        return any(map(self._has, names))

    def _has(self, name: str) -> bool:
        last = parse_name(name).words[-1:]
        return bool(last) and (last[0] in self.words or (len(last[0]) >= _LONG_NAME and last[0] in self.glued))


def _before_title(case: Case) -> _Words:
    """Return the words before the title, the recorded one where the text has it; else those of the whole text."""
    raw = case.reference.raw
    titles = [*(record.title for record in case.records), case.reference.title]
    starts = [raw.lower().find(title.lower().rstrip(".")) for title in titles if title]
    return _Words.of(raw[: next((start for start in starts if start > 0), len(raw))])


def _year(case: Case, difference: Difference) -> bool:
    """Whether the text holds a year that would do."""
    years = {int(year) for year in _YEAR.findall(_ADDRESS_OR_RANGE.sub(" ", case.reference.raw))}
    if difference.code in {"year.future", "year.ahead"}:
        return any(year <= case.today.year for year in years)
    return bool(years & {record.year for record in case.records})


def _is_cut_venue(case: Case) -> bool:
    """Whether the text names a venue of the work in full, of which the reading is the beginning: ``Auton`` of
    ``Auton. Robots``."""
    cited = normalize_title(case.reference.venue)
    raw = f" {normalize_title(case.reference.raw)} "
    recorded = (normalize_title(record.venue) for record in case.records)
    return any(name.startswith(f"{cited} ") and f" {name} " in raw for name in recorded if cited)


def _venue(case: Case, _: Difference) -> bool:
    """Whether the text names a venue of the work anywhere."""
    raw = f" {normalize_title(_ADDRESS_OR_RANGE.sub(' ', case.reference.raw))} "
    return any(f" {name} " in raw for record in case.records if (name := normalize_title(record.venue)))


def _identifier(case: Case, difference: Difference) -> bool:
    """Whether the text holds the recorded identifier, or goes on behind the cited one as a broken one would.

    A doubtful entry may hold the end of another one, with its identifier. Where the text holds the title of the work to
    which the identifier leads, that is the work, and its title was read wrongly.
    """
    text = _letters(case.reference.raw)
    holders = (*case.holders_of_doi, *case.holders_of_arxiv_id)
    if case.reference.doubts or any(_letters(record.title) in text for record in holders if record.title):
        return True
    raw = case.reference.raw.lower()
    cited = difference.cited.lower()
    own = (value.lower() for record in case.records for value in (record.doi, record.arxiv_id) if value)
    if any(value in raw.replace(" ", "") or value.startswith(cited) for value in own):
        return True
    _, found, rest = raw.partition(cited)
    return not found or _BROKEN.match(rest) is not None


_MISREAD: dict[str, Callable[[Case, Difference], bool]] = {
    "title": _title,
    "authors": _people,
    "year": _year,
    "venue": _venue,
    "preprint": _venue,
    "version": _venue,
    "doi": _identifier,
    "arxiv": _identifier,
}
"""Field of a difference, to whether reading may explain it."""


def _letters(text: str) -> str:
    return normalize_title(text).replace(" ", "")
