"""How small differences add up."""

import pytest

from citeproof.verification.validation.codes import CODES
from citeproof.verification.validation.notes import LEAST, SHARES, are_too_many, kinds_of


def test_shares_are_of_notes_and_between_nothing_and_all() -> None:
    assert {CODES[code].weight for code in SHARES} == {"note"}
    assert all(0 < share < 0.1 for share in SHARES.values())
    assert 0 < LEAST < 0.001


@pytest.mark.parametrize("code", SHARES)
def test_are_too_many_is_false_for_one_note(code: str) -> None:
    assert not are_too_many([code])


def test_are_too_many_is_false_for_two_usual_notes_and_true_for_three() -> None:
    assert not are_too_many(["authors.order", "year.near"])
    assert not are_too_many(["authors.order", "volume.differs"])
    assert are_too_many(["authors.order", "year.near", "pages.differ"])


def test_are_too_many_takes_only_the_rarest_of_notes_of_one_kind() -> None:
    place = ["pages.differ", "volume.differs", "number.differs"]
    assert not are_too_many(place)
    assert kinds_of(place, SHARES) == {"place": SHARES["volume.differs"]}
    assert not are_too_many(["title.subtitle", "year.edition"]), "both are of another edition"
