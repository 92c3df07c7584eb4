import pytest

from citeproof.text.numbers import first_pages, numbers_in


@pytest.mark.parametrize(
    ("pages", "first"),
    [
        ("11--29", {"11"}),
        ("11\N{EN DASH}29", {"11"}),
        ("011-029", {"11"}),
        ("S12-S20", {"s12"}),
        ("535:1-535:14", {"535", "1"}),
        ("3, 11-29; 40", {"3", "11", "40"}),
        ("pp. 11-29", {"11"}),
        ("12 pages", set()),
        ("12 pp.", set()),
        ("12 p.", set()),
        ("12p.", set()),
        ("xii, 120pp.", set()),
        ("0", set()),
        ("", set()),
        ("to appear", set()),
    ],
)
def test_first_pages_of_every_way_to_write_them(pages: str, first: set[str]) -> None:
    assert first_pages(pages) == first


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3", {"3"}),
        ("3-4", {"3", "4"}),
        ("LNCS 05836", {"5836"}),
        ("Supplement", set()),
        ("0", set()),
        ("", set()),
    ],
)
def test_numbers_in_a_volume_or_an_issue(text: str, numbers: set[str]) -> None:
    assert numbers_in(text) == numbers
