import pytest

from citeproof.database.venues.completeness import (
    KeyEvidence,
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
        (["1-10", "11-20", "18-25"], 3 / 4, "pages"),
        (["2-10"], 9 / 10 / 2, "pages"),
        (["7", "8-9", "10-10"], 4 / 10 * 3 / 4, "pages"),
        (["0-5", *(f"{first}-{first + 9}" for first in range(1, 201, 10))], 21 / 22, "pages"),
        (["1:1-1:14", "2:1-2:9", "4:1-4:3"], 3 / 4 * 3 / 4, "articles"),
        ([f"{first}-{first + 9}" for first in range(1, 1001, 10)], 100 / 101, "pages"),
    ],
)
def test_from_pages_is_the_share_of_the_range(
    pages: list[str], completeness: float, basis: str
) -> None:
    estimate = from_pages(pages)
    assert estimate is not None
    assert estimate.completeness == pytest.approx(completeness)
    assert estimate.basis == basis


def test_from_pages_is_not_stretched_by_one_misprint() -> None:
    pages = [f"{first}-{first + 9}" for first in range(1, 2001, 10)]
    estimate = from_pages([*pages, "41172-41176"])
    assert estimate is not None
    assert estimate.completeness > 0.99


def test_from_pages_is_none_if_each_paper_begins_on_page_1() -> None:
    assert from_pages(["1-8", "1-7", "1-8", "1-6"] * 30) is None


def test_from_pages_counts_no_paper_longer_than_others_can_be() -> None:
    pages = [f"{first}-{first + 9}" for first in range(1, 2001, 20)]
    estimate = from_pages([*pages, "101-1999"])
    assert estimate is not None
    assert estimate.completeness == pytest.approx(0.5, abs=0.03)


def test_from_pages_is_none_for_too_few_pages() -> None:
    assert from_pages(["1-10", None, None, "viii-x"]) is None


def test_from_keys_with_all_letters_keeps_the_prior() -> None:
    keys = [*LETTERS, "Aa21a", "Aa21b"]
    estimate = from_keys(evidence_of_keys(keys, keys), 0.98, spread_of(LETTERS))
    assert estimate.basis == "keys"
    assert estimate.completeness > 0.95


def test_from_keys_counts_missing_letters_as_missing_papers() -> None:
    keys = [key for key in LETTERS if not key.startswith("A")] + [
        f"A{n}21{'bcd'[n % 3]}" for n in range(30)
    ]
    estimate = from_keys(evidence_of_keys(keys, keys), 0.98, spread_of(LETTERS))
    assert estimate.completeness < 0.8


def test_from_keys_takes_a_hole_in_the_alphabet_for_a_partial_load() -> None:
    keys = [key for key in LETTERS if key < "N"]
    estimate = from_keys(evidence_of_keys(keys, keys), 1.0, spread_of(LETTERS))
    assert estimate.completeness == pytest.approx(0.5, abs=0.05)


def test_prior_mean_is_of_volumes_alike_in_size_and_time() -> None:
    prior = Prior([(2000, 100, 0.2), (2020, 100, 0.9), (2021, 300, 1.0), (2021, 10, 0.1)])
    assert prior.mean(2020, 150) == pytest.approx((100 * 0.9 + 300) / 400)
    assert prior.mean(1950, 100) == 0.0


@pytest.mark.parametrize(
    ("pages", "is_known"),
    [
        (["1-10"] * 9 + ["x"], True),
        (["1-10"] * 8 + ["x"] * 2, False),
        (["1-8", "1-7", "9-20"], True),
        (["1-8", "1-7", "1-9", "9-20"], False),
        ([], False),
        (["10-3"], False),
    ],
)
def test_from_pages_needs_nine_of_ten_records_with_pages(pages: list[str], is_known: bool) -> None:
    distinct = [page.replace("1-10", f"{10 * n + 1}-{10 * n + 10}") for n, page in enumerate(pages)]
    assert (from_pages(distinct) is not None) is is_known


def test_evidence_of_keys_counts_letters_of_siblings_too() -> None:
    here = ["LeeK22", "LeeK22c", "Fox22", "Ash"]
    found = evidence_of_keys(here, [*here, "LeeK22a", "Elm22d"])
    assert found == KeyEvidence(2, 3, {"A": 0.25, "F": 0.25, "L": 0.5}, 4)
    assert evidence_of_keys(["Fox22"], ["Fox22"])[:2] == (0, 0)
    assert evidence_of_keys(["Fox22b"], ["Fox22b"])[:2] == (0, 2)


@pytest.mark.parametrize(
    ("evidence", "spread", "completeness"),
    [
        (KeyEvidence(1, 2, {}, 99), {}, 19 / 22 * 0.99),
        (KeyEvidence(0, 0, {}, 9), {}, 0.9 * 0.9),
        (KeyEvidence(0, 0, {"A": 0.1}, 99), {"A": 0.5, "B": 0.5}, 0.9 * 0.99 * 0.0),
        (KeyEvidence(0, 0, {"A": 0.125}, 99), {"A": 0.5}, 0.9 * 0.99),
        (KeyEvidence(0, 0, {}, 99), {"A": 0.08}, 0.9 * 0.99),
        (KeyEvidence(0, 0, {}, 199), {"A": 0.08}, 0.9 * 0.995 * 0.92),
    ],
)
def test_from_keys_is_exact(
    evidence: KeyEvidence, spread: dict[str, float], completeness: float
) -> None:
    assert from_keys(evidence, 0.9, spread).completeness == pytest.approx(completeness)


def test_spread_of_counts_other_letters_together() -> None:
    assert spread_of(["alma20", "Ash", "Élan", "9x"]) == {"0": 0.5, "A": 0.5}


def test_prior_mean_takes_five_years_on_each_side_and_half_the_size() -> None:
    prior = Prior([(2000, 100, 0.2), (2005, 100, 0.4), (2011, 100, 0.9)])
    assert prior.mean(2005, 200) == pytest.approx(0.3)
    assert prior.mean(2006, 201) == 0.0
    assert prior.mean(2006, 200) == pytest.approx(0.65)
