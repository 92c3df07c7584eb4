"""Our reader beside bibtexparser 2 and pybtex on the well-formed real files: the same entries,
titles and names.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pybtex.errors
import pytest
from bibtexparser.entrypoint import parse_string
from pybtex.database.input.bibtex import Parser

from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex
from citeproof.text.normalize import normalize_title
from tests.scenarios.formats.messy import FILES, MALFORMED

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.model.reference import Reference

pytestmark = pytest.mark.shared

WELL_FORMED = [name for name in FILES if name not in MALFORMED]

# Where we differ on purpose, and why.
KNOWN_TITLES = {
    "Rigutti_2010a": "the exporter escaped LaTeX's own braces; bibtexparser leaves the backslashes"
}
KNOWN_AUTHORS = {
    "cppnetlib": "semicolons between people, which BibTeX takes for parts of one name",
    "VBRR:02": "`Vo\\ss, G.`: pybtex joins the parts",
}


@pytest.mark.parametrize("name", WELL_FORMED)
def test_bibtexparser_reads_the_same_entries_and_titles(shared: Path, name: str) -> None:
    text = (shared / "samples" / "bib" / f"{name}.bib").read_text(encoding="utf-8")
    ours = bibtex.read(Document.of_text(text)).references
    theirs = parse_string(text).entries
    assert [reference.key for reference in ours] == [entry.key for entry in theirs]
    for reference, entry in zip(ours, theirs, strict=True):
        fields = {field.key.lower(): str(field.value) for field in entry.fields}
        if "title" in fields and "#" not in fields["title"] and reference.key not in KNOWN_TITLES:
            title = f"{fields['title']} {fields.get('subtitle', '')}"
            assert normalize_title(reference.title) == normalize_title(title), reference.key


@pytest.mark.parametrize("name", WELL_FORMED)
def test_pybtex_reads_the_same_names(shared: Path, name: str) -> None:
    text = (shared / "samples" / "bib" / f"{name}.bib").read_text(encoding="utf-8")
    with pybtex.errors.capture():
        theirs = Parser().parse_string(text).entries
    ours = bibtex.read(Document.of_text(text)).references
    assert Counter(reference.key.lower() for reference in ours) == Counter(
        key.lower() for key in theirs
    )
    for reference in ours:
        people = theirs[reference.key].persons.get("author", [])
        if people and reference.key not in KNOWN_AUTHORS:
            names = [
                " ".join(
                    (
                        *person.prelast_names,
                        *person.last_names,
                        *person.first_names,
                        *person.middle_names,
                        *person.lineage_names,
                    )
                )
                for person in people
            ]
            assert _words(reference) == [
                _sorted(written) for written in names if written != "others"
            ], reference.key


def _words(reference: Reference) -> list[list[str]]:
    return [_sorted(author) for author in reference.authors]


def _sorted(name: str) -> list[str]:
    return sorted(normalize_title(name).split())
