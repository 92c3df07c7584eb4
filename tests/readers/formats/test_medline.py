"""MEDLINE as PubMed exports it."""

import pytest

from citeproof.readers.document import Document
from citeproof.readers.formats import medline


def test_read_a_book_without_a_journal() -> None:
    text = "PMID- 1\nBTI - A Whole Book\nPB  - Press\nAU  - van der Berg ABC\nDP  - 1999\n"
    (one,) = medline.read(Document.of_text(text)).references
    assert (one.title, one.publisher, one.year) == ("A Whole Book", "Press", 1999)
    assert one.authors == ("van der Berg, A. B. C.",)


def test_read_records_without_a_blank_line_between_them_are_two() -> None:
    found = medline.read(Document.of_text("PMID- 1\nTI  - One\nPMID- 2\nTI  - Two\n"))
    assert [(one.key, one.title, one.line) for one in found.references] == [
        ("1", "One", 1),
        ("2", "Two", 3),
    ]


def test_read_the_doi_is_the_one_that_says_so() -> None:
    text = "PMID- 1\nTI  - One\nAID - S0140-6736(19)1 [pii]\nAID - 10.1000/a(1) [doi]\n"
    (one,) = medline.read(Document.of_text(text)).references
    assert one.doi == "10.1000/a(1)"


@pytest.mark.parametrize(("tag", "kind"), [("JT", "article"), ("TA", "article"), ("PB", "")])
def test_read_takes_a_record_with_a_journal_for_an_article(tag: str, kind: str) -> None:
    text = f"PMID- 1\nTI  - On sheep.\n{tag}  - Wool\nPG  - 1023-9\nAU  - Lee AB\n"
    (found,) = medline.read(Document.of_text(text)).references
    assert (found.entry_type, found.title, found.pages) == (kind, "On sheep", "1023–1029")
    assert found.authors == ("Lee, A. B.",)


@pytest.mark.parametrize(
    ("people", "authors"),
    [
        ("FAU - Lee, Ann\nAU  - Lee A\nCN  - Team", ("Lee, Ann",)),
        ("AU  - Lee A\nFED - Fox, Bo", ("Lee, A.",)),
        ("AU  - Lee ab\nAU  - WHO", ("Lee ab", "WHO")),
        ("CN  - Sheep Study Group\nFED - Fox, Bo", ("Sheep Study Group",)),
        ("FED - Fox, Bo\nED  - Fox B", ("Fox, Bo",)),
    ],
)
def test_read_takes_groups_and_editors_if_no_author_is_named(
    people: str, authors: tuple[str, ...]
) -> None:
    (found,) = medline.read(Document.of_text(f"PMID- 1\nTI  - On sheep\n{people}\n")).references
    assert found.authors == authors
