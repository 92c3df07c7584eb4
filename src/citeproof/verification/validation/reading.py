"""Turn differences that a misreading of running text may explain into open questions.

Fields read from running text may be split at wrong places; the text itself (``raw``) is certain. A difference counts
only if the text contradicts the record however it is split.

Example: ``A. Lee. On sheep. Part two. 2001`` may be read with the title ``On sheep``. A record ``On sheep. Part two``
differs from that reading but not from the text, so the difference does not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from citeproof.model.record import MatchKind
from citeproof.model.reference import Reference
from citeproof.text.names import fold_words, parse_name
from citeproof.text.normalize import normalize_title
from citeproof.verification.validation.policy import Difference

if TYPE_CHECKING:
    from citeproof.verification.validation.case import Case

_LOST = str.maketrans("", "", "fil")
"""Translation that drops the letters of ligatures, which some PDF fonts lose: ``e cient`` for ``efficient``."""
_LONG_NAME = 5
"""Minimum length of a name that rarely occurs in a text by chance."""
_WHOLE = 4
"""Minimum number of words of a title that is hardly the beginning of a longer one."""
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_ADDRESS_OR_RANGE = re.compile(r"(?:https?:|www\.|doi:?\s*10\.|10\.\d{4,9}/)\S*|\d+\s?[-–—]\s?\d+", re.IGNORECASE)
"""Regex of URLs and page ranges, which contain numbers that look like years."""
_BROKEN = re.compile(r"[\s-]+(?=[a-z0-9./_-]*[0-9])", re.IGNORECASE)
"""Regex of the gap in an identifier that a line end broke."""


def doubted(reference: Reference) -> tuple[Difference, ...]:
    """Return the doubts about the reading of ``reference`` as a difference; empty if there are none."""
    if not reference.doubts:
        return ()
    return (Difference("reading.doubtful", "", "", f"may have been read wrongly: {'; '.join(reference.doubts)}"),)


def as_read(case: Case, differences: Iterable[Difference]) -> tuple[Difference, ...]:
    """Return ``differences`` with those that a misreading may explain as open questions."""
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
"""Codes of notes, which never count against a reference."""


def _another_work(case: Case) -> bool:
    """Return whether only a doubtful title leads to the record."""
    return bool(case.reference.doubts) and case.best is not None and not case.best.authors_agree and not _settled(case)


def _settled(case: Case) -> bool:
    """Return whether the identifier, or the year with a long title, confirms that the record is of the cited work."""
    best = case.best
    if best is None:
        return False
    by_identifier = best.doi or best.candidate.match in {MatchKind.DOI, MatchKind.ARXIV_ID}
    dated = case.reference.year is not None and best.record.year == case.reference.year
    return by_identifier or (dated and best.title.same and case.title.length >= _WHOLE)


def _title(case: Case, _: Difference) -> bool:
    """Return whether the text contains the recorded title, apart from ligatures that PDF files lose."""
    text = _letters(case.reference.raw)
    cited = _letters(case.reference.title)
    titles = [_letters(record.title) for record in case.records]
    return any(title in text or _alike(title, cited) for title in titles if title)


def _alike(title: str, cited: str) -> bool:
    return title.translate(_LOST) == cited.translate(_LOST)


def _authors(case: Case, difference: Difference) -> bool:
    """Return whether the text names the recorded authors, so that only its splitting may be wrong.

    For dropped names, these names must be anywhere in the text. If no author agrees, one recorded name before the title
    is enough, or a doubtful title. For other names, all recorded ones must be before the title. A cited name that
    contains two recorded ones was split wrongly.
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
    """The words of a text, normalised like names."""

    words: frozenset[str]
    glued: str

    @classmethod
    def of(cls, text: str) -> Self:
        words = fold_words(text)
        return cls(frozenset(words), "".join(words))

    def has_all(self, names: Sequence[str]) -> bool:
        """Return whether the text has the last words of all ``names``; long ones may be broken or joined."""
        return bool(names) and all(map(self._has, names))

    def has_any(self, names: Sequence[str]) -> bool:
        """Return whether the text has the last word of one of ``names``."""
        return any(map(self._has, names))

    def _has(self, name: str) -> bool:
        last = parse_name(name).words[-1:]
        return bool(last) and (last[0] in self.words or (len(last[0]) >= _LONG_NAME and last[0] in self.glued))


def _before_title(case: Case) -> _Words:
    """Return the words before the recorded or the cited title, or all words if the text has neither."""
    raw = case.reference.raw
    titles = [*(record.title for record in case.records), case.reference.title]
    starts = [raw.lower().find(title.lower().rstrip(".")) for title in titles if title]
    return _Words.of(raw[: next((start for start in starts if start > 0), len(raw))])


def _year(case: Case, difference: Difference) -> bool:
    """Return whether the text contains a year that removes the difference."""
    years = {int(year) for year in _YEAR.findall(_ADDRESS_OR_RANGE.sub(" ", case.reference.raw))}
    if difference.code in {"year.future", "year.ahead"}:
        return any(year <= case.today.year for year in years)
    return bool(years & {record.year for record in case.records})


def _is_cut_venue(case: Case) -> bool:
    """Return whether the venue was cut: the text has the recorded one, ``Auton. Robots``, and the reading ``Auton``."""
    cited = normalize_title(case.reference.venue)
    raw = f" {normalize_title(case.reference.raw)} "
    recorded = (normalize_title(record.venue) for record in case.records)
    return any(name.startswith(f"{cited} ") and f" {name} " in raw for name in recorded if cited)


def _venue(case: Case, _: Difference) -> bool:
    """Return whether the text contains a venue of the work."""
    raw = f" {normalize_title(_ADDRESS_OR_RANGE.sub(' ', case.reference.raw))} "
    return any(f" {name} " in raw for record in case.records if (name := normalize_title(record.venue)))


def _identifier(case: Case, difference: Difference) -> bool:
    """Return whether the text contains the recorded identifier, or the cited one may be broken.

    A doubtful entry may contain the end of another entry with its identifier. If the text contains the title of the
    work that the identifier names, that is the cited work and its title was misread.
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
    "authors": _authors,
    "year": _year,
    "venue": _venue,
    "preprint": _venue,
    "version": _venue,
    "doi": _identifier,
    "arxiv": _identifier,
    "rfc": _identifier,
}
"""Field of a difference, mapped to a test whether a misreading may explain it."""


def _letters(text: str) -> str:
    return normalize_title(text).replace(" ", "")
