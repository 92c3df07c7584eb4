"""Find differences that may come from a wrong parse of running text (a misreading), and turn them
into open questions.

Running text may be split into fields at wrong places, but the text itself (``raw``) is certain. A
difference is held against the reference only if the text contradicts the record, no matter where
the fields begin and end.

Example: ``A. Lee. On sheep. Part two. 2001`` may be parsed with the title ``On sheep``. A record
``On sheep. Part two`` differs from this title but not from the text, so the difference is not held
against the reference.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from citeproof.model.record import MatchKind
from citeproof.model.reference import Reference
from citeproof.text.names import family_finder
from citeproof.text.normalize import normalize_title
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.policy import Difference

_LOST = str.maketrans("", "", "fil")
"""Table for ``str.translate`` that removes the letters of ligatures.

Text from a PDF may lack ligatures: ``e cient`` for ``efficient``.
"""
_WHOLE = 4  # minimum number of words of a title that is rarely the beginning of a longer title
_PEOPLE = re.compile(
    r"\b[A-Z]\.[ -]?(?:[A-Z]\.[ -]?)*[A-Z][a-z]+|\b[A-Z][a-z’'-]+, [A-Z]\.|\bet al\b"
    r"|\b[A-Z][a-z]+ (?:[A-Z]\. )?[A-Z][\w’'-]+(?:,? (?:and|&) |, )[A-Z][a-z]+ (?:[A-Z]\. )?[A-Z]\w"
)
"""Regex for names of people: ``A. Lee``, ``Lee, A.``, ``Ann Lee and Bob Fox``, ``Lee et al.``."""
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_ADDRESS_OR_RANGE = re.compile(
    r"(?:https?:|www\.|doi:?\s*10\.|10\.\d{4,9}/)\S*|\d+\s?[-–—]\s?\d+", re.IGNORECASE
)
"""Regex for URLs, DOIs and page ranges, whose numbers may look like years."""
# regex for a line break in an identifier
_BROKEN = re.compile(r"[\s-]+(?=[a-z0-9./_-]*[0-9])", re.IGNORECASE)
_NOTES = frozenset({"spelling", "misspelt", "subtitle", "order", "commas", "near"})
"""Suffixes of issue codes that are only notes, such as ``spelling`` in ``title.spelling``. """


def doubted(reference: Reference) -> tuple[Difference, ...]:
    """Return the doubts of the parser about ``reference`` as one difference.

    Empty if there are no doubts.
    """
    explanation = f"may have been read wrongly: {'; '.join(reference.doubts)}"
    return (Difference("reading.doubtful", "", "", explanation),) if reference.doubts else ()


def as_read(case: Case, differences: Iterable[Difference]) -> Iterable[Difference]:
    """Return ``differences``, with the code ``reading.unclear`` for each difference that a wrong
    parse may explain.
    """
    if not case.reference.from_text:
        return differences
    best, found = case.best, []
    another_work = best is not None and not best.authors_agree and bool(case.reference.doubts)
    for item in differences:
        field, _, kind = item.code.partition(".")
        # an identifier in a link, which is not printed, may belong to a neighbouring entry
        is_behind = case.reference.linked and _MISREAD.get(field) is _identifier
        if is_behind or (field == "venue" and _is_cut_venue(case)):
            continue
        misread = _MISREAD.get(field) if kind not in _NOTES else None
        if misread and (another_work or misread(case, item)):
            explanation = f"{item.explanation}; the text may have been read wrongly"
            item = replace(item, code="reading.unclear", explanation=explanation)  # noqa: PLW2901
        found.append(item)
    if case.work and _names_are_unread(case):
        explanation = "the text names people who were not read as authors and are on no record"
        found.append(Difference("reading.unclear", "", "", explanation))
    return found


def _names_are_unread(case: Case) -> bool:
    """Return whether the parser found no authors, although the text before or after the title seems
    to name people. None of these people may be a recorded author.
    """
    reference = case.reference
    raw, title = reference.raw, reference.title
    before, _, behind = raw.partition(title) if title in raw else ("", "", raw)
    named = reference.names_unread or any(map(_PEOPLE.search, (before, behind)))
    if reference.authors or not named:
        return False
    has = family_finder(raw)
    return not any(has(name) for record in case.records for name in record.authors)


def _title(case: Case, _: Difference) -> bool:
    """Return whether the text of the reference contains the recorded title, or the titles differ
    only by ligatures that the text lost.
    """
    text = _letters(case.reference.raw)
    cited = _letters(case.reference.title).translate(_LOST)
    titles = [_letters(record.title) for record in case.records]
    return any(title in text or title.translate(_LOST) == cited for title in titles if title)


def _authors(case: Case, difference: Difference) -> bool:
    """Return whether the text of the reference names the recorded authors, so that the difference
    in the authors may come from a wrong parse.
    """
    # a cited name that contains two recorded names was split wrongly
    if difference.code == "authors.given_name":
        has = family_finder(difference.cited)
        return any(sum(map(has, record.authors)) > 1 for record in case.records)
    if difference.code == "authors.dropped":  # the names may be anywhere in the text
        has = family_finder(case.reference.raw)
        return any(
            item.authors.uncited and all(map(has, item.authors.uncited)) for item in case.work
        )
    has = family_finder(_before_title(case))
    if difference.code in {"authors.other_people", "authors.another_work"}:  # one name is enough
        return bool(case.reference.doubts) or any(
            has(name) for record in case.records for name in record.authors
        )
    return any(record.authors and all(map(has, record.authors)) for record in case.records)


def _before_title(case: Case) -> str:
    """Return the text before the title.

    Return the whole text if it begins with the title or lacks the title.
    """
    raw = case.reference.raw
    titles = [*(record.title for record in case.records), case.reference.title]
    starts = [raw.lower().find(title.lower().rstrip(".")) for title in titles if title]
    return raw[: next((start for start in starts if start > 0), len(raw))]


def _year(case: Case, difference: Difference) -> bool:
    years = {int(year) for year in _YEAR.findall(_ADDRESS_OR_RANGE.sub(" ", case.reference.raw))}
    if difference.code in {"year.future", "year.ahead"}:
        return any(year <= case.today.year for year in years)
    return not years.isdisjoint(record.year for record in case.records)


def _is_cut_venue(case: Case) -> bool:
    """Return whether the parser found only a part of the venue.

    Example: ``Auton`` where the text has ``Auton. Robots``.
    """
    cited = normalize_title(case.reference.venue)
    return bool(cited) and any(
        name.startswith(f"{cited} ") for name in _venues_in(case, case.reference.raw)
    )


def _venue(case: Case, _: Difference) -> bool:
    return bool(_venues_in(case, _ADDRESS_OR_RANGE.sub(" ", case.reference.raw)))


def _venues_in(case: Case, text: str) -> Sequence[str]:
    """Return those venue names in the records of the work that ``text`` contains, normalised."""
    words = f" {normalize_title(text)} "
    names = [normalize_title(record.venue) for record in case.records]
    return [name for name in names if name and f" {name} " in words]


def _identifier(case: Case, difference: Difference) -> bool:
    """Return whether a wrong parse may explain a difference in DOI, arXiv id or RFC number."""
    text, raw, cited = (
        _letters(case.reference.raw),
        case.reference.raw.lower(),
        difference.cited.lower(),
    )
    holders = (*case.holders_of(MatchKind.DOI), *case.holders_of(MatchKind.ARXIV_ID))
    # the identifier may belong to the next entry, or the text may cite the work with this
    # identifier and its title was misread
    if case.reference.doubts or any(
        _letters(item.record.title) in text for item in holders if item.record.title
    ):
        return True
    own = (
        value.lower() for record in case.records for value in (record.doi, record.arxiv_id) if value
    )
    if any(value in raw.replace(" ", "") or value.startswith(cited) for value in own):
        return True
    _, found, rest = raw.partition(cited)
    return not found or _BROKEN.match(rest) is not None  # the identifier may be cut off


_MISREAD: dict[str, Callable[[Case, Difference], bool]] = {
    "title": _title,
    "authors": _authors,
    "year": _year,
    **dict.fromkeys(("venue", "preprint", "version"), _venue),
    **dict.fromkeys(("doi", "arxiv", "rfc"), _identifier),
}
"""Map from the first part of an issue code, such as ``title``, to a function that tests whether a
wrong parse may explain the issue.
"""


def _letters(text: str) -> str:
    return normalize_title(text).replace(" ", "")
