"""Advice on a verdict in plain sentences, and the fields in which a reference differs from the best
match.

The sentences are in ``advice.json``. Reports for people show this advice instead of issue codes
such as ``year.future``.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple

from citeproof.model.codes import IssueCode
from citeproof.model.findings import Agreement
from citeproof.model.quantity import quantity
from citeproof.model.reference import Reference
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.report.misses import kind_missed
from citeproof.text.similarity import differing_words, runs

_ADVICE = json.loads(files(__package__).joinpath("advice.json").read_text("utf-8"))
FOR_REASONS: Mapping[str, str] = _ADVICE["reasons"]
"""Map from the reason of a verdict, such as ``title_not_found``, to a sentence that says what was
found and what to do.
"""
FOR_ISSUES: Mapping[str, str] = _ADVICE["issues"]
"""Map from an issue code, such as ``year.future``, to a phrase that says what to do, with
placeholders: ``correct the year: {cited} has not begun``.

The most serious code comes first.
"""
NOTED = "A record agrees except for some details; compare these details."
"""Sentence on VALID references that have notes."""
FIELD_NAMES = {"doi": "DOI", "arxiv_id": "arXiv id"}
"""Map from the name of a field in the code to a different name in reports: ``doi`` to ``DOI``."""
AGREEMENTS = {
    Agreement.SAME: "agrees",
    Agreement.PARTLY: "agrees in part",
    Agreement.DIFFERENT: "differs",
    Agreement.UNCLEAR: "not comparable",
}
"""Map from the result of comparing a field to a phrase such as ``agrees in part``.

Reports do not show fields with another result.
"""
Marked = tuple[tuple[str, bool], ...]
"""A text that is compared with another text, as a sequence of parts.

Each part is a pair: a string, and whether the string differs from the other text.
"""
_ORDER = {code: place for place, code in enumerate(FOR_ISSUES)}
_FIELDS = {"arxiv": "arxiv_id", "preprint": "venue", "volume": "venue"}
"""Map from the first word of an issue code to a field with a different name: ``arxiv`` to
``arxiv_id``.
"""
_MAX_ISSUES = 3  # maximum number of issues that one sentence names
_MAX_VALUE_LENGTH = 70  # maximum number of characters of a value in a sentence
_MAX_NAMES = 6  # maximum number of authors of a work that are shown
_ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
_FIELDS_IN_FILES: Mapping[str, tuple[str, ...]] = {
    "title": ("title", "ti", "t1", "ct"),
    "authors": ("author", "editor", "au", "a1"),
    "year": ("year", "date", "py", "y1", "da", "yr"),
    "venue": (
        "booktitle",
        "journal",
        "journaltitle",
        "t2",
        "jf",
        "jo",
        "ja",
        "j2",
        "so",
        "publisher",
    ),
    "doi": ("doi", "do", "di", "url", "ur"),
    "arxiv_id": ("eprint", "arxivid", "arxiv", "url", "journal", "note", "doi", "ur"),
    "pages": ("pages", "sp"),
    "volume": ("volume", "vl"),
    "number": ("number", "issue", "is"),
}
"""Map from a field to its names in BibTeX, biblatex and RIS files.

