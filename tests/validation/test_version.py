from __future__ import annotations

from citeproof.validation.difference import Difference
from citeproof.validation.version import other_version
from tests.validation.cases import codes

ELSEWHERE = Difference("venue.not_confirmed", "COG 2024", "ICS 2021", "appeared in ICS")
YEAR = Difference("year.off", "2024", "2021", "the year does not agree")
PEOPLE = Difference("authors.dropped", "Ann Alma", "Ann Alma; Bo Berg", "1 of 2 authors")


def test_what_another_version_may_have_stays_open() -> None:
    assert codes(other_version([PEOPLE, YEAR, ELSEWHERE])) == [
        "version.differs",
        "version.differs",
        "venue.not_confirmed",
    ]
    assert codes(other_version([PEOPLE, ELSEWHERE])) == ["authors.dropped", "venue.not_confirmed"]
    assert codes(other_version([PEOPLE, YEAR])) == ["authors.dropped", "year.off"]
