"""Reference lists as plain text: where each reference begins."""

from dataclasses import replace

import pytest

from citeproof.model.reference import Diagnostic
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.formats import text

ONE = "A. Lee and B. Ray. On winter in\nold towns. Journal of Snow, 2019."
TWO = "C. Fox. A second title about\nfoxes. Journal of Foxes, 2020."
LISTS = {
    "brackets": f"[1] {ONE}\n[2] {TWO}\n",
    "dots": f"1. {ONE}\n2. {TWO}",
    "from another number": f"Bibliography\n\n(7) {ONE}\n(8) {TWO}",
    "labels": f"[LR19] {ONE}\n[Fox20] {TWO}",
    "blank lines": f"{ONE}\n\n{TWO}\n",
    "hanging": "\n".join(part.replace("\n", "\n   ") for part in (ONE, TWO)),
    "one per line": "\n".join(part.replace("\n", " ") for part in (ONE, TWO)),
}


@pytest.mark.parametrize("name", LISTS)
def test_read_two_references(name: str) -> None:
    document = Document.of_text(LISTS[name], "list.txt")
    first, second = text.read(document).references
    assert (first.title, first.year) == ("On winter in old towns", 2019)
    assert (second.title, second.year) == ("A second title about foxes", 2020)
    assert [reference.raw for reference in (first, second)] == [
        document.text[place.span.start : place.span.end]
        for place in (first.place, second.place)
        if place.span
    ]


VASWANI = "Vaswani, A., Shazeer, N., and Parmar, N. Attention is all you need. In NeurIPS, 2017."
DEAN = "Jeffrey Dean and Sanjay Ghemawat. 2008. MapReduce: simplified data processing. Commun. ACM."


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (LISTS["brackets"], "text"),
        ("References\nA.", "text"),
        (VASWANI, "text"),
        (f"{VASWANI}\n{DEAN}\n", "text"),
        (f"{VASWANI}\n\n{DEAN}\n\nAttention is all you need\n", "text"),
        ("One title\nTwo", "titles"),
        (f"On winter\n{VASWANI}\n", "titles"),
        ("Attention is all you need", "titles"),
        (f"Attention is all you need\nOn winter\n{DEAN}\n", "titles"),
        ("O. Henry in 1904\nDeep Learning for X, Y. and Z., 2012: A Survey\n", "titles"),
        (
            "Proceedings of the 5th Workshop on Snow, WoS 2008, Oslo, Norway, May 3, 2008\n",
            "titles",
        ),
        ("# Knuth, D. E. 1984\nOn winter\n", "titles"),
    ],
)
def test_only_what_looks_like_a_list_is_taken_for_one(written: str, name: str) -> None:
    chosen = formats.detect(Document.of_text(written, "list.txt"))
    assert chosen
    assert name == chosen.NAME


@pytest.mark.parametrize(("people", "read"), [(300, 300), (1400, 1000)])
def test_read_takes_a_list_of_many_people_for_no_fault(people: int, read: int) -> None:
    names = ", ".join(f"Ann{'abcdefghij'[i % 10]} Leem{'aeiou'[i % 5]}n" for i in range(people))
    written = f"{names}, and Bo Wu. The herd of models of sheep, 2024. URL https://arxiv.org/abs/2407.21783."
    (entry,) = text.read(Document.of_text(written)).references
    assert (entry.title, entry.year, entry.doubts) == ("The herd of models of sheep", 2024, ())
    assert len(entry.authors) == min(read, people + 1) or people < 1000
    assert entry.and_others is (people > read)


def test_read_what_is_too_long_for_a_reference_is_a_diagnostic() -> None:
    (entry,) = text.read(Document.of_text("a " * 2000)).entries
    assert isinstance(entry, Diagnostic)
    assert entry.code == "text.too_long"


@pytest.mark.parametrize(
    ("name", "input_format", "guessed"),
    [("list.txt", "", True), ("list.txt", "text", False), ("", "", False), ("list.md", "", False)],
)
def test_read_says_that_a_text_file_was_taken_for_a_list(
    name: str, input_format: str, *, guessed: bool
) -> None:
    document = replace(Document.of_text(LISTS["dots"], name), format=input_format)
    account = text.read(document).account
    assert account
    assert (account.references, account.read) == (2, 4)
    assert ("--from titles" in account.taken_for) is guessed
