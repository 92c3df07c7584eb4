"""Store values of the model as JSON, and load them.

The classes of the model declare what is stored. Fields with their default value are left out, so
that a field can be added without changing what is stored already.
"""

import json
import re
from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from pydantic import TypeAdapter

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object, with the names of the fields as keys."""
_Value = TypeVar("_Value")
_SURROGATE = re.compile("[\ud800-\udfff]")


@cache
def _adapter(kind: Any) -> "TypeAdapter[Any]":
    from pydantic import TypeAdapter  # imported here, because many runs store nothing

    return TypeAdapter(kind)


def stored(value: object, without: Collection[str] = ()) -> bytes:
    r"""Return ``value``, an instance of a class of the model, as JSON in UTF-8.

    The fields ``without`` are left out. Lone surrogates, which UTF-8 lacks, become texts like
    ``\ud800``.
    """
    adapter = _adapter(cast("Any", type(value)))
    try:
        return adapter.dump_json(value, exclude=set(without), exclude_defaults=True)
    except ValueError:
        fields = adapter.dump_python(value, exclude=set(without), exclude_defaults=True)
        text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
        return _SURROGATE.sub(lambda found: rf"\\u{ord(found[0]):x}", text).encode()


def json_values(value: object) -> JsonObject:
    """Return ``value`` as :func:`stored` does, as a dictionary of JSON values."""
    adapter = _adapter(cast("Any", type(value)))
    fields: JsonObject = adapter.dump_python(value, mode="json", exclude_defaults=True)
    return fields


def loaded(kind: type[_Value], data: str | bytes) -> _Value:
    """Return the value of the class ``kind`` that :func:`stored` wrote.

    Raises :class:`ValueError` if ``data`` is something else.
    """
    adapter: TypeAdapter[_Value] = _adapter(cast("Any", kind))
    return adapter.validate_json(data)
