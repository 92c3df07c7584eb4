"""What shows that a string was read wrongly."""

import pytest

from citeproof.model.reference import Reference
from citeproof.readers.strings.reference import (
    likely_readings,
    reading_with_title,
    reference_of_string,
)


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        (
            "Lee, A. (2001). " + "Growth of sheep and grass " * 12 + ". Journal of Sheep 3.",
            "letters",
        ),
        ("Lee, A., & Wu, B. The growth of sheep. Journal of Sheep.", "there is no year"),
        (
            "Lee, A. (2001). The growth of sheep. Wool, pp. 1-9. Ray, B. On goats. Milk, pp. 3-8.",
            "two entries",
        ),
        ("Lee, A. (2001). The growth of sheep. Wool, pp. 1-9. 10.1000/a1 10.1000/a1", ""),
        ("The growth of sheep and grass in the hills was seen by all. " * 6, "running text"),
        ("Lee K, Ray MS. 2021. Fine Growth of Sheep in Videos", "its title may begin"),
        ("Lee A, Ray B 2009 The growth of sheep and grass Winter pp 14–7", "its title may begin"),
        ("Lee A, Ray B 2009 The growth of sheep and grass SNOW pp 14–7", ""),
        ("Plonka G and Ma J 2008 Regularized Diffusion Filters Snow Letters 1 1–9", "its title"),
        ("Lee, Fox. 2013. Moore JH. Growth of sheep. Snow 3:1-9.", "its title may begin"),
        ("Lee, A., & Wu, B. The growth of sheep. https://sheep.org", ""),
        ("Lee, A., & Wu, B. (2001). The growth of sheep. Journal of Sheep, 3(2), 1-9.", ""),
        ('A. Lee and B. Wu, "The growth of sheep," J. Sheep, vol. 3, no. 2, pp. 1-9, 2001.', ""),
    ],
)
def test_reference_of_string_a_string_is_doubted_for_what_it_says(text: str, doubt: str) -> None:
    doubts = reference_of_string(text).doubts
    assert doubt in " ".join(doubts)
    assert bool(doubts) == bool(doubt)


def test_reference_of_string_the_other_readings_of_a_string_are_made_when_they_are_asked_for() -> (
    None
):
    text = "Taylor, J. Errors: the study of uncertainties: in physics. Oxford. 1996"
    reference = reference_of_string(text, "7")
    others = likely_readings(reference, within=1_000_000)
    assert others
    assert {(other.raw, other.key) for other in others} == {(text, "7")}
    first = (reference.title, reference.authors)
    assert first not in {(other.title, other.authors) for other in others}


def test_reference_of_string_the_word_that_styles_print_for_no_author_is_nobodys_name() -> None:
    reference = reference_of_string(
        "Anon, 1994. Call for papers. Creativity and Innovation Management, 3(4), pp.266-267."
    )
    assert (reference.title, reference.authors) == ("Call for papers", ())


@pytest.mark.parametrize(
    ("text", "title", "authors", "year"),
    [
        (
            "Lee A, Wu B. On Sheep-shearing Gen Rev 2001;3:1-9",
            "On sheep shearing",
            ("Lee, A.", "Wu, B."),
            2001,
        ),
        (
            "Lee, A., Wu, B., 2001. On sheep shear-\ning: in: SHEEP.",
            "On Sheep Shearing",
            ("Lee, A.", "Wu, B."),
            2001,
        ),
        ("[3] A. Lee et al., “On sheep shearing,” 2001.", "On sheep shearing", ("A. Lee",), 2001),
    ],
)
def test_reading_with_title_a_title_parts_people_from_what_follows(
    text: str, title: str, authors: tuple[str, ...], year: int
) -> None:
    reading = reading_with_title(Reference("", raw=text), title)
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
def test_reading_with_title_a_title_that_the_text_does_not_hold_reads_nothing(
    text: str, title: str
) -> None:
    assert reading_with_title(Reference("", raw=text), title) is None


@pytest.mark.parametrize(
    ("text", "entry_type"),
    [
        ("Lee, A.: The growth of sheep. Ph.D. thesis, University of Oil (2004)", "thesis"),
        ("Lee, A.: The growth of sheep. Tech. rep., University of Oil (2004)", "report"),
        ("Lee, A.: The growth of sheep. Unpublished manuscript (2004)", "unpublished"),
        ("Lee, A.: The growth of sheep. Journal of Sheep 3, 1-9 (2004)", ""),
    ],
)
def test_reference_of_string_a_kind_of_document_is_an_entry_type_and_no_venue(
    text: str, entry_type: str
) -> None:
    reference = reference_of_string(text)
    assert reference.title == "The growth of sheep"
    assert (reference.entry_type, reference.venue) == (
        entry_type,
        "" if entry_type else "Journal of Sheep",
    )
