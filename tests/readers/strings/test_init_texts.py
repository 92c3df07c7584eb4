"""What kind of text a string is, and hostile strings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.readers.strings import (
    is_prose,
    is_reference_string,
    read_reference,
    take_links,
)


@given(st.text(max_size=300))
def test_read_reference_any_text_has_a_reading(text: str) -> None:
    assert len(read_reference(text)) >= 1


@pytest.mark.parametrize("piece", ["A. B. ", "A.-B. ", "Lee (A. B.) ", "a.", "(", "“"])
def test_read_reference_a_string_of_nothing_but_one_sign_is_read_at_once(piece: str) -> None:
    """A form of names that could be matched in two ways at each space took years for forty
    initials.
    """
    assert read_reference(piece * (3000 // len(piece)))


def test_read_reference_a_long_number_is_read_at_once() -> None:
    """A pattern that gives digits back would try 2 to the 59th ways to part these."""
    assert (
        read_reference(f"Lee, A. 2001. On winter in old towns. {'1' * 60}!")[0].title
        == "On winter in old towns"
    )


@pytest.mark.parametrize(
    ("text", "url", "rest"),
    [
        (
            "Snow. http : / / www . example . org / ice / a.pdf (2014).",
            "http://www.example.org/ice/a.pdf",
            "Snow. (2014).",
        ),
        (
            "Snow. Ice Press. https: / / example.org/ Winter",
            "https://example.org/",
            "Snow. Ice Press. Winter",
        ),
    ],
)
def test_take_links_a_url_that_its_line_spreads_out_is_one(text: str, url: str, rest: str) -> None:
    found, links = take_links(text)
    assert (links.url, found) == (url, rest)


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
def test_is_reference_string_people_and_a_year_make_a_reference(text: str) -> None:
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
def test_is_reference_string_a_title_is_none(text: str) -> None:
    assert not is_reference_string(text)


SENTENCES = (
    "Winter comes early to the old towns of the north, and few of their streets are cleared. " * 5
)


def test_is_prose_a_long_text_without_a_year_or_people_in_front_is_prose() -> None:
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
def test_is_prose_a_text_that_is_short_dated_or_somebodys_may_be_a_reference(text: str) -> None:
    assert not is_prose(text)
