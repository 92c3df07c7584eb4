"""The fields in which a reference and the best match differ, with the differing words marked."""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from citeproof.model.codes import IssueCode
from citeproof.model.verdict import Issue, Verdict
from citeproof.report.advice import field_of, first_names, sentence
from citeproof.text.similarity import differing_words

FIELD_NAMES = {"doi": "DOI", "arxiv_id": "arXiv id"}
"""Map from a name of a field in the code to its name for users, where the two differ."""
Marked = tuple[tuple[str, bool], ...]
"""A text in consecutive parts. Each part has a boolean: whether the part differs from the text compared with it."""
_NOT_COMPARED = frozenset(
    {IssueCode.VOLUME_ABSENT, IssueCode.VOLUME_NOT_FOUND, IssueCode.VOLUME_WITHOUT_IT, IssueCode.ARXIV_AFTER_YEAR}
)
_MOST_NAMES = 6  # maximum number of authors shown of the reference, and of the record


class FieldDifference(NamedTuple):
    """A field with its name for users (``DOI``), as it is cited and as it is recorded."""

    field: str
    cited: Marked
    recorded: Marked


def differences(verdict: Verdict) -> tuple[FieldDifference, ...]:
    """Return the fields that differ, except fields whose values the advice on ``verdict`` already shows."""
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
    """Return both texts in parts, with the differing words marked. If most words differ, no word is marked."""
    sides = differing_words(cited, recorded)
    if any(sum(differs for _, differs in words) * 2 > len(words) for words in sides):
        return ((cited, False),) if cited else (), ((recorded, False),) if recorded else ()
    ours, theirs = (
        [(" ".join(word for word, _ in run), differs) for differs, run in groupby(words, key=itemgetter(1))]
        for words in sides
    )
    return _between(ours, " "), _between(theirs, " ")


def _between(parts: Sequence[tuple[str, bool]], sign: str) -> Marked:
    return tuple(part for own in parts for part in ((sign, False), own))[1:]


def _difference(verdict: Verdict, issue: Issue, field: str) -> FieldDifference:
    if field != "authors":
        return FieldDifference(FIELD_NAMES.get(field, field), *marked_words(issue.cited, issue.recorded))
    if verdict.meant and (compared := verdict.meant[0].compared(field)):
        cited = _author_names(compared.cited, compared.only_cited)
        return FieldDifference(field, cited, _author_names(compared.recorded, compared.only_recorded))
    return FieldDifference(field, _author_names(issue.cited, ()), _author_names(issue.recorded, ()))


def _author_names(listed: str, differing: Sequence[str]) -> Marked:
    """Return the authors ``listed`` in parts, with the ``differing`` names marked and other consecutive names as ``…``.

    Example: if only C differs, ``A; B; C; D`` becomes ``…; [C]; D``. If no name or every name differs, the first names
    are returned without marks.
    """
    names = listed.split("; ")
    if not differing or len(differing) >= len(names):
        return ((first_names(names, _MOST_NAMES, "; "), False),)
    parts, left = [], _MOST_NAMES
    for differs, names_of_run in groupby(names, key=lambda name: name in differing):
        run = list(names_of_run)
        if differs:
            more = f"{len(run) - left} more" if len(run) > left else ""
            parts.append((" and ".join(filter(None, ("; ".join(run[:left]), more))), True))
            left = max(0, left - len(run))
        else:
            parts.append(("…" if len(run) > 1 else run[0], False))
    return _between(parts, "; ")
