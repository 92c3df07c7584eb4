"""The real files beside the checkout: every entry of each is accounted for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from citeproof.model.reference import Reference
from citeproof.readers.formats import read_all
from citeproof.readers.opening import open_documents
from citeproof.readers.papers import papers_of
from tests.fuzz.oracle import check
from tests.scenarios.formats.messy import FILES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.shared

FORMATS = {".bib": "bibtex", ".bbl": "bbl", ".ris": "ris", ".pdf": "pdf"}


@pytest.mark.parametrize("name", FILES)
def test_every_entry_is_a_reference_or_a_diagnostic(shared: Path, name: str) -> None:
    path = shared / "samples" / "bib" / f"{name}.bib"
    text = path.read_text(encoding="utf-8")
    kinds = [kind.lower() for kind in re.findall(r"(?m)^%?[ \t]*@[ \t]*(\w+)\s*[{(]", text)]
    expected = [kind for kind in kinds if kind not in {"string", "preamble", "comment"}]
    (bibliography,) = read_all(papers_of(open_documents([str(path)])))
    entries = bibliography.entries
    assert len(entries) == len(expected)
    lines = text.split("\n")
    assert all("@" in lines[entry.line - 1] for entry in entries)
    assert [entry.line for entry in entries] == sorted(entry.line for entry in entries)


@pytest.mark.parametrize(
    "name",
    [
        "bib/*.bib",
        "bib/*.bbl",
        "projects/*/*.bbl",
        "ris/*.ris",
        pytest.param("pdfs/**/*.pdf", marks=pytest.mark.slow),
    ],
)
def test_what_holds_of_every_input_holds_of_the_samples(shared: Path, name: str) -> None:
    paths = sorted((shared / "samples").glob(name))
    assert len(paths) >= 2
    for path in paths:
        found = check(FORMATS[path.suffix], path.read_bytes())
        assert any(isinstance(entry, Reference) for entry in found.entries), path


@pytest.mark.parametrize("folder", ["bib", "projects"])
def test_every_item_of_a_bbl_is_a_reference_or_a_diagnostic(shared: Path, folder: str) -> None:
    paths = sorted((shared / "samples" / folder).rglob("*.bbl"))
    assert len(paths) >= 2
    for path in paths:
        text = re.sub(r"(?<!\\)%.*", "", path.read_text(encoding="utf-8", errors="replace"))
        items = re.findall(r"\\bibitem\b(?!\s*@)", text)
        entries = set(re.findall(r"\\entry\{([^{}]*)\}", text))
        (bibliography,) = read_all(papers_of(open_documents([str(path)])))
        assert len(bibliography.entries) == len(items or entries), path
