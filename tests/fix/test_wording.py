"""Titles and author fields with the words and names that are wrong replaced."""

import pytest

from citeproof.fix.wording import corrected_names, corrected_title


@pytest.mark.parametrize(
    ("written", "recorded", "corrected"),
    [
        ("Doe, J. and Smith, Ann", ("Jane Doe", "Bob Jones"), "Doe, J. and Jones, Bob"),
        ("Doe, J. and Smith, A.", ("Jane Doe", "Jo-Ann R. Jones"), "Doe, J. and Jones, J.-A. R."),
        ("X. Roe and A. Smith", ("Jane Doe", "Bob Jones"), "Jane Doe and Bob Jones"),
        ("J Doe and A Smith", ("Jane Doe", "Bob Jones"), "J Doe and B Jones"),
        (
            "Doe, Jane and Schorr and Joseph and Smith, Ann",
            ("Jane Doe", "Joseph Schorr", "Ann Smith"),
            "Doe, Jane and Schorr, Joseph and Smith, Ann",
        ),
        ("Doe and Smith", ("John Doe", "Bob Smith"), "Doe and Smith"),
        (
            "Doe, Jane and Plato",
            ("Jane Doe", "Plato", "Bob Lee"),
            "Doe, Jane and Plato and Lee, Bob",
        ),
        ("Doe and Smith", ("Jane Doe", "Bob Jones"), "Doe and Bob Jones"),
        (
            "Doe, Jane and Smith, Max and others",
            ("Jane Doe", "Bob Jones", "Ann Lee"),
            "Doe, Jane and Jones, Bob and others",
        ),
        (
            "Doe, Jane and Smith, Max and others",
            ("Jane Doe", "Bob Jones"),
            "Doe, Jane and Jones, Bob",
        ),
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
            "{D{\\'e}}, J. and van Beethoven, L.",
        ),
    ],
)
def test_corrected_names_keeps_right_names_as_they_are_written(
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
        ("{A Theory of Graphs}", "A Theory of LSTM Networks", "{A Theory of LSTM Networks}"),
        (
            "{{A system for the analysis of key protocols}}",
            "A System for the Verification of Key Protocols",
            "{{A system for the verification of key protocols}}",
        ),
        ("A Study of {Colour} Perception", "A Study of Color Vision", "A Study of {Colour} Vision"),
        (
            "Scale-Up: A Tale of Two Nets",
            "Scale-up: a tale of two towns",
            "Scale-Up: A Tale of Two Towns",
        ),
        ("Nets, trees and forests", "Nets, Bushes and Forests", "Nets, bushes and forests"),
        ("The {Go} Machine Learner", "The Go Language Learner", "The {Go} Language Learner"),
        ("A Theory of Sparse Graphs", "A Theory of Graphs", "A Theory of Graphs"),
        ("A Theory of Graphs", "A New Theory of Graphs", "A New Theory of Graphs"),
    ],
)
def test_corrected_title_keeps_right_words_as_they_are_written(
    written: str, recorded: str, corrected: str
) -> None:
    assert corrected_title(written, recorded, ascii_only=True) == corrected


@pytest.mark.parametrize(
    ("written", "recorded"),
    [
        (r"Worth $16\times 16$ words", "Worth 16x16 Words"),
        ("A {Theory of} Graphs", "A Study on Graphs Theory of"),
    ],
)
def test_corrected_title_is_none_for_a_formula_and_for_torn_braces(
    written: str, recorded: str
) -> None:
    found = corrected_title(written, recorded, ascii_only=True)
    assert found is None or found.count("{") == found.count("}")
    assert ("$" in written) <= (found is None)


def test_corrected_names_keeps_other_given_names_that_are_right() -> None:
    written, recorded = "Mnih, Vlad and Doe, Jane", ("Volodymyr Mnih", "Bob Jones")
    corrected = corrected_names(written, recorded, ascii_only=True, given_names=False)
    assert corrected == "Mnih, Vlad and Jones, Bob"
    assert corrected_names(written, recorded, ascii_only=True).startswith("Mnih, Volodymyr and")
