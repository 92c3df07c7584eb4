"""A title that is known is found in a string, and parts the rest of it."""

import pytest

from citeproof.readers.strings.guided import reading_with_title


@pytest.mark.parametrize(
    ("text", "title", "authors", "year"),
    [
        ("Lee A, Wu B. On Sheep-shearing Gen Rev 2001;3:1-9", "On sheep shearing", ("Lee, A.", "Wu, B."), 2001),
        ("Lee, A., Wu, B., 2001. On sheep shear-\ning: in: SHEEP.", "On Sheep Shearing", ("Lee, A.", "Wu, B."), 2001),
        ("[3] A. Lee et al., “On sheep shearing,” 2001.", "On sheep shearing", ("A. Lee",), 2001),
    ],
)
def test_a_title_parts_people_from_what_follows(text: str, title: str, authors: tuple[str, ...], year: int) -> None:
    reading = reading_with_title(text, title)
    assert reading is not None
    assert (reading.authors, reading.year) == (authors, year)
    assert "".join(reading.title.lower().split()).replace("-", "") == "onsheepshearing"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Lee A. On sheep shearings. 2001", "On sheep shearing"),  # ends inside a word
        ("Lee A. On sheep. 2001", "On sheep"),  # too short to be no chance
        ("Lee A. On goats and more of them. 2001", "On sheep shearing"),
    ],
)
def test_a_title_that_the_text_does_not_hold_reads_nothing(text: str, title: str) -> None:
    assert reading_with_title(text, title) is None
