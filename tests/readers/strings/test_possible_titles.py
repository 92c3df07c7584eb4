"""What a title holds is looked for once a text."""

from typing import Any

import pytest

from citeproof.readers.strings import best_reading, possible_titles
from citeproof.readers.strings.endings import Ending, Endings
from citeproof.readers.strings.features import weight_of


@pytest.mark.parametrize(
    ("text", "title", "named"),
    [
        ("Phys. Rev. 12, 3", "Phys. Rev", True),
        ("Phys. Rev A, 3", "Phys. Rev A", False),
        ("J. Am. Chem. Soc, 3", "Am. Chem. Soc", True),
        ("The Journal of Snow 3", "The Journal of Snow", True),
        ("The Journals of Snow 3", "The Journals of Snow", False),
        ("Snow. J. Cold 3", "Snow", False),
    ],
)
def test_names_venue_two_abbreviated_words_or_a_word_of_venues_name_a_venue(
    text: str, title: str, named: bool
) -> None:
    start = text.index(title)
    assert possible_titles.Titles(text).names_venue(start, start + len(title)) is named


@pytest.mark.parametrize("sign", ["has:open_bracket", "has:abbreviations_alone", "has:name_alone"])
def test_what_a_title_itself_says_only_counts_against_it(sign: str) -> None:
    """What a title weighs at most is told without it."""
    assert weight_of((sign,)) < 0


def test_of_a_long_text_only_the_endings_near_a_beginning_are_weighed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each looks at all that follows, so that 16,000 letters of numbers took four seconds."""
    asked = []
    ending = Endings._ending

    def counted(*arguments: Any) -> Ending:
        asked.append(arguments)
        return ending(*arguments)

    monkeypatch.setattr(Endings, "_ending", counted)
    assert possible_titles.Titles("vol. 3, " * 500).beginning_at(
        0, 0, 0, dict.fromkeys(possible_titles.JOINTS, 0)
    )
    assert 0 < len(asked) < 40


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("A. Lee, 'The dogs' bones', Wool, 2004.", "The dogs' bones"),
        ("A. Lee, ‘The dog’s bones’, Wool, 2004.", "The dog’s bones"),
        ("A. Lee, “The “dog” bones”, Wool, 2004.", "The “dog” bones"),
        ("A. Lee, ``On sheep,'' Wool, 2004.", "On sheep"),
        ("A. Lee, „On sheep“, Wool, 2004.", "On sheep"),
    ],
)
def test_a_title_in_quotation_marks_ends_at_its_own_mark(text: str, title: str) -> None:
    assert best_reading(text)[0].title == title
