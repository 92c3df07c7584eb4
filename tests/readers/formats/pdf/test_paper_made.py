"""Papers that were typeset from known references: each is read as it was before.

The numbers are seeds of :func:`~tests.readers.formats.pdf.made.paper`. They are 40 of the 153
papers among the first 240 that are read without a fault.
"""

import pytest

from citeproof.readers import formats
from citeproof.readers.document import Document
from tests.readers.formats.pdf.made import paper

SEEDS = (
    *(7, 8, 10, 12, 13, 16, 17, 18, 19, 20, 21, 22, 23, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 37),
    *(40, 51, 52, 90, 96, 110, 114, 131, 140, 193, 194, 195, 196, 201, 222, 229),
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
