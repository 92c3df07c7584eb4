"""Which lines are reference strings, and which are titles."""

import pytest

from citeproof.readers.strings.beginnings import is_prose, is_reference_string


@pytest.mark.parametrize(
    "text",
    [
        "Knuth, D. E. The art of programming. 1968.",
        "D. E. Knuth, The art of programming, 1968.",
        "[3] D. Knuth and A. Lee. On winter, 1984",
        "Knuth DE, Lee A. On winter. J Snow. 1984;3:1-2.",
        "Donald Knuth. 1984. On winter.",
        "Donald Knuth (1984): On winter.",
    ],
)
def test_people_and_a_year_make_a_reference(text: str) -> None:
    assert is_reference_string(text)


@pytest.mark.parametrize(
    "text",
    [
        "The winter of 1984",
        "Knuth, D. and his friends",
        "Snow 2019, 5th Conference on Snow, Oslo, Norway",
        "A survey of snow (1990-2000) in towns",
        "Is 1984 here? An essay",
    ],
)
def test_a_title_is_none(text: str) -> None:
    assert not is_reference_string(text)


SENTENCES = "Winter comes early to the old towns of the north, and few of their streets are cleared. " * 5


def test_a_long_text_without_a_year_or_people_in_front_is_prose() -> None:
    assert is_prose(SENTENCES)


@pytest.mark.parametrize(
    "text",
    [
        SENTENCES[:200],
        f"{SENTENCES} (1984)",
        f"{SENTENCES} In press.",
        f"{SENTENCES} https://example.org/winter",
        f"Knuth, D. E. {SENTENCES}",
    ],
)
def test_a_text_that_is_short_dated_or_somebodys_may_be_a_reference(text: str) -> None:
    assert not is_prose(text)
