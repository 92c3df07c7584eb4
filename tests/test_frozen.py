"""Dataclasses that are made quickly are what :mod:`dataclasses` would make of them."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, replace
from typing import Any

import pytest

from citeproof.frozen import changed, frozen, values_of
from citeproof.models import Record


class Plain:
    """A noun as a class that nothing has been made of."""

    url: str
    source: str = "dblp"
    year: int | None = None


Quick: Any = frozen(type("Noun", (), dict(Plain.__dict__)))
Usual: Any = dataclass(frozen=True, slots=True)(type("Noun", (), dict(Plain.__dict__)))


@pytest.mark.parametrize("given", [{"url": "a"}, {"url": "a", "year": 2001}, {"url": "a", "source": "acl", "year": 1}])
def test_it_holds_what_a_dataclass_holds(given: dict[str, object]) -> None:
    assert asdict(Quick(**given)) == asdict(Usual(**given))
    assert repr(Quick(**given)) == repr(Usual(**given))
    assert values_of(Quick(**given)) == values_of(Usual(**given))


def test_it_is_made_by_the_same_arguments() -> None:
    assert inspect.signature(Quick) == inspect.signature(Usual)
    with pytest.raises(TypeError, match="url"):
        Quick()


def test_it_is_equal_by_its_values_and_can_be_a_key() -> None:
    assert Quick("a", year=2001) == Quick("a", "dblp", 2001)
    assert Quick("a") != Quick("b")
    assert {Quick("a"), Quick("a", "dblp")} == {Quick("a")}


def test_it_cannot_be_written_to() -> None:
    with pytest.raises(FrozenInstanceError):
        Quick("a").url = "b"
    with pytest.raises((AttributeError, TypeError)):
        Quick("a").other = "b"


def test_it_is_changed_as_by_replace() -> None:
    record = Record("k", "A title", ("A. Lee",), 2001)
    assert changed(record, year=None, doi="10.1/x") == replace(record, year=None, doi="10.1/x")
    with pytest.raises(TypeError, match="yaer"):
        changed(record, yaer=2001)


def test_it_survives_the_way_to_another_process() -> None:
    record = Record("k", "A title", ("A. Lee",), 2001)
    assert pickle.loads(pickle.dumps(record)) == record
