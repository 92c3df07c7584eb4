"""Reference lists as plain text: where each reference begins."""

from __future__ import annotations

import pytest

from citeproof.formats import text
from citeproof.inputs.document import Document
from citeproof.models import Diagnostic

ONE = "A. Lee and B. Ray. On winter in\nold towns. Journal of Snow, 2019."
TWO = "C. Fox. A second title about\nfoxes. Journal of Foxes, 2020."
LISTS = {
    "brackets": f"[1] {ONE}\n[2] {TWO}\n",
    "dots": f"1. {ONE}\n2. {TWO}",
    "from another number": f"Bibliography\n\n(7) {ONE}\n(8) {TWO}",
    "labels": f"[LR19] {ONE}\n[Fox20] {TWO}",
    "blank lines": f"{ONE}\n\n{TWO}\n",
    "hanging": "\n".join(part.replace("\n", "\n   ") for part in (ONE, TWO)),
    "one a line": "\n".join(part.replace("\n", " ") for part in (ONE, TWO)),
}


@pytest.mark.parametrize("name", LISTS)
def test_two_references(name: str) -> None:
    document = Document.of_text(LISTS[name], "list.txt")
    first, second = text.read(document).references
    assert (first.title, first.year) == ("On winter in old towns", 2019)
    assert (second.title, second.year) == ("A second title about foxes", 2020)
    assert [reference.raw for reference in (first, second)] == [
        document.text[place.span.start : place.span.end] for place in (first.place, second.place) if place.span
    ]


@pytest.mark.parametrize(("written", "score"), [(LISTS["brackets"], 1), ("References\nA.", 1), ("One title\nTwo", 0)])
def test_only_what_looks_like_a_list_is_taken_for_one(written: str, score: int) -> None:
    assert text.accepts(Document.of_text(written)) == score


def test_what_is_too_long_for_a_reference_is_a_diagnostic() -> None:
    (entry,) = text.read(Document.of_text("a " * 2000)).entries
    assert isinstance(entry, Diagnostic)
    assert entry.code == "text.too_long"
