"""Author fields taken apart: beyond what the BibTeX cases hold, the laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.readers.fields.authors import arrange_authors, name_of_parts, split_authors


@pytest.mark.parametrize(
    ("field", "names", "others"),
    [
        ("", (), False),
        ("others", (), True),
        ("Ann Lee", ("Ann Lee",), False),
        ("Lee, Ann and Ray, Bob and others", ("Lee, Ann", "Ray, Bob"), True),
        ("Anderson, Andy\nAND\tRand, Sandy", ("Anderson, Andy", "Rand, Sandy"), False),
        (
            "{Research and Development Group} and Ann Lee",
            ("Research and Development Group", "Ann Lee"),
            False,
        ),
        ("Ann Lee, et al", ("Ann Lee",), True),
        ("Ann Lee and ...", ("Ann Lee",), True),
        ("van Gogh, Vincent", ("van Gogh, Vincent",), False),
        ("King, Jr., Martin Luther", ("King, Martin Luther Jr.",), False),
        ("Lee III, Thomas F.", ("Lee III, Thomas F.",), False),
        ("Lee JR, A. B. and Ray, C.", ("Lee JR, A. B.", "Ray, C."), False),
        ("A. Lee, B. Ray", ("A. Lee", "B. Ray"), False),
        ("Lee, Ann; van der Ray, Bo", ("Lee, Ann", "van der Ray, Bo"), False),
        ("Ann Lee; University of Wool", ("Ann Lee", "University of Wool"), False),
        ("C. de Souza, José G. and Ray, Bob", ("C. de Souza, José G.", "Ray, Bob"), False),
        ("Ann Lee, Bob Ray, Cy Zed", ("Ann Lee", "Bob Ray", "Cy Zed"), False),
        (
            "Ann Lee, Bob Ray, Cy Zed and Di Dorn",
            ("Ann Lee", "Bob Ray", "Cy Zed", "Di Dorn"),
            False,
        ),
        ("Ann Lee, Bob Ray, Di Dorn & Cy Zed", ("Ann Lee", "Bob Ray", "Di Dorn", "Cy Zed"), False),
        ("Ann Lee, Bob Ray & Cy Zed", ("Ann Lee, Bob Ray", "Cy Zed"), False),
        ("Ann Lee \\& Bob Ray", ("Ann Lee", "Bob Ray"), False),
        ("A. Lee, B. C. Ray Jr., C. Zed", ("A. Lee", "B. C. Ray Jr.", "C. Zed"), False),
        ("A. Lee, B. Ray, Mausam", ("A. Lee", "B. Ray", "Mausam"), False),
        ("A. Lee, B. Ray, Mausam, C. Zed", ("A. Lee", "B. Ray", "Mausam", "C. Zed"), False),
        (
            "Lee A, van den Berg BC, Mausam, Ray D-E",
            ("Lee A", "van den Berg BC", "Mausam", "Ray D-E"),
            False,
        ),
        (
            "Garcia Lopez, Juan Carlos, Perez, Ana Maria",
            ("Garcia Lopez, Juan Carlos", "Perez, Ana Maria"),
            False,
        ),
        ("King Cole, Martin Luther, Jr.", ("King Cole, Jr. Martin Luther",), False),
        ("King Cole, Jr. III, Martin Luther", ("King Cole, Martin Luther Jr. III",), False),
        ("Garcia Marquez, Gabriel Jose", ("Garcia Marquez, Gabriel Jose",), False),
        ("de la Cruz, Juan Carlos", ("de la Cruz, Juan Carlos",), False),
        ("Lee, A., Ray, B.", ("Lee, A.", "Ray, B."), False),
        ("family={van Gogh}, given=Vincent", ("van Gogh, Vincent",), False),
        ("Lee A, Ray BC, O'Neil D-E", ("Lee A", "Ray BC", "O'Neil D-E"), False),
        ("Lee, A., Ray, B., and Zed, C.", ("Lee, A.", "Ray, B.", "Zed, C."), False),
        ("Lee, A. & Ray, B.", ("Lee, A.", "Ray, B."), False),
        ("A. Lee, B. Ray \\& C. Zed", ("A. Lee", "B. Ray", "C. Zed"), False),
        ("Procter & Gamble", ("Procter & Gamble",), False),
        ("O'Neil; Lee", ("O'Neil", "Lee"), False),
        ("Ann Lee; Bob Ray; and Cy Zed", ("Ann Lee", "Bob Ray", "Cy Zed"), False),
        ("J&eacute;r&#244;me X and Ann Lee", ("Jérôme X", "Ann Lee"), False),
        ("J&eacute;r&#244;me X", ("Jérôme X",), False),
        ("Ann Lee \\and Bob Ray\\AND Cy Zed", ("Ann Lee", "Bob Ray", "Cy Zed"), False),
        ("Ann Lee and B. Ray and 2 others", ("Ann Lee", "B. Ray"), True),
        ("Ann Lee and several others", ("Ann Lee",), True),
        ("Ann Lee and co-workers", ("Ann Lee",), True),
        ("Ann Lee, 12 others", ("Ann Lee, 12 others",), False),
        ("Ann Lee/Bob Ray/Cy Zed", ("Ann Lee", "Bob Ray", "Cy Zed"), False),
        ("R/V Polarstern", ("R/V Polarstern",), False),
        (
            r"Ann Lee$^{1,2*}$ and Bob Ray\textsuperscript{2} and Wei Li 0001",
            ("Ann Lee", "Bob Ray", "Wei Li 0001"),
            False,
        ),
        ("Web3 Foundation and Ann Lee2", ("Web3 Foundation", "Ann Lee"), False),
        ("Lee1, Ann and Ray2,*, Bob and {CO2 Group}", ("Lee, Ann", "Ray, Bob", "CO2 Group"), False),
        ("J{\\'e}r{\\^o}me~X and Ann~Lee", ("Jérôme X", "Ann Lee"), False),
        (" and Ann Lee and ", ("Ann Lee",), False),
        ("李明 and Ann Lee", ("李明", "Ann Lee"), False),
        ("{Ann Lee and Bob van Ray}", ("Ann Lee", "Bob van Ray"), False),
        (
            "{Ministry of Science and Human Services}",
            ("Ministry of Science and Human Services",),
            False,
        ),
        ("{U.S. Food and Drug Administration}", ("U.S. Food and Drug Administration",), False),
        (
            "{Ann Arbor Zoo and Snow Research Institute}",
            ("Ann Arbor Zoo and Snow Research Institute",),
            False,
        ),
        ("{Lee, Ann; Ray, Bob; Zed}, Cy", ("Lee, Ann", "Ray, Bob", "Zed, Cy"), False),
        ("{Lee, Ann; Ray}, Bob and {L{\\'o}pez}, Di", ("Lee, Ann", "Ray, Bob", "López, Di"), False),
        ("[Lee, Ann; Ray, Bob]", ("Lee, Ann", "Ray, Bob"), False),
        ("['Ann Lee', 'Bob Ray']", ("Ann Lee", "Bob Ray"), False),
        ("Ann Lee und Bob Ray", ("Ann Lee", "Bob Ray"), False),
        ("Ann Lee et Bob Ray", ("Ann Lee", "Bob Ray"), False),
        ("José Ortega y Gasset", ("José Ortega y Gasset",), False),
        (
            "Institut de recherche et Centre de calcul",
            ("Institut de recherche et Centre de calcul",),
            False,
        ),
        ("Ann Lee | Bob Ray", ("Ann Lee", "Bob Ray"), False),
        (
            "Ann Lee, Bob Ray, Cy Fox, Di Elk \\\\& Cy Zed",
            ("Ann Lee", "Bob Ray", "Cy Fox", "Di Elk", "Cy Zed"),
            False,
        ),
        ("A Lee, B Ray", ("A Lee", "B Ray"), False),
        ("Lee, A. and al, et", ("Lee, A.",), True),
        ("Lee, A. and others, and", ("Lee, A.",), True),
        ("Ann Lee and {8 more authors}", ("Ann Lee",), True),
        ("Ann Lee u. a.", ("Ann Lee",), True),
        ("Lee, U. A. and A. Ray U. A.", ("Lee, U. A.", "A. Ray U. A."), False),
        ("Ann L\u200bee and Bo\u00adb Ray", ("Ann Lee", "Bob Ray"), False),
    ],
)
def test_split_authors(field: str, names: tuple[str, ...], others: bool) -> None:
    assert split_authors(field) == (names, others)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("family=Oord, given=Ann, prefix=van den, useprefix=true", "van den Oord, Ann"),
        ("given={Ann}, given-i={A}, prefix=van den, prefix-i=vd, family=Oord", "van den Oord, Ann"),
        ("family=Smith, given=John, suffix=Jr.", "Smith, John Jr."),
        ("given=Ann, family=Lee, useprefix=false", "Lee, Ann"),
    ],
)
def test_split_authors_in_the_extended_format(written: str, name: str) -> None:
    assert split_authors(f"{written} and Bob Ray") == ((name, "Bob Ray"), False)


def test_arrange_authors_joins_a_list_that_was_read_letter_by_letter() -> None:
    assert arrange_authors(list("['Lee,A.','Ray,B.']")) == (("Lee,A.", "Ray,B."), False)
    assert arrange_authors(list("['Le")) == ((), False)


def test_names_held_apart_are_not_split() -> None:
    assert arrange_authors(["Johnson and Johnson", "Lee, Ann", "et al."]) == (
        ("Johnson and Johnson", "Lee, Ann"),
        True,
    )


NAME = st.sampled_from(
    ["Ann Lee", "Lee, Ann", "van Gogh, Vincent", "{Barnes and Noble}", "X. Y. Zed", "Sand, Andy"]
)


@given(st.lists(NAME, min_size=1), st.booleans())
def test_split_authors_every_name_of_a_list_comes_back_in_order(
    written: list[str], more: bool
) -> None:
    names, others = split_authors(" and ".join([*written, "others"] if more else written))
    assert names == tuple(name.strip("{}") for name in written)
    assert others == more


@given(st.text() | st.text(alphabet="and {},;.=ABfamilygivenothers\\", max_size=80))
def test_split_authors_any_text_is_taken_apart(field: str) -> None:
    names, _ = split_authors(field)
    assert all(name and name == name.strip() for name in names)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Lee, Ann, Ray, Bo", ("Lee, Ann", "Ray, Bo")),
        ("Lee, Ann Mary, Ray, Bo", ("Lee, Ann Mary", "Ray, Bo")),
        ("Ann Lee, Bo van der Ray, C. Fox", ("Ann Lee", "Bo van der Ray", "C. Fox")),
        ("Ministry of Snow, Oslo", ("Ministry of Snow, Oslo",)),
        ("Lee, Jr., Ann", ("Lee, Ann Jr.",)),
    ],
)
def test_split_authors_parts_people_at_commas_and_no_groups(
    text: str, names: tuple[str, ...]
) -> None:
    assert split_authors(text)[0] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Lee, Ann & Ray, Bo", ("Lee, Ann", "Ray, Bo")),
        ("Ann Lee & Bo Ray", ("Ann Lee", "Bo Ray")),
        ("Barnes & Noble", ("Barnes & Noble",)),
        ("Lee & Ray", ("Lee & Ray",)),
        ("Ann & Bo Lee", ("Ann & Bo Lee",)),
        ("Ann Lee/Bo Ray", ("Ann Lee", "Bo Ray")),
        ("Ann Lee/Kim", ("Ann Lee/Kim",)),
        ("Snow/Ice Group", ("Snow/Ice Group",)),
        ("A. Lee, B. Kim", ("A. Lee", "B. Kim")),
        ("Ann Lee, Bo Kim, Cy Roe, Di Ray", ("Ann Lee", "Bo Kim", "Cy Roe", "Di Ray")),
        ("Ann Lee, Bo Kim", ("Ann Lee, Bo Kim",)),
        ("{Barnes and Noble} and Lee, Ann", ("Barnes and Noble", "Lee, Ann")),
        ("{Ann Lee and Bo Kim}", ("Ann Lee", "Bo Kim")),
    ],
)
def test_split_authors_parts_people_where_both_sides_are_people(
    text: str, names: tuple[str, ...]
) -> None:
    assert split_authors(text)[0] == names


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ({"family": "Lee", "given": "Ann", "prefix": "van", "suffix": "Jr."}, "van Lee, Ann Jr."),
        ({"family": "Lee"}, "Lee"),
        ({"given": "Ann"}, "Ann"),
        ({"suffix": "Jr.", "family": "Lee"}, "Lee, Jr."),
        ({}, ""),
    ],
)
def test_name_of_parts_needs_no_part(said: dict[str, str], name: str) -> None:
    assert name_of_parts(said) == name
