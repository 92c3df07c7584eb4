"""Declared JSON objects as pydantic models, and the schemas that follow from them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.json_schema import GenerateJsonSchema

from citeproof.json_object import MISSING

if TYPE_CHECKING:
    from citeproof.json_object import JsonObject, Member

DIALECT = GenerateJsonSchema.schema_dialect
"""The address of the version of JSON Schema that the schemas are written in."""


def model_of(shape: type[JsonObject]) -> type[BaseModel]:
    """Return the model of what ``shape`` declares, the same at each call."""
    return _model_of(shape)  # type: ignore[arg-type]  # mypy takes no class for hashable


@cache
def _model_of(shape: type[JsonObject]) -> type[BaseModel]:
    members: dict[str, Any] = {name: (kind, _field(declared)) for name, (kind, declared) in shape.members().items()}
    return create_model(
        shape.__name__,
        __config__=ConfigDict(
            json_schema_serialization_defaults_required=shape.always_whole,
            json_schema_extra={"examples": list(shape.examples)} if shape.examples else None,
        ),
        __doc__=shape.__doc__,
        __module__=shape.__module__,
        **members,
    )


def schema_of(shape: type[JsonObject]) -> dict[str, Any]:
    """Return the JSON schema of the objects of ``shape``, as they are written."""
    return model_of(shape).model_json_schema(mode="serialization", schema_generator=_PlainSchema)


def _field(declared: Member) -> Any:
    return Field(
        ... if declared.default is MISSING else declared.default,
        validation_alias=declared.attribute or None,
        description=declared.description or None,
        ge=declared.least,
        le=declared.most,
    )


class _PlainSchema(GenerateJsonSchema):
    """JSON schemas without titles that repeat a field's name, and without defaults: every field is always there."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Whether a field without a title of its own gets one."""
        return False

    def default_schema(self, schema: Any) -> dict[str, Any]:
        """Return the schema of a field that has a default."""
        return self.generate_inner(schema["schema"])
