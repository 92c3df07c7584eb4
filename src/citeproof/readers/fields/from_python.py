"""Check and convert references made by Python code, such as
``Reference(authors="A and B", year="2017")``.
"""

from collections.abc import Iterable
from dataclasses import fields, replace
from numbers import Integral, Real
from typing import Any

from citeproof.model.errors import InputError
from citeproof.model.reference import Reference
from citeproof.readers.fields.authors import arrange_authors, split_authors
from citeproof.text.identifiers import find_arxiv_id, find_doi, is_doi

_TEXTS = tuple(field.name for field in fields(Reference) if field.type is str)


def accept(reference: object) -> Reference:
    """Return ``reference`` with each field converted to its declared type.

    Raises :class:`InputError` if ``reference`` is not a reference, or if a value cannot be
    converted.
    """
    if not isinstance(reference, Reference):
        raise InputError(f"a citeproof.Reference is needed, not {_named(reference)}")
    values: dict[str, Any] = {name: _text(reference, name) for name in _TEXTS}
    if not is_doi(values["doi"]):
        values["doi"] = find_doi(values["doi"]) or values["doi"]
    values["arxiv_id"] = find_arxiv_id(values["arxiv_id"] or values["doi"]) or values["arxiv_id"]
    values["authors"], others = _authors(reference)
    values["and_others"] = bool(reference.and_others or others)
    values["year"] = _year(reference)
    return replace(reference, **values)


def _text(reference: Reference, name: str) -> str:
    """Return the field ``name`` of ``reference`` as text. None becomes an empty text, and a number
    its digits.
    """
    value: object = getattr(reference, name)
    if value is None:
        return ""
    if (
        isinstance(value, Integral)
        and not isinstance(value, bool)
        and name not in {"doi", "arxiv_id"}
    ):
        return str(int(value))
    if not isinstance(value, str):
        raise _refused(reference, name, "is a text", value)
    return value


def _authors(reference: Reference) -> tuple[tuple[str, ...], bool]:
    """Return the names of the authors, and whether ``and others`` follows them. If the field is a
    text, it is split as in BibTeX.
    """
    value: object = reference.authors
    if value is None:
        return (), False
    if isinstance(value, str):
        return split_authors(value)
    names = (
        list(value)
        if isinstance(value, Iterable) and not isinstance(value, bytes | dict)
        else [None]
    )
    if not all(isinstance(name, str) for name in names):
        raise _refused(
            reference,
            "authors",
            "is a list of names, or one text of names with 'and' between them",
            value,
        )
    return (value, False) if isinstance(value, tuple) else arrange_authors(map(str, names))


def _year(reference: Reference) -> int | None:
    value: object = reference.year
    if isinstance(value, str):
        value = value.strip() or None
    if value is None:
        return None
    if isinstance(value, str) and value.isdecimal() and len(value) <= 4:
        return int(value)
    number: Any = value if isinstance(value, Real) and not isinstance(value, bool) else None
    if number is not None and abs(number) < 10_000 and float(number).is_integer():  # numpy, 2017.0
        return int(float(number))
    raise _refused(reference, "year", "is a number such as 2017, or None", value)


def _refused(reference: Reference, name: str, takes: str, value: object) -> InputError:
    return InputError(f"reference {reference.key!r}: {name} {takes}, not {_named(value)}")


def _named(value: object) -> str:
    # Python refuses to print an int of 4,301 digits
    if isinstance(value, int) and abs(value) >= 10**40:
        return "an int of more than 40 digits"
    return f"{type(value).__name__} {str(value)[:40]!r}"
