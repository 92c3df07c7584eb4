"""A run in the order in which people read it: problems, then what could not be checked or confirmed, then the rest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from citeproof.models import Status
from citeproof.presentation.looks import WORST_FIRST
from citeproof.validation.advice import FOR_REASONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citeproof.models import Place, Verdict

NOTICES = {
    "retracted": "The work was retracted; say so, or cite another one.",
    "expression_of_concern": "Its publisher voiced concern about the work; read the notice.",
}
"""Flags that a person must hear of though the reference may be right, each with what to do."""
NAMELESS = "(no document)"
"""The paper of references that a program made itself."""
_WRONG = frozenset({Status.INVALID, Status.SUSPICIOUS})


@dataclass(frozen=True, slots=True)
class Group:
    """The verdicts of one reason, and one sentence for all of them."""

    status: Status
    reason: str
    sentence: str
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """A run, sorted for people. Every verdict is in one of ``problems``, ``groups``, ``valid`` and ``accepted``."""

    problems: tuple[Verdict, ...]
    """References that are wrong, or whose work has a notice; the gravest first, then as they stand in the inputs."""
    groups: tuple[Group, ...]
    """What could not be checked (ERROR), then what could not be confirmed (UNVERIFIED), by reason."""
    valid: tuple[Verdict, ...]
    accepted: tuple[Verdict, ...]
    """Those that a person has accepted, whatever their status."""
    lapsed: tuple[Verdict, ...]
    """Those whose acceptance no longer holds; each is in another part too."""

    @classmethod
    def of(cls, verdicts: Iterable[Verdict]) -> Overview:
        """Sort ``verdicts``."""
        given = tuple(verdicts)
        every = [verdict for verdict in given if not verdict.is_accepted]
        problems = sorted(filter(is_problem, every), key=lambda verdict: WORST_FIRST.index(verdict.status))
        rest = [verdict for verdict in every if not is_problem(verdict)]
        return cls(
            tuple(problems),
            tuple(group for status in (Status.ERROR, Status.UNVERIFIED) for group in _groups(rest, status)),
            tuple(verdict for verdict in rest if verdict.status is Status.VALID),
            tuple(verdict for verdict in given if verdict.is_accepted),
            tuple(verdict for verdict in every if verdict.acceptance),
        )


def is_problem(verdict: Verdict) -> bool:
    """Whether a person must look at the reference by itself."""
    return verdict.status in _WRONG or not NOTICES.keys().isdisjoint(verdict.flags)


def short_names(files: Iterable[str]) -> dict[str, str]:
    """Return each file's name without the folders that all share: ``thesis/refs.bib`` alone is ``refs.bib``."""
    known = dict.fromkeys(files)
    parts = [PurePath(file).parts[:-1] for file in known]
    shared = 0
    while parts and all(len(own) > shared and own[shared] == parts[0][shared] for own in parts):
        shared += 1
    return {file: str(PurePath(*PurePath(file).parts[shared:])) if file else "" for file in known}


def place_in(place: Place, names: dict[str, str]) -> str:
    """Return ``place`` with the short name of its file: ``refs.bib:12``."""
    where = str(place)
    return names.get(place.file, place.file) + where[len(place.file) :] if where.startswith(place.file) else where


def _groups(verdicts: Sequence[Verdict], status: Status) -> list[Group]:
    """Return the verdicts of ``status`` by reason, the most frequent reason first."""
    reasons: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.status is status:
            reasons.setdefault(verdict.reason, []).append(verdict)
    groups = [Group(status, reason, FOR_REASONS.get(reason, ""), tuple(own)) for reason, own in reasons.items()]
    return sorted(groups, key=lambda group: -len(group.verdicts))
