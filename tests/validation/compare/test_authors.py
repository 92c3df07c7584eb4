from __future__ import annotations

import pytest

from citeproof.models import Record, Reference
from citeproof.validation.compare.authors import compare_authors

RECORD = Record("k", "On sheep", ("Ann Alma", "Bo Berg", "Cy Chen", "Di Díaz Dorn"))
CASES = [
    (("Ann Alma", "Bo Berg", "Cy Chen", "Di Díaz Dorn"), False, 1.0, []),
    (("Alma, A.", "Berg, B.", "Chen, C.", "Díaz, D."), False, 1.0, []),
    (("A. Alma",), True, 1.0, []),
    (("A. Alma", "others"), False, 1.0, []),
    (("A. Alma", "B. Berg"), False, 1.0, ["authors.dropped"]),
    (("Cy Chen", "Ann Alma", "Bo Berg", "Di Díaz"), False, 1.0, ["authors.order"]),
    (("Ann Alma", "Bo Berg", "Cy Chen", "Xu Yang"), False, 0.75, ["authors.not_on_record"]),
    (("Eve Alma", "Bo Berg", "Cy Chen", "Di Dorn"), False, 0.875, ["authors.given_name"]),
    (("Xu Yang", "Yo Zorn"), True, 0.0, ["authors.not_on_record"]),
    ((), False, 1.0, []),
]


@pytest.mark.parametrize(("names", "open_end", "share", "codes"), CASES)
def test_lists_of_authors(names: tuple[str, ...], *, open_end: bool, share: float, codes: list[str]) -> None:
    match = compare_authors(Reference("a", authors=names, and_others=open_end), RECORD)
    assert match.share == pytest.approx(share)
    assert [item.code for item in match.differences] == codes


def test_half_of_the_names_are_enough_and_less_is_not() -> None:
    assert compare_authors(Reference("a", authors=("Ann Alma", "Xu Yang")), RECORD).agrees
    assert not compare_authors(Reference("a", authors=("Ann Alma", "Xu Yang", "Yo Zorn")), RECORD).agrees


def test_a_record_without_authors_says_nothing() -> None:
    match = compare_authors(Reference("a", authors=("Ann Alma",)), Record("k", "On sheep"))
    assert not match.comparable
    assert match.agrees
