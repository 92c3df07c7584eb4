"""What counts as a change of an entry, and what is mere layout."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citeproof.fix.acceptance import content_of
from citeproof.model.reference import Reference
from citeproof.readers.document import Document
from citeproof.readers.formats.bibtex import read

ENTRY = "@article{k, title = {A Theory of the {Learnable}}, author = {Valiant, L. G.}, year = 1984, note = {x}}"


def content(entry: str) -> str:
    (reference,) = read(Document.of_text(entry, "refs.bib")).references
    return content_of(reference)


@pytest.mark.parametrize(
    "other",
    [
        "@Article(k,\n  year = {1984},\n  author = \"Valiant,  L. G.\",\n  title = {A theory of the learnable}\n)",
        ENTRY.replace("{k,", "{another,"),
        ENTRY.replace("{x}", "{y}"),
    ],
    ids=["layout", "key", "note"],
)  # fmt: skip
def test_layout_does_not_count(other: str) -> None:
    assert other != ENTRY
    assert content(other) == content(ENTRY)


@pytest.mark.parametrize(
    ("before", "after"),
    [("1984", "1985"), ("Theory", "Notion"), ("L. G.", "L."), ("article", "book"), ("note", "url"), ("note", "pages")],
)
def test_what_is_said_of_the_work_counts(before: str, after: str) -> None:
    assert content(ENTRY.replace(before, after)) != content(ENTRY)


def test_of_running_text_the_text_counts() -> None:
    text = Reference("1", "A Theory", year=1984, raw="Valiant. A Theory. 1984.", from_text=True)
    assert content_of(replace(text, title="Valiant. A Theory")) == content_of(text), "it is read in another way"
    assert content_of(replace(text, raw="Valiant.  A Theory.\n1984.")) == content_of(text)
    assert content_of(replace(text, raw="Valiant. A Theory. 1985.")) != content_of(text)
