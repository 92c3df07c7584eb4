"""Values follow from the declaration, and pydantic agrees with them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from citeproof.json_model import model_of
from citeproof.json_object import JsonObject, Rounded, member


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Leaf:
    length: float
    colour: Colour = Colour.RED


@dataclass(frozen=True)
class Tree:
    leaves: tuple[Leaf, ...]
    names: tuple[str, ...]
    crown: Leaf | None
    counts: dict[Any, int]


class LeafObject(JsonObject):
    length: Annotated[float, Rounded(1)]
    colour: Colour


class TreeObject(JsonObject):
    parts: list[LeafObject] = member(attribute="leaves")
    names: list[str]
    crown: LeafObject | None
    counts: dict[str, int]


TREE = Tree((Leaf(1.23), Leaf(4.56)), ("oak",), None, {Colour.RED: 2})


def test_a_noun_is_written_as_it_is_declared() -> None:
    written = TreeObject.of(TREE)
    assert written == {
        "parts": [{"length": 1.2, "colour": "red"}, {"length": 4.6, "colour": "red"}],
        "names": ["oak"],
        "crown": None,
        "counts": {"red": 2},
    }
    assert type(written["parts"][0]["colour"]) is str
    assert (
        model_of(TreeObject).model_validate({**written, "leaves": written["parts"]}).model_dump(mode="json") == written
    )


def test_what_values_leaves_out_is_left_out() -> None:
    class Bare(TreeObject):
        @classmethod
        def values(cls, noun: Any) -> dict[str, Any]:
            return {"names": noun.names}

    assert Bare.of(TREE) == {"names": ["oak"]}
