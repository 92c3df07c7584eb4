"""The queries to the venue table while one reference was decided on, with their answers.

A query is a method of :class:`~citeproof.verification.validation.venues.Venues` with its arguments. A reference needs
about twenty of the millions of answers in the table, so only these are kept.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, get_type_hints

from pydantic import TypeAdapter

from citeproof.model.record import Record
from citeproof.verification.validation.venues import NO_VENUES, Venues

Question = tuple[str, tuple[Any, ...]]
"""A query to the venue table: the name of a method, and its arguments."""
_HINTS = {name: get_type_hints(method) for name, method in vars(Venues).items() if not name.startswith("_")}
_ANSWERS: Mapping[str, TypeAdapter[Any]] = {name: TypeAdapter(hints["return"]) for name, hints in _HINTS.items()}
"""Pydantic type of the return value of each method of ``Venues``, by the name of the method."""
_RECORD = TypeAdapter(Record)


class AskedVenues:
    """A venue table that records each query with its answer. It has the methods of ``Venues``.

    It starts with ``answers`` that were recorded before. Other queries go to ``venues``, or are answered as an empty
    table answers them.
    """

    def __init__(self, venues: Venues = NO_VENUES, answers: Mapping[Question, Any] | None = None) -> None:
        self._venues = venues
        self.answers = dict(answers or {})
        self.unanswered = set[str]()
        """Names of the methods that were called with a query not in ``answers``."""

    def __getattr__(self, method: str) -> Callable[..., Any]:
        """Return a function that calls ``method`` of the table and records the query."""
        if method not in _ANSWERS:
            raise AttributeError(method)
        return partial(self._ask, method)

    def _ask(self, method: str, *arguments: Any) -> Any:
        question = (method, arguments)
        if question not in self.answers:
            self.unanswered.add(method)
            self.answers[question] = getattr(self._venues, method)(*arguments)
        return self.answers[question]


def packed(answers: Mapping[Question, Any], known: Sequence[Record]) -> list[tuple[str, list[Any], Any]]:
    """Return ``answers`` as JSON: method, arguments, answer. A record is replaced by its index in ``known``."""

    def argument(value: Any) -> Any:
        if not isinstance(value, Record):
            return value
        return known.index(value) if value in known else _RECORD.dump_python(value, exclude_defaults=True)

    found = []
    for (method, arguments), answer in answers.items():
        plain = _ANSWERS[method].dump_python(answer, exclude_defaults=True)
        found.append(
            (method, [argument(value) for value in arguments], sorted(plain) if isinstance(plain, frozenset) else plain)
        )
    return found


def unpacked(kept: Iterable[Sequence[Any]], known: Sequence[Record]) -> dict[Question, Any]:
    """Return the answers that :func:`packed` was given. Raises :class:`ValueError` if ``kept`` is malformed."""
    answers = {}
    for method, arguments, answer in kept:
        if method not in _ANSWERS:
            raise ValueError(f"the venue table has no {method!r}")
        whole = list(arguments)
        if "record" in _HINTS[method]:
            whole[0] = known[whole[0]] if isinstance(whole[0], int) else _RECORD.validate_python(whole[0])
        answers[method, tuple(whole)] = _ANSWERS[method].validate_python(answer)
    return answers
