"""The queries to the venue table while one reference was decided on, with their answers.

A query is a method of :class:`~citeproof.verification.validation.venues.Venues` with its arguments. A reference needs
about twenty of the millions of answers in the table, so only these are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from pydantic import TypeAdapter

from citeproof.model.record import Record, Volume
from citeproof.verification.validation.venues import NO_VENUES, Venues

Question = tuple[str, tuple[Any, ...]]
"""A query: the name of a method, and its arguments."""
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
"""Type of the answers of each method."""
_RECORD: TypeAdapter[Record] = TypeAdapter(Record)


class AskedVenues:
    """A venue table that records each query with its answer; it has the methods of ``Venues``."""

    def __init__(self, venues: Venues) -> None:
        self._venues = venues
        self.answers: dict[Question, Any] = {}

    def __getattr__(self, method: str) -> Callable[..., Any]:
        """Return ``method`` of the table; its queries are recorded."""
        if method not in _ANSWERS:
            raise AttributeError(method)
        return partial(self._ask, method)

    def _ask(self, method: str, *arguments: Any) -> Any:
        question = (method, arguments)
        if question not in self.answers:
            self.answers[question] = getattr(self._venues, method)(*arguments)
        return self.answers[question]


class KeptVenues:
    """A venue table that repeats recorded answers; a query that was not recorded gets the answer of an empty table."""

    def __init__(self, answers: Mapping[Question, Any]) -> None:
        self._answers = answers
        self.unanswered = set[str]()
        """Names of the methods with queries that were not recorded."""

    def __getattr__(self, method: str) -> Callable[..., Any]:
        """Return ``method`` with the recorded answers."""
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
    """Return ``answers`` for JSON: method, arguments, answer. A record of ``known`` becomes its index there."""
    return [
        [method, [_argument(argument, known) for argument in arguments], _answer(method, answer)]
        for (method, arguments), answer in answers.items()
    ]


def unpacked(kept: Iterable[Sequence[Any]], known: Sequence[Record]) -> dict[Question, Any]:
    """Return the answers that :func:`packed` was given; raise :class:`ValueError` if ``kept`` is malformed."""
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
