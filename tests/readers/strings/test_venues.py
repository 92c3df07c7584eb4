"""What stands behind titles: venues, publishers, editions, numbers."""

import pytest

from citeproof.readers.strings.venues import (
    BEHIND,
    BRACKET_MARK,
    BRACKETED,
    EDITORS,
    FIRST,
    IN,
    NOTHING_BUT_NUMBERS,
    SOON,
    Distance,
    before_numbers,
    is_abbreviated,
)

TEXTS = {
    "In: Snow, 2019": {"in_colon", "in", "capital"},
    "In Proceedings of SnowConf": {"in_container", "in", "capital"},
    "in A. Lee (eds.), Snow": {"in_edited", "in"},
    "Proc. of SnowConf": {"container", "capital"},
    "PhD thesis, University of Oslo": {"thesis", "capital"},
    "(unpublished master’s thesis)": {"thesis"},
    "Cambridge, MA: MIT Press": {"place", "capital", "city"},
    "2nd edition. Ice Press": {"container", "edition", "numbers"},
    "Second. New York: Wiley": {"ordinal", "capital"},
    "Wiley, Oslo, second edition, 2004": {"house_edition", "container", "capital"},
    "Oslo: Ice Press, 1935": {"place_house", "place", "capital"},
    "in Advances in Logic (Springer, 2008), 337": {"in_printed", "in_container", "in"},
    "VIII. A theorem": {"part", "capital"},
    "vol. 3 of the Snow Books": {"volume_of", "numbers"},
    "edited by A. Lee": {"edited", "lower"},
    "(pp. 1-9)": {"numbers"},
    "and other tales and ice": {"joined", "lower", "list"},
    "Phys. Rev. Lett. 3": {"container", "abbreviations", "capital", "short_then_number"},
    "(1999) On ice": {"year_first", "numbers"},
    "Old House. New York": {"then_city", "capital"},
}
"""Map from the beginning of a text behind a title to the properties of it."""


@pytest.mark.parametrize("text", TEXTS)
def test_behind_has_the_properties_of_a_text(text: str) -> None:
    found = {name for name, pattern in BEHIND.items() if pattern.match(text)}
    assert TEXTS[text] <= found
    assert {name for name in found if name in FIRST and not FIRST[name].match(text)} == set(), (
        "the first letters must not exclude it"
    )


@pytest.mark.parametrize(
    ("inner", "names"),
    [
        ("2nd", {"bracketed:ordinal"}),
        ("2nd edn", {"bracketed:edition"}),
        ("ed. A. Lee", {"bracketed:edited"}),
        ("Ice Press", {"bracketed:publisher"}),
        ("Oslo: Ice", {"bracketed:place"}),
        ("vol. 3", {"bracketed:numbers"}),
        ("Spring 2019", {"bracketed:year"}),
        ("In SnowConf", {"bracketed:in"}),
        ("Snow Studies 12", {"bracketed:series"}),
        ("ICML", {"bracketed:acronym"}),
        ("and ice", set()),
    ],
)
def test_bracketed_has_the_properties_of_a_text_in_brackets(inner: str, names: set[str]) -> None:
    found = {name for name, pattern in BRACKETED.items() if pattern.match(inner)}
    assert names <= found
    assert bool(names) == bool(found)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("in the Snow", "in"),
        ("in there", None),
        ("inside the Snow", None),
        ("In: Snow", "In:"),
        ("in Snow", "in"),
        ("in “Snow”", "in"),
        ("dans Neige", "dans"),
        ("in press", "in"),
    ],
)
def test_in_is_a_word_before_a_venue(text: str, word: str | None) -> None:
    match = IN.match(text)
    assert (match[0].strip() if match else None) == word


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Science, 21, 3–4", ["Science"]),
        ("Snow vol. 3, 1999", ["Snow"]),
        ("Snow and ice in 3 towns", []),
        ("J. Snow 27(11):1134", ["J. Snow"]),
        ("Snow. no 4: 5", ["Snow"]),
    ],
)
def test_before_numbers_is_the_punctuation_before_a_volume(text: str, places: list[str]) -> None:
    found = before_numbers(text)
    for place in places:
        assert len(place) in found
    assert bool(found) == bool(places)


def test_includes_any_ends_at_punctuation_and_at_the_length_of_a_distance() -> None:
    soon = SOON["publisher"]
    text = f"On ice. {'old ' * 20}Press"
    end = text.index("Press")
    assert [begin for begin in range(end + 2) if soon.includes_any([end], text, begin)] == [
        *range(end - 60, end + 1)
    ]
    assert not soon.includes_any([12], "On ice. Ice Press", 6)
    assert soon.includes_any([12], "On ice. Ice Press", 7)
    assert not soon.includes_any([], "On ice. Ice Press", 7)


def test_includes_any_begins_at_the_least_distance_and_at_a_letter() -> None:
    numbered = SOON["numbered"]
    text = "On ice, Snow 3"
    assert [begin for begin in range(14) if numbered.includes_any([13], text, begin)] == [
        *(0, 1, 3, 4, 5, 8, 9, 10, 11)
    ]
    near = Distance(5, SOON["title_words"].parts, nearest=1)
    assert [begin for begin in range(6) if near.includes_any([2], "ab, cd", begin)] == [0, 1]


@pytest.mark.parametrize(
    ("text", "word", "abbreviated"),
    [
        ("Proc. Snow", "Proc", True),
        ("Ice. Snow", "Ice", False),
        ("Numer. Math.", "Numer", True),
        ("Numer. 3", "Numer", False),
        ("Rpt. of Winter", "Rpt", True),
        ("Aqua. Snow", "Aqua", False),
        ("Strengths. Snow", "Strengths", False),
    ],
)
def test_is_abbreviated_by_a_list_or_by_its_letters(
    text: str, word: str, *, abbreviated: bool
) -> None:
    assert is_abbreviated(text, len(word)) is abbreviated
    assert is_abbreviated(f"in the {text}", len(f"in the {word}")) is abbreviated


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("vol. 3, pp. 1-9.", True),
        ("27(11):1134–1142, Nov. 1984", True),
        ("S. 12, in press", True),
        ("e1234 (2019)", True),
        ("Snow 3", False),
        ("pp. 1-9 of it", False),
    ],
)
def test_nothing_but_numbers_is_no_name(text: str, *, alone: bool) -> None:
    assert bool(NOTHING_BUT_NUMBERS.match(text)) is alone


def test_editors_and_marks_end_before_the_venue() -> None:
    for text in (
        "D. S. Lee, editor, SnowConf",
        "Lee, A. and Ray, B. (Eds.), SnowConf",
        "Ann Lee (ed.): SnowConf",
    ):
        match = EDITORS.match(text)
        assert match
        assert text[match.end() :] == "SnowConf"
    assert EDITORS.match("SnowConf, Oslo") is None
    assert [bool(BRACKET_MARK.match(text)) for text in ("[J]", " [EB/OL]", "[12]", "[Snow]")] == [
        True,
        True,
        False,
        False,
    ]
