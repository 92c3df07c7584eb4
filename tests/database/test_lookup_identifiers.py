"""Look-up of a text that is an identifier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.model.record import MatchKind
from citeproof.text.identifiers import Identifier

if TYPE_CHECKING:
    from citeproof.database.lookup import Database

DOI = Identifier(MatchKind.DOI, "10.5555/lamps.2012.11")
ARXIV = Identifier(MatchKind.ARXIV_ID, "1203.0042")


def test_look_up_text_the_records_with_an_identifier_are_related_to_it(small: Database) -> None:
    (record,) = small.records_with("doi", DOI.value)
    lookup = small.look_up_text("https://doi.org/10.5555/LAMPS.2012.11")
    assert not lookup.found
    assert [(candidate.record, candidate.match) for candidate in lookup.related] == [
        (record, MatchKind.DOI)
    ]
    assert small.look_up_text(record.title).found
    assert small.look_up("10.5555/lamps.2012.11").related == ()