The most specific name comes first.
"""
_NOT_COMPARED = frozenset(
    {
        IssueCode.VOLUME_ABSENT,
        IssueCode.VOLUME_NOT_FOUND,
        IssueCode.VOLUME_WITHOUT_IT,
        IssueCode.ARXIV_AFTER_YEAR,
    }
)
"""Codes of issues that are found without comparing the reference with a record."""


def sentence(verdict: Verdict) -> str:
    """Return a sentence that says what a person can do about ``verdict``.

    If the verdict is based on issues, the sentence names them: ``The year is 1984, not 1988; the
    rest agrees.`` Otherwise the sentence depends on the reason of the verdict. For a cached record,
    a second sentence states source and date.
    """
    parts = list(dict.fromkeys(_issue_advice(verdict)))
    if not parts:
        said = for_reason(verdict)
        if kind := kind_missed(verdict):
            said = (
                f"Could not find this {kind.one}. The queried sources are not expected to have such"
                f" works; {kind.source or 'no source'} has them."
            )
        return f"{said} The record is {verdict.remembered}.".strip() if verdict.remembered else said
    said = "; ".join(parts[:_MAX_ISSUES])
    if (more := len(parts) - _MAX_ISSUES) > 0:
        said += f"; and {quantity(more, 'more difference')}"
    elif _rest_agrees(verdict):
        said += "; the rest agrees"
    # a message may already end in a full stop
    return f"{said[0].upper()}{said[1:].removesuffix('.')}."


def for_reason(verdict: Verdict) -> str:
    """Return a sentence on the reason of a verdict, the same for all verdicts of one group."""
    return NOTED if verdict.is_noted else FOR_REASONS.get(verdict.reason, "")


def noted(verdict: Verdict) -> str:
    """Return the notes on a reference as text: ``year: recorded as 2012, cited as 2011``."""
    said = dict.fromkeys((field_of(note.code), note.explanation) for note in verdict.notes)
    return "; ".join(
        text.removesuffix(": ")
        if (name := FIELD_NAMES.get(field, field)) in text
        else f"{name}: {text}"
        for field, text in said
    )


def _issue_advice(verdict: Verdict) -> Iterator[str]:
    """Yield a phrase for each field with an issue that affects the verdict, the most serious issue
    first.

    For the authors, there may be several phrases.
    """
    told = set[str]()
    for issue in sorted(verdict.counted, key=lambda issue: _ORDER.get(issue.code, len(_ORDER))):
        field = field_of(issue.code)
        if field not in told or field == "authors":
            yield part(issue, verdict)
        told.add(field)


def part(issue: Issue, verdict: Verdict) -> str:
    """Return a phrase on what to do about ``issue``.

    If there is no such phrase, return the issue's explanation.
    """
    settled = verdict.status is Status.SUSPICIOUS and verdict.best_match
    group = issue.code.partition(".")[0]
    name = {"doi": "the DOI", "arxiv": "the arXiv id"}.get(group, "the authors")
    if group == "year":
        recorded = issue.recorded.replace(", ", " or ")
    else:
        recorded = _short(
            first_names(issue.recorded.split("; "), 3, "; ")
            if group == "authors"
            else issue.recorded
        )
    return FOR_ISSUES.get(issue.code, "{explanation}").format(
        lead=f"correct {name}" if settled else "find out which work is meant",
        cited=_short(issue.cited),
        recorded=recorded,
        explanation=issue.explanation,
        change=_change(issue),
        names=_wrong_names(issue, verdict),
        count_cited=issue.cited.count("; ") + 1,
        count_recorded=issue.recorded.count("; ") + 1,
    )


def field_of(code: str) -> str:
    """Return the field that an issue is about: ``arxiv_id`` for ``arxiv.unknown``, ``venue`` for
    ``volume.absent``.
    """
    name = code.partition(".")[0]
    return "volume" if code == "volume.differs" else _FIELDS.get(name, name)


def _rest_agrees(verdict: Verdict) -> bool:
    """Return whether the advice may end in ``the rest agrees``: no further field differs, and title
    or authors agree.
    """
    if verdict.status is not Status.SUSPICIOUS or not verdict.best_match or not verdict.meant:
        return False
    named = {field_of(issue.code) for issue in verdict.counted}
    rest = [field for field in verdict.meant[0].fields if field.field not in named]
    same = {field.field for field in rest if field.agreement is Agreement.SAME}
    amiss = any(field.agreement in {Agreement.PARTLY, Agreement.DIFFERENT} for field in rest)
    return not amiss and not same.isdisjoint({"title", "authors"})


def _wrong_names(issue: Issue, verdict: Verdict) -> str:
    """Return a phrase on a wrong author: ``the second is Lee, not Kim``.

    If the position is unclear, the phrase names the authors that are not in the record.
    """
    cited = issue.cited.split("; ")
    compared = verdict.meant[0].compared("authors") if verdict.meant else None
    if len(cited) == 1 and compared and len(compared.only_recorded) == 1:
        names = list(verdict.reference.authors)
        place = names.index(cited[0]) if cited[0] in names else len(_ORDINALS)
        which = f"the {_ORDINALS[place]} is " if place < len(_ORDINALS) and len(names) > 1 else ""
        return f"{which}{compared.only_recorded[0]}, not {cited[0]}"
    return f"could not find {_short(first_names(cited, 3, '; '))} on the record"


def _change(issue: Issue) -> str:
    """Return a phrase on the words to change.

    If the words are not adjacent, the phrase refers to the highlighted words in the report.
    """
    sides = differing_words(issue.cited, issue.recorded)
    cited, recorded = (
        [_short(text) for text, differs in runs(words) if differs] for words in sides
    )
    if len(cited) == len(recorded) == 1:
        return f"the record has “{recorded[0]}”, not “{cited[0]}”"
    if len(cited) == 1 and not recorded:
        return f"the record does not have “{cited[0]}”"
    if len(recorded) == 1 and not cited:
        return f"the record also has “{recorded[0]}”"
    return "the words that differ are marked"


def first_names(names: Sequence[str], most: int, sign: str = ", ") -> str:
    """Return the first ``most`` names, joined by ``sign``, and the number of further names: ``A, B,
    C and 24 more``.
    """
    more = len(names) - most
    return sign.join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _short(text: str) -> str:
    """Cut ``text`` after a word to at most 70 characters, and close its open brackets."""
    if len(text) <= _MAX_VALUE_LENGTH:
        return text
    cut = text[:_MAX_VALUE_LENGTH].rpartition(" ")[0] or text[:_MAX_VALUE_LENGTH]
    return f"{cut}…{')' * (cut.count('(') - cut.count(')'))}"


class FieldDifference(NamedTuple):
    """A field that differs: the name in reports, such as ``DOI``, the cited value and the recorded
    value.
    """

    field: str
    cited: Marked
    recorded: Marked


def differences(verdict: Verdict) -> tuple[FieldDifference, ...]:
    """Return the fields in which the reference differs from the record, without the fields whose
    values the advice already names.
    """
    said = sentence(verdict)
    shown: dict[str, FieldDifference] = {}
    for issue in verdict.counted:
        told = issue.cited in said and issue.recorded in said
        with_a_record = issue.code not in _NOT_COMPARED and not issue.code.endswith(".other_work")
        if issue.recorded and not told and with_a_record:
            field = field_of(issue.code)
            shown.setdefault(field, _difference(verdict, issue, field))
    return tuple(shown.values())


def marked_words(cited: str, recorded: str) -> tuple[Marked, Marked]:
    """Return ``cited`` and ``recorded`` as parts, with the differing words marked.

    If most words differ, no word is marked.
    """
    ours, theirs = differing_words(cited, recorded)
    if any(sum(differs for _, differs in words) * 2 > len(words) for words in (ours, theirs)):
        return ((cited, False),) if cited else (), ((recorded, False),) if recorded else ()
    return _between(runs(ours), " "), _between(runs(theirs), " ")


def _between(parts: Sequence[tuple[str, bool]], sign: str) -> Marked:
    return tuple(part for own in parts for part in ((sign, False), own))[1:]


def _difference(verdict: Verdict, issue: Issue, field: str) -> FieldDifference:
    if field != "authors":
        return FieldDifference(
            FIELD_NAMES.get(field, field), *marked_words(issue.cited, issue.recorded)
        )
    if verdict.meant and (compared := verdict.meant[0].compared(field)):
        cited = _author_names(compared.cited, compared.only_cited)
        return FieldDifference(
            field, cited, _author_names(compared.recorded, compared.only_recorded)
        )
    return FieldDifference(field, _author_names(issue.cited, ()), _author_names(issue.recorded, ()))


def _author_names(listed: str, differing: Sequence[str]) -> Marked:
    """Return the author names in ``listed`` as parts. The names in ``differing`` are marked as
    different.

    A run of two or more other names becomes ``…``: if only C differs, ``A; B; C; D`` becomes ``…;
    [C]; D``. If no name or every name differs, the first six names are returned without marks.
    """
    names = listed.split("; ")
    if not differing or len(differing) >= len(names):
        return ((first_names(names, _MAX_NAMES, "; "), False),)
    parts, left = [], _MAX_NAMES
    for differs, names_of_run in groupby(names, key=lambda name: name in differing):
        run = list(names_of_run)
        if differs:
            more = f"{len(run) - left} more" if len(run) > left else ""
            parts.append((" and ".join(filter(None, ("; ".join(run[:left]), more))), True))
            left = max(0, left - len(run))
        else:
            parts.append(("…" if len(run) > 1 else run[0], False))
    return _between(parts, "; ")


class Region(NamedTuple):
    """A range of a document.

    Lines and columns are counted from 1. The end column is not included.
    """

    start_line: int
    start_column: int
    end_line: int
    end_column: int


def region(reference: Reference, issue: Issue | None = None) -> Region | None:
    """Return the range of the field that ``issue`` is about, or of the whole entry.

    None if the line is unknown.
    """
    place = reference.place
    if not place.line:
        return None
    text, own = reference.raw, place.span
    start, end = 0, len(text)
    names = _FIELDS_IN_FILES.get(field_of(issue.code), ()) if issue else ()
    span = next(filter(None, map(place.field, names)), None)
    if span and own and own.start <= span.start <= span.end <= own.start + len(text):
        start, end = span.start - own.start, span.end - own.start

    # In an entry that begins in line 7 at column 3, the character after the first line feed is at
    # line 8, column 1.
    def at(offset: int) -> tuple[int, int]:
        before = text.rfind("\n", 0, offset)
        column = offset - before if before >= 0 else offset + place.column
        return place.line + text.count("\n", 0, offset), column

    return Region(*at(start), *at(end))
