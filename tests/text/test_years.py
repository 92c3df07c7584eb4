"""Years in texts, and years of two digits."""

import pytest

from citeproof.text.years import whole_year, years_in


@pytest.mark.parametrize(
    ("short", "year"), [(0, 2000), (16, 2016), (60, 2060), (61, 1961), (83, 1983), (99, 1999)]
)
def test_whole_year_is_at_most_2060(short: int, year: int) -> None:
    assert whole_year(short) == year


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("CVPR 2016 and FCT '83", {2016, 1983}),
        ("ICS’07: 2007", {2007}),
        ("1899, 2100 and 12019", set()),
        ("pages 1991-2003", {1991, 2003}),
        ("in '123 days", set()),
        ("", set()),
    ],
)
def test_years_in_a_text_have_four_digits_or_an_apostrophe(text: str, years: set[int]) -> None:
    assert years_in(text) == years
