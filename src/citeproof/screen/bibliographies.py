"""Parse papers into bibliography entries in a worker process. Equal references get the same
signature, by which they are merged later.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from citeproof.database.title_index.exact import main_title
from citeproof.model.errors import one_line
from citeproof.model.reference import Bibliography, Diagnostic, Reference, Severity
from citeproof.model.stored import loaded
from citeproof.readers.document import Document
from citeproof.readers.formats import json_list, read
from citeproof.readers.isolation import Limits, OverTime
from citeproof.readers.opening import open_documents
from citeproof.readers.papers import paper_in, papers_of
from citeproof.screen.papers import LINES, Unit, part
from citeproof.text.normalize import normalize_title


class Cited(NamedTuple):
    """An entry in the bibliography of a paper."""

    # hash of 16 bytes, the same for equal references; empty if the entry could not be read
    signature: bytes
    fields: str  # fields of the reference that are not empty, in JSON
    key: str
    file: str
    line: int
    page: int
    trouble: str = ""  # why the entry could not be read; empty if it was read
    is_note: bool = False  # whether the entry is not a publication


class ReadPaper(NamedTuple):
    """A paper with its bibliography entries. If it could not be read, ``trouble`` is the reason."""

    name: str
    cited: tuple[Cited, ...]
    trouble: str = ""


class ReadUnit(NamedTuple):
    """The papers that were read from the input ``unit``, and the number of seconds that this
    took.
    """

    unit: Unit
    papers: tuple[ReadPaper, ...]
    seconds: float


def read_units(limits: Limits, units: list[Unit]) -> list[ReadUnit]:
    """Read each input in ``units`` and return the results in the same order.

    If reading an input takes more time or memory than ``limits`` permits, its result has the reason
    instead of entries.
    """
    return [_read(limits, unit) for unit in units]


def failed(unit: Unit, trouble: str, seconds: float = 0.0) -> ReadUnit:
    """Return the result for the input ``unit`` that could not be read, with the reason ``trouble``
    and the seconds that the attempt took.
    """
    return ReadUnit(unit, (ReadPaper(unit.paper, (), trouble),), seconds)


def _read(limits: Limits, unit: Unit) -> ReadUnit:
    if unit.trouble:
        return failed(unit, unit.trouble)
    if unit.left_out:
        return ReadUnit(unit, (), 0.0)
    start = perf_counter()
    try:
        with limits.kept():
            papers = tuple(_papers(unit))
        return ReadUnit(unit, papers, perf_counter() - start)
    except OverTime:
        trouble = f"reading it took more than {limits.seconds:g} seconds"
    except MemoryError:
        trouble = f"reading it took more than {limits.megabytes} MB"
    except Exception as error:  # noqa: BLE001 - a bad paper must not stop the others
        trouble = f"a fault of citeproof, please report it: {one_line(error)}"
    return failed(unit, trouble, perf_counter() - start)


def _papers(unit: Unit) -> Iterator[ReadPaper]:
    """Yield the papers of ``unit``. A file in a folder or archive that is not a paper yields
    nothing.
    """
    if unit.size:
        with Path(unit.path).open("rb") as file:
            file.seek(unit.start)
            yield from _lines(Document.of(unit.path, file.read(unit.size)), unit.line)
        return
    opened = (part(unit.path, unit.stamp, unit.part),) if unit.part else open_documents([unit.path])
    for document in papers_of(opened):
        if isinstance(document, Diagnostic):
            yield ReadPaper(document.place.file, (), document.message)
        elif isinstance(document, Bibliography):
            if document.entries:
                place = document.entries[0].place
                yield _paper(place.paper or place.file, document)
        elif document.suffix in LINES:
            yield from _lines(document)
        elif not unit.found:
            yield _paper(document.name, read(document))
        elif paper := paper_in(document):
            yield _paper(document.name, paper)


def _paper(name: str, bibliography: Bibliography) -> ReadPaper:
    entries = bibliography.entries
    if len(entries) == 1 and isinstance(entries[0], Diagnostic) and entries[0].of_document:
        return ReadPaper(name, (), entries[0].message)
    return ReadPaper(name, tuple(map(_cited, entries)))


def _lines(document: Document, before: int = 0) -> Iterator[ReadPaper]:
    """Yield the papers in ``document``, which is a piece of a JSON lines file.

    ``before`` is the number of lines of the file before this piece.
    """
    for name, cited in groupby(
        json_list.read(document).entries, key=lambda entry: _named(entry.raw) or document.name
    ):
        yield ReadPaper(
            name, tuple(each._replace(line=each.line + before) for each in map(_cited, cited))
        )


def _named(raw: str) -> str:
    try:
        item: Any = json.loads(raw)
    except ValueError:
        return ""
    return str(item.get("paper") or "") if isinstance(item, dict) else ""


def _cited(entry: Reference | Diagnostic) -> Cited:
    described = describe(entry) if isinstance(entry, Reference) else (b"", "")
    cited = Cited(*described, entry.key, entry.place.file, entry.place.line, entry.place.page)
    if isinstance(entry, Reference):
        return cited
    return cited._replace(trouble=entry.message[:200], is_note=entry.severity is Severity.NOTE)


# regex for the number before an entry: ``[12]``, ``12.``
_LABEL = re.compile(r"^\s*(?:\[\w{1,12}\]|\d{1,4}[.)])\s*")
_DEFAULTS = {
    field.name: field.default
    for field in fields(Reference)
    if field.default is not MISSING and field.name not in {"place", "raw", "string"}
}


def describe(reference: Reference) -> tuple[bytes, str]:
    """Return a hash of ``reference``, and its fields in JSON. Equal references have equal hashes.

    White space, the citation key and the place in the paper do not affect the hash. The title is
    normalised before hashing.
    """
    given = ((name, getattr(reference, name)) for name in _DEFAULTS)
    values = {name: _plain_spaces(value) for name, value in given if value != _DEFAULTS[name]}
    if reference.from_text:
        values["raw"] = _plain_spaces(_LABEL.sub("", reference.raw))
    if reference.string:
        values["string"] = reference.string
    values = {name: value for name, value in values.items() if value}
    text = json.dumps(values)
    values["title"] = [normalize_title(reference.title), main_title(reference.title)]
    values.pop("string", None)
    return blake2b(json.dumps(values, sort_keys=True).encode(), digest_size=16).digest(), text


def from_json(text: str) -> Reference:
    """Return the reference whose fields are in ``text``. :func:`describe` writes such a text."""
    return loaded(Reference, json.dumps({"key": "", **json.loads(text)}))


def _plain_spaces(value: Any) -> Any:
    if isinstance(value, str):
        return " ".join(value.split())
    return [" ".join(each.split()) for each in value] if isinstance(value, tuple) else value
