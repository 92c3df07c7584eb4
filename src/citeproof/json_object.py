"""A JSON object that is declared as a pydantic model and written without validating it.

The values come from our own nouns, which are right by their types: checking them again takes three times as long as
writing them. One declaration still gives both the schema and the values.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict

Writer = Callable[[Any], Any]


class JsonObject(BaseModel):
    """What all objects share: they are made of the attributes of a noun."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    @classmethod
    def values(cls, noun: Any) -> Any:
        """Return what the fields are read from: ``noun`` itself, or its values by name."""
        return noun

    @classmethod
    def of(cls, noun: Any) -> dict[str, Any]:
        """Return ``noun`` as a JSON object; a name that ``values`` leaves out is left out."""
        values = cls.values(noun)
        fields = _fields(cls)
        if isinstance(values, dict):
            return {
                name: write(values[read]) if write else values[read] for name, read, write in fields if read in values
            }
        return {name: write(getattr(values, read)) if write else getattr(values, read) for name, read, write in fields}


@cache
def _fields(model: type[JsonObject]) -> tuple[tuple[str, str, Writer | None], ...]:
    """Return each field's name, the name that it is read by, and what makes its value plain; None where it is."""
    return tuple(
        (name, str(field.validation_alias or name), _writer(field.annotation, tuple(field.metadata)))
        for name, field in model.model_fields.items()
    )


def _writer(kind: Any, metadata: tuple[Any, ...] = ()) -> Writer | None:
    for rounding in metadata:
        if isinstance(rounding, AfterValidator):
            return cast("Writer", rounding.func)
    if get_origin(kind) in {Union, UnionType}:
        (inner,) = (member for member in get_args(kind) if member is not NoneType)
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
