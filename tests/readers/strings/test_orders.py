"""Reference strings whose people do not stand first."""

from __future__ import annotations

import pytest

from citeproof.readers.strings import best_reading
from citeproof.readers.strings.orders import in_usual_order
from citeproof.readers.strings.reference import reference_of_string

TITLE = "On winter in old northern towns"
PEOPLE = ("Ann Lee", "Bo Ray")
INITIALS = ("A. Lee", "B. Ray")


@pytest.mark.parametrize(
    ("text", "people"),
    [
        (f'"{TITLE}", Ann Lee, Bo Ray, SnowConf 2019', PEOPLE),
        (f"{TITLE} (Ann Lee, Bo Ray, SnowConf 2019)", PEOPLE),
        (f"{TITLE}, A. Lee and B. Ray, SnowConf 2019.", INITIALS),
        (f"{TITLE}. A. Lee and B. Ray. SnowConf, 2019.", INITIALS),
        (f"{TITLE} by Ann Lee and Bo Ray. SnowConf, 2019.", PEOPLE),
        (f"{TITLE} – Ann Lee, Bo Ray (2019), SnowConf", PEOPLE),
        (f"“{TITLE}” – Lee & Ray, SnowConf 2019", ("Lee", "Ray")),
        (f"2019. Ann Lee and Bo Ray. {TITLE}. SnowConf.", PEOPLE),
        (f"[SnowConf 2019] Ann Lee and Bo Ray. {TITLE}.", PEOPLE),
        (f"SnowConf 2019: {TITLE}. Ann Lee and Bo Ray.", PEOPLE),
        (f"Lee & Ray (2019). {TITLE}. SnowConf.", ("Lee", "Ray")),
        (f"Lee et al. {TITLE}. SnowConf 2019.", ("Lee",)),
        (f"Lee et. al. {TITLE}. SnowConf, 2019", ("Lee",)),
        (f"Ann Lee & al. {TITLE}. SnowConf, 2019", ("Ann Lee",)),
        (f"Lee+ 2019. {TITLE}. SnowConf.", ("Lee",)),
        (f"{TITLE}. Lee et al. SnowConf 2019.", ("Lee",)),
        (f"{TITLE} - Strand and others - SnowConf 2019", ("Strand",)),
        (f"2019 Lee, Ann, and Bo Ray. {TITLE}. SnowConf. Pp. 2001–2016.", ("Lee, Ann", "Bo Ray")),
        (f"Lee A, Ray B. 2019. {TITLE}, pp. 144–147. In SnowConf.", ("Lee, A.", "Ray, B.")),
    ],
)
def test_in_usual_order_finds_people_in_any_place(text: str, people: tuple[str, ...]) -> None:
    reading, _ = best_reading(text)
    assert (reading.title, reading.authors, reading.year) == (TITLE, people, 2019)
    assert reading.and_others is (len(people) == 1)
    assert reading.venue.startswith("SnowConf")


@pytest.mark.parametrize(
    ("text", "title", "people", "venue"),
    [
        (f"{TITLE} - Ann Lee, Bo Ray. ICML 2019.", TITLE, PEOPLE, "ICML 2019"),
        (f"{TITLE} - Ann Lee, Bo Ray. J. Snow 2019.", TITLE, PEOPLE, "J. Snow 2019"),
        (f"{TITLE}, A. Lee, Expert Syst. Appl. 2019.", TITLE, ("A. Lee",), "Expert Syst. Appl"),
        (f"{TITLE} (Ann Lee, Bo Ray, iJOE 2019)", TITLE, PEOPLE, "iJOE 2019"),
        (f"{TITLE} – Ann Lee, Bo Ray (2019), iJOE", TITLE, PEOPLE, "iJOE"),
        ("Old Towns (Ann Lee, Bo Ray, Snow 2019)", "Old Towns", PEOPLE, "Snow 2019"),
        (f"{TITLE} (Ann Lee, Jo vom Moor, Snow 2019)", TITLE, ("Ann Lee", "Jo vom Moor"), "Snow"),
    ],
)
def test_in_usual_order_parts_people_from_the_venue(
    text: str, title: str, people: tuple[str, ...], venue: str
) -> None:
    reading, _ = best_reading(text)
    assert (reading.title, reading.authors) == (title, people)
    assert reading.venue.startswith(venue)


@pytest.mark.parametrize(
    ("text", "people"),
    [
        (f"World Health Organization. 2019. {TITLE}. Snow.", ("World Health Organization",)),
        (f"UNESCO. 2019. {TITLE}. Snow.", ("UNESCO",)),
        (f"American Snow Association: {TITLE}. Snow (2019)", ("American Snow Association",)),
        (
            f"Ann Lee and J. Bo Ray. 2019. {TITLE}. arXiv:2101.00176 [cs.CL]",
            ("Ann Lee", "J. Bo Ray"),
        ),
    ],
)
def test_in_usual_order_takes_no_author_before_a_year_for_a_venue(
    text: str, people: tuple[str, ...]
) -> None:
    reading, _ = best_reading(text)
    assert (reading.title, reading.authors) == (TITLE, people)


@pytest.mark.parametrize(
    "text", ["FLORENNE, Yves - Le Monde, 30 juillet 1952", "EMB Ltd. (Ann Lee). Snow"]
)
def test_in_usual_order_takes_two_words_for_a_title_only_before_several_people(text: str) -> None:
    assert in_usual_order(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "A. Lee and B. Ray. On winter, C. Fox and snow. Journal of Snow, 2019.",
        "Ann Lee and Bo Ray. 2019. On winter. In C. Fox, editor, SnowConf.",
        "On winter in old towns. Theoretical Snow Mechanics, 12(3), 2019.",
        "Lee, A. (2019). On winter by Carl Fox. Journal of Snow.",
        "On winter in old towns, ed. Carl Fox, Oslo, 2019.",
    ],
)
def test_in_usual_order_leaves_other_strings_as_they_are(text: str) -> None:
    assert in_usual_order(text) == text


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("On winter. Snow report of A. Lee and B. Ray, whole, 2019.", True),
        ("On winter in old towns. Journal of Snow, 2019.", False),
        ("A. Lee and B. Ray. On winter in old towns. Journal of Snow, 2019.", False),
    ],
)
def test_reference_of_string_says_whether_names_were_not_read(text: str, unread: bool) -> None:
    assert reference_of_string(text).names_unread is unread


def test_in_usual_order_keeps_quotation_marks_inside_a_title() -> None:
    text = "On “winter” in old towns, A. Lee and B. Ray, Snow 2019"
    assert in_usual_order(text) == "A. Lee and B. Ray. «On “winter” in old towns.» Snow 2019"
    assert best_reading(text)[0].title == "On “winter” in old towns"
