"""What the venue table was asked and answered while one reference was decided on.

A question is a method of :class:`citeproof.validation.venues.Venues` with its arguments. Kept are only the questions
that were asked, some twenty for a reference; the table itself has millions of answers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from citeproof.models import Record, Volume
from citeproof.validation.venues import NO_VENUES, Venues

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

Question = tuple[str, tuple[Any, ...]]
"""The name of a method, and its arguments."""
_NAMES: TypeAdapter[Any] = TypeAdapter(frozenset[str])
_VOLUME: TypeAdapter[Any] = TypeAdapter(Volume | None)
_ANSWERS: Mapping[str, TypeAdapter[Any]] = {
    "resolve": _NAMES,
    "is_certain": TypeAdapter(bool),
    "of_record": _NAMES,
    "names": _NAMES,
    "volume_of": _VOLUME,
    "years_of": TypeAdapter(frozenset[int]),
    "companion_not_held": TypeAdapter(bool),
    "gives_doi": TypeAdapter(bool),
    "registrant_of": TypeAdapter(str),
    "volume_of_doi": _VOLUME,
    "venue_of_doi": TypeAdapter(str),
}
"""Each method with the shape of its answers."""
_RECORD: TypeAdapter[Record] = TypeAdapter(Record)


class AskedVenues:
    """A venue table of which each question is kept with its answer; it has the methods of ``Venues``."""

    def __init__(self, venues: Venues) -> None:
        self._venues = venues
        self.answers: dict[Question, Any] = {}

    def __getattr__(self, method: str) -> Callable[..., Any]:
        """Return ``method`` of the table, with its questions kept."""
        if method not in _ANSWERS:
            raise AttributeError(method)
        return partial(self._ask, method)

    def _ask(self, method: str, *arguments: Any) -> Any:
        question = (method, arguments)
        if question not in self.answers:
            self.answers[question] = getattr(self._venues, method)(*arguments)
        return self.answers[question]


class KeptVenues:
    """What a venue table answered then; it has the methods of ``Venues``, and answers a new question as no data do."""

    def __init__(self, answers: Mapping[Question, Any]) -> None:
        self._answers = answers
        self.unanswered = set[str]()
        """The methods of which something was asked that was not asked then."""

    def __getattr__(self, method: str) -> Callable[..., Any]:
        """Return ``method`` as it answered."""
        if method not in _ANSWERS:
            raise AttributeError(method)
        return partial(self._ask, method)

    def _ask(self, method: str, *arguments: Any) -> Any:
        question = (method, arguments)
        if question in self._answers:
            return self._answers[question]
        self.unanswered.add(method)
        return getattr(NO_VENUES, method)(*arguments)


def packed(answers: Mapping[Question, Any], known: Sequence[Record]) -> list[list[Any]]:
    """Return ``answers`` as JSON has them: method, arguments, answer; a record of ``known`` is its place there."""
    return [
        [method, [_argument(argument, known) for argument in arguments], _answer(method, answer)]
        for (method, arguments), answer in answers.items()
    ]


def unpacked(kept: Iterable[Sequence[Any]], known: Sequence[Record]) -> dict[Question, Any]:
    """Return what ``packed`` was given; raise :class:`ValueError` where ``kept`` is not of its making."""
    answers = {}
    for method, arguments, answer in kept:
        if method not in _ANSWERS:
            raise ValueError(f"the venue table has no {method!r}")
        about_record = method in _ABOUT_A_RECORD
        whole = (_record(arguments[0], known), *arguments[1:]) if about_record else tuple(arguments)
        answers[method, whole] = _ANSWERS[method].validate_python(answer)
    return answers


_ABOUT_A_RECORD = frozenset({"of_record", "names", "volume_of", "gives_doi", "registrant_of"})
"""Methods whose first argument is a record."""


def _argument(argument: Any, known: Sequence[Record]) -> Any:
    if not isinstance(argument, Record):
        return argument
    return known.index(argument) if argument in known else _RECORD.dump_python(argument, exclude_defaults=True)


def _record(argument: Any, known: Sequence[Record]) -> Record:
    return known[argument] if isinstance(argument, int) else _RECORD.validate_python(argument)


def _answer(method: str, answer: Any) -> Any:
    if isinstance(answer, frozenset):
        return sorted(answer)
    return _ANSWERS[method].dump_python(answer, exclude_defaults=True)
