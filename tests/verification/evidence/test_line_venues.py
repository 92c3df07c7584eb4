"""The answers of a venue table come back from JSON as they were."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import pytest

from citeproof.model.record import Record, Volume
from citeproof.verification.evidence.line import AskedVenues, packed, unpacked
from citeproof.verification.validation.compare.venues import Venues

if TYPE_CHECKING:
    from collections.abc import Callable

KNOWN, UNKNOWN = Record("a", "A Title", source="dblp"), Record("b", "Another", ("A. Name",))
VOLUME = Volume("conf/x/2020", "conf/x", 2020, 10, 0.5, "pages")


class Table(Venues):
    """Answers with something of every shape."""

    def resolve(self, name: str) -> frozenset[str]:
        return frozenset({name, "conf/x"})

    def years_of(self, venue: str) -> frozenset[int]:
        return frozenset({2019, 2020} if venue else ())

    def volume_of(self, record: Record) -> Volume | None:
        return VOLUME if record == KNOWN else None

    def companion_not_held(self, venue: str, year: int, complete: float) -> bool:
        return year == 2020


ASKED: list[Callable[[Any], Any]] = [
    lambda venues: venues.resolve("X"),
    lambda venues: venues.years_of("conf/x"),
    lambda venues: venues.years_of(""),
    lambda venues: venues.volume_of(KNOWN),
    lambda venues: venues.volume_of(UNKNOWN),
    lambda venues: venues.names(UNKNOWN),
    lambda venues: venues.known_as("conf/x"),
    lambda venues: venues.gives_doi(KNOWN, "10.1/x"),
    lambda venues: venues.companion_not_held("conf/x", 2020, 0.95),
    lambda venues: venues.venue_of_doi("10.1/x"),
]


def test_unpacked_each_shape_of_answer_comes_back() -> None:
    asked = AskedVenues(Table())
    said = [ask(asked) for ask in ASKED]
    kept = AskedVenues(
        answers=unpacked(json.loads(json.dumps(packed(asked.answers, [KNOWN]))), [KNOWN])
    )
    assert [ask(kept) for ask in ASKED] == said == [ask(Table()) for ask in ASKED]
    assert kept.unanswered == set()


def test_asked_venues_a_question_that_was_not_asked_is_answered_as_no_data_do_and_noted() -> None:
    kept = AskedVenues()
    assert cast("Venues", kept).resolve("X") == frozenset()
    assert kept.unanswered == {"resolve"}


def test_asked_venues_every_method_of_a_venue_table_is_kept_and_no_other() -> None:
    methods = [name for name in vars(Venues) if not name.startswith("_")]
    assert len(methods) == 14
    assert all(callable(getattr(AskedVenues(Table()), name)) for name in methods)
    with pytest.raises(AttributeError):
        _ = AskedVenues().guess
