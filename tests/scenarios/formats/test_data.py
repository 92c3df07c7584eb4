"""Every format has a folder of data: a sample that is known for what it is, and what it must be
read as.

``tests/data/formats/<name>/sample*`` is one document; ``expected.toml`` lists its entries, each
with the fields that matter.
"""

import tomllib
from pathlib import Path

import pytest

from citeproof.model.reference import Diagnostic
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.opening import open_documents

DATA = Path(__file__).parents[2] / "data" / "formats"


def sample(name: str) -> Document:
    (path,) = (DATA / name).glob("sample*")
    (document,) = open_documents([str(path)])
    assert isinstance(document, Document)
    return document


@pytest.mark.parametrize("name", formats.names())
def test_the_sample_is_read_as_expected(name: str) -> None:
    document = sample(name)
    expected = tomllib.loads((DATA / name / "expected.toml").read_text("utf-8"))["entry"]
    chosen = formats.detect(document)
    assert chosen
    assert name == chosen.NAME
    entries = formats.read(document).entries
    assert len(expected) >= 2
    found = [
        {field: _plain(getattr(entry, field, None)) for field in one}
        for entry, one in zip(entries, expected, strict=True)
    ]
    assert found == expected
    for entry in entries:
        assert document.name in {entry.place.file, entry.place.paper}
        assert entry.place.span or entry.place.page or entry.place.line
        if entry.place.span and not isinstance(entry, Diagnostic):
            (source,) = open_documents([entry.place.file])
            assert isinstance(source, Document)
            assert entry.raw == source.text[entry.place.span.start : entry.place.span.end]


@pytest.mark.parametrize("name", formats.names())
def test_no_other_format_is_as_sure_of_the_sample(name: str) -> None:
    document = sample(name)
    surer = [
        other
        for other in formats.names()
        if formats.load(other).accepts(document) == 2 and other != name
    ]
    assert surer == []


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
