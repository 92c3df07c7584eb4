"""A JSON object that is declared once and written without being validated.

The values come from our own nouns, which are right by their types: checking them takes three times as long as writing
them. The declaration also gives the published schema: pydantic takes a declared object for a model
(:mod:`citeproof.json_model`), and is loaded only where somebody wants a schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

Writer = Callable[[Any], Any]
MISSING: Any = object()
"""The default of a member that has none."""


@dataclass(frozen=True, slots=True)
class Member:
    """What a declaration says of a member besides its type."""

    default: Any = MISSING
    description: str = ""
    least: float | None = None
    most: float | None = None
    attribute: str = ""
    """The attribute of the noun that it is read from; empty: the one of its own name."""


def member(
    default: Any = MISSING, *, description: str = "", least: float | None = None, most: float | None = None,
    attribute: str = "",
) -> Any:  # fmt: skip
    """Declare a member of a JSON object, as :class:`Member` describes it."""
    return Member(default, description, least, most, attribute)


@dataclass(frozen=True, slots=True)
class Rounded:
    """A number that is written with so many digits behind the point: ``Annotated[float, Rounded(3)]``."""

    digits: int

    def __call__(self, number: float) -> float:
        """Return ``number`` as it is written."""
        return round(number, self.digits)


class JsonObject:
    """What all objects share: they are made of the attributes of a noun."""

    always_whole: ClassVar[bool] = True
    """Members with a default are there too."""
    examples: ClassVar[list[dict[str, Any]]] = []
    """Examples for the published schema."""

    @classmethod
    def values(cls, noun: Any) -> Any:
        """Return what the members are read from: ``noun`` itself, or its values by name."""
        return noun

    @classmethod
    def of(cls, noun: Any) -> dict[str, Any]:
        """Return ``noun`` as a JSON object; a name that ``values`` leaves out is left out."""
        values = cls.values(noun)
        fields = _fields(cls)  # type: ignore[arg-type]  # mypy takes no class for hashable
        if isinstance(values, dict):
            return {
                name: write(values[read]) if write else values[read] for name, read, write in fields if read in values
            }
        return {name: write(getattr(values, read)) if write else getattr(values, read) for name, read, write in fields}

    @classmethod
    def members(cls) -> Mapping[str, tuple[Any, Member]]:
        """Return each member's type and declaration, by its name, in their order."""
        return _members(cls)  # type: ignore[arg-type]  # mypy takes no class for hashable

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Let pydantic, and FastAPI with it, take the object for a model."""
        from citeproof.json_model import model_of

        return handler.generate_schema(model_of(cls))


@cache
def _members(shape: type[JsonObject]) -> Mapping[str, tuple[Any, Member]]:
    kinds = get_type_hints(shape, include_extras=True)
    return {name: (kind, _declared(shape, name)) for name, kind in kinds.items() if get_origin(kind) is not ClassVar}


def _declared(shape: type[JsonObject], name: str) -> Member:
    declared = getattr(shape, name, MISSING)
    return declared if isinstance(declared, Member) else Member(declared)


@cache
def _fields(shape: type[JsonObject]) -> tuple[tuple[str, str, Writer | None], ...]:
    """Return each member's name, the name that it is read by, and what makes its value plain; None where it is."""
    return tuple(
        (name, declared.attribute or name, _writer(kind)) for name, (kind, declared) in shape.members().items()
    )


def _writer(kind: Any) -> Writer | None:
    if get_origin(kind) is Annotated:
        return next((said for said in kind.__metadata__ if isinstance(said, Rounded)), None) or _writer(kind.__origin__)
    if get_origin(kind) in {Union, UnionType}:
        (inner,) = (one for one in get_args(kind) if one is not NoneType)
        write = _writer(inner)
        return _if_any(write) if write else None
    if get_origin(kind) is list:
        write = _writer(*get_args(kind))
        return _each(write) if write else list
    if get_origin(kind) is dict:
        return lambda values: {str(name): value for name, value in values.items()}
    if isinstance(kind, type) and issubclass(kind, JsonObject):
        return kind.of
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return lambda value: value.value
    return None


def _if_any(write: Writer) -> Writer:
    return lambda value: None if value is None else write(value)


def _each(write: Writer) -> Writer:
    return lambda values: [write(value) for value in values]
