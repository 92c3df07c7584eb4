import pytest

from citeproof.database.venues.completeness import (
    Prior,
    evidence_of_keys,
    from_keys,
    from_pages,
    spread_of,
)

LETTERS = [
    f"{first}{second}21"
    for first in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for second in "aeiourstlnaeiourstln"
]


@pytest.mark.parametrize(
    ("pages", "completeness", "basis"),
    [
        (["1-8"], 1 / 2, "pages"),
        (["1-10", "11-20", "21-30"], 3 / 4, "pages"),
        (["1-10", "21-30"], 20 / 30 * 2 / 3, "pages"),
        (["1-10", "11-20", "15-20"], 3 / 4, "pages"),
        (["1:1-1:14", "2:1-2:9", "4:1-4:3"], 3 / 4 * 3 / 4, "articles"),
        ([f"{first}-{first + 9}" for first in range(1, 1001, 10)], 100 / 101, "pages"),
    ],
)
def test_share_of_the_page_range(pages: list[str], completeness: float, basis: str) -> None:
    estimate = from_pages(pages)
    assert estimate is not None
    assert estimate.completeness == pytest.approx(completeness)
    assert estimate.basis == basis


def test_one_misprint_does_not_stretch_the_range() -> None:
    pages = [f"{first}-{first + 9}" for first in range(1, 2001, 10)]
    estimate = from_pages([*pages, "41172-41176"])
    assert estimate is not None
    assert estimate.completeness > 0.99


def test_papers_that_each_begin_on_page_1_do_not_cover_a_volume() -> None:
    assert from_pages(["1-8", "1-7", "1-8", "1-6"] * 30) is None


def test_a_misprinted_range_covers_no_more_than_a_paper_can() -> None:
    pages = [f"{first}-{first + 9}" for first in range(1, 2001, 20)]
    estimate = from_pages([*pages, "101-1999"])
    assert estimate is not None
    assert estimate.completeness == pytest.approx(0.5, abs=0.03)


def test_too_few_pages_say_nothing() -> None:
    assert from_pages(["1-10", None, None, "viii-x"]) is None


def test_all_letters_there_leave_the_prior_above_95_percent() -> None:
    keys = [*LETTERS, "Aa21a", "Aa21b"]
    estimate = from_keys(evidence_of_keys(keys, keys), 0.98, spread_of(LETTERS))
    assert estimate.basis == "keys"
    assert estimate.completeness > 0.95


def test_missing_letters_are_missing_papers() -> None:
    keys = [key for key in LETTERS if not key.startswith("A")] + [
        f"A{n}21{'bcd'[n % 3]}" for n in range(30)
    ]
    estimate = from_keys(evidence_of_keys(keys, keys), 0.98, spread_of(LETTERS))
    assert estimate.completeness < 0.8


def test_a_hole_in_the_alphabet_is_a_partial_load() -> None:
    keys = [key for key in LETTERS if key < "N"]
    estimate = from_keys(evidence_of_keys(keys, keys), 1.0, spread_of(LETTERS))
    assert estimate.completeness == pytest.approx(0.5, abs=0.05)


def test_the_prior_is_of_volumes_alike_in_size_and_time() -> None:
    prior = Prior([(2000, 100, 0.2), (2020, 100, 0.9), (2021, 300, 1.0), (2021, 10, 0.1)])
    assert prior.mean(2020, 150) == pytest.approx((100 * 0.9 + 300) / 400)
    assert prior.mean(1950, 100) == 0.0
