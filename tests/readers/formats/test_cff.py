"""Citation files of software."""

import pytest

from citeproof.model.reference import Diagnostic
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.formats import cff


def test_read_gives_entries_in_order_of_lines() -> None:
    text = (
        "cff-version: 1.2.0\nreferences:\n- title: Two\n  authors:\n  - alias: bo\n  - Ann Lee\n"
        "preferred-citation:\n  title: Three\n  conference:\n    name: Proc. of Y\n"
    )
    found = cff.read(Document.of_text(text)).references
    assert [(one.title, one.line, one.authors, one.venue) for one in found] == [
        ("Two", 3, ("bo", "Ann Lee"), ""),
        ("Three", 8, (), "Proc. of Y"),
    ]


@pytest.mark.parametrize(
    "text", ["cff-version: 1.2.0\ntitle: x\n", "cff-version: 1\nreferences:\n"]
)
def test_read_says_that_a_file_without_references_cites_nothing(text: str) -> None:
    (entry,) = formats.read(Document.of_text(text, "CITATION.cff")).entries
    assert isinstance(entry, Diagnostic)
    assert entry.code == "cff.no_references"
    assert entry.message.startswith("cites nothing")


def test_read_takes_the_doi_of_the_identifiers() -> None:
    text = (
        "cff-version: 1.2.0\nreferences:\n- title: One\n  identifiers:\n"
        "  - type: url\n    value: https://doi.org/10.1000/9\n"
        "  - type: doi\n    value: 10.1000/1\n"
        "- title: Two\n  doi: 10.1000/2\n  identifiers: [{type: doi, value: 10.1000/3}, x]\n"
    )
    found = cff.read(Document.of_text(text)).references
    assert [one.doi for one in found] == ["10.1000/1", "10.1000/2"]
