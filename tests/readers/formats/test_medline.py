"""MEDLINE as PubMed exports it."""

from citeproof.readers.document import Document
from citeproof.readers.formats import medline


def test_a_book_without_a_journal() -> None:
    text = "PMID- 1\nBTI - A Whole Book\nPB  - Press\nAU  - van der Berg ABC\nDP  - 1999\n"
    (one,) = medline.read(Document.of_text(text)).references
    assert (one.title, one.publisher, one.year) == ("A Whole Book", "Press", 1999)
    assert one.authors == ("van der Berg, A. B. C.",)


def test_records_without_a_blank_line_between_them_are_two() -> None:
    found = medline.read(Document.of_text("PMID- 1\nTI  - One\nPMID- 2\nTI  - Two\n"))
    assert [(one.key, one.title, one.line) for one in found.references] == [
        ("1", "One", 1),
        ("2", "Two", 3),
    ]


def test_the_doi_is_the_one_that_says_so() -> None:
    text = "PMID- 1\nTI  - One\nAID - S0140-6736(19)1 [pii]\nAID - 10.1000/a(1) [doi]\n"
    (one,) = medline.read(Document.of_text(text)).references
    assert one.doi == "10.1000/a(1)"
