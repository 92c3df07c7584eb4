"""Where a field stands, by lines and columns."""

import pytest

from citeproof.model.reference import Place, Reference, Severity
from citeproof.model.verdict import Issue
from citeproof.readers.document import Document
from citeproof.readers.formats import read
from citeproof.report.advice import Region, region

BIB = """% a comment
  @article{one, title = {A Title}, year = 1988,
    author = {A. Person and
              B. Person},
    journal = "A Journal"}
"""
RIS = "TY  - JOUR\nTI  - A Title\nAU  - Person, A.\nPY  - 1988\nER  - \n"


def shown(text: str, kind: str, code: str) -> str:
    """Return the text in the region of an issue of this code."""
    entry = read(Document.of_text(text, f"refs.{kind}")).references[0]
    where = region(entry, Issue(code, Severity.ISSUE, "", "", ""))
    assert where
    lines = text.splitlines(keepends=True)[where.start_line - 1 : where.end_line]
    lines[-1] = lines[-1][: where.end_column - 1]
    lines[0] = lines[0][where.start_column - 1 :]
    return "".join(lines)


@pytest.mark.parametrize(
    ("kind", "code", "field"),
    [
        ("bib", "title.word_changed", "{A Title}"),
        ("bib", "year.off", "1988"),
        ("bib", "authors.dropped", "{A. Person and\n              B. Person}"),
        ("bib", "venue.twice", '"A Journal"'),
        ("bib", "volume.absent", '"A Journal"'),
        ("bib", "doi.differs", BIB.strip().partition("\n")[2].lstrip()),
        ("ris", "title.word_changed", "A Title"),
        ("ris", "year.off", "1988"),
    ],
)
def test_region_the_region_is_the_field_or_the_entry_that_lacks_it(
    kind: str, code: str, field: str
) -> None:
    assert shown({"bib": BIB, "ris": RIS}[kind], kind, code) == field


def test_region_what_has_no_lines_has_no_region() -> None:
    assert region(Reference("k", place=Place("a.pdf", page=3))) is None


def test_region_an_entry_without_its_text_is_one_point() -> None:
    assert region(Reference("k", place=Place("a.bib", 7))) == Region(7, 1, 7, 1)
