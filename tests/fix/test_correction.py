"""Author fields with the names that are wrong replaced."""

import pytest

from citeproof.fix.correction import corrected_names, corrected_title


@pytest.mark.parametrize(
    ("written", "recorded", "corrected"),
    [
        ("Doe, J. and Smith, Ann", ("Jane Doe", "Bob Jones"), "Doe, J. and Jones, Bob"),
        (
            "Jane Doe and Ann Smith",
            ("Jane Doe", "Ann Smith", "Zoë Lee"),
            r"Jane Doe and Ann Smith and Zo{\"e} Lee",
        ),
        (
            "Jane Doe and Ann Smith and Max Maker",
            ("Jane Doe", "Ann Smith"),
            "Jane Doe and Ann Smith",
        ),
        (
            "Oleg Riprari and Yi-min Yang",
            ("Yi-min Xia", "Yi-min Yang"),
            "Yi-min Xia and Yi-min Yang",
        ),
        (
            "Jane Doe, Ann Smith",
            ("Jane Doe", "Ann Smith", "Bob Jones"),
            "Doe, Jane and Smith, Ann and Jones, Bob",
        ),
        (
            "Jane Doe, Ann Smith and Max Roe",
            ("Jane Doe", "Ann Smith", "Bob Jones"),
            "Jane Doe and Ann Smith and Bob Jones",
        ),
        (
            "{D{\\'e}}, J. and X, Y",
            ("J. Dé", "Ludwig van Beethoven"),
            "{D{\\'e}}, J. and van Beethoven, Ludwig",
        ),
    ],
)
def test_right_names_stay_as_they_are_written(
    written: str, recorded: tuple[str, ...], corrected: str
) -> None:
    assert corrected_names(written, recorded, ascii_only=True) == corrected


@pytest.mark.parametrize(
    ("written", "recorded", "corrected"),
    [
        (
            "{MapReduce}: Complex  Data",
            "MapReduce: Simplified Data",
            "{MapReduce}: Simplified Data",
        ),
        ("The {\\emph{Go}} of Graphs", "The Go of Networks", "The {\\emph{Go}} of Networks"),
        ("{A Theory of Graphs}", "A Theory of LSTM Networks", "A Theory of {LSTM} Networks"),
    ],
)
def test_right_words_stay_as_they_are_written(written: str, recorded: str, corrected: str) -> None:
    assert corrected_title(written, recorded, ascii_only=True) == corrected
