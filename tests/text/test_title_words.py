"""The words of titles, without what is printed beside them."""

import pytest

from citeproof.text.title_words import (
    begins_text_about,
    is_of_text_about,
    telling_words,
    title_form,
    title_words,
)

WORDS = ("on", "winter", "in", "towns")


@pytest.mark.parametrize(
    "title",
    [
        "On Winter in Towns.",
        "On winter in towns (Extended Abstract)",
        "On winter in towns [invited paper].",
        "On winter in towns (Awarded Best Paper!)",
        "On winter in towns, functional pearl",
        "On winter in towns - Extended version",
        "On winter in towns (poster) (extended abstract)",
        "On winter in towns (an abstract of a talk at Oslo)",
        "Poster: On winter in towns",
        "Session 3: On winter in towns",
        "Squibs and Discussions: On winter in towns",
        "The Lamp Award: On winter in towns",
        "Guest editorial: On winter in towns",
        "On winter in towns (abstract)",
        "On winter in towns (Abstract only).",
        "On winter in towns (student abstract)",
        "On winter in towns (Preliminary Version)",
        "On winter in towns (preliminary report).",
        "On winter in towns, technical report .",
        "On winter in towns (Invited Talk)",
    ],
)
def test_title_words_leave_out_remarks_and_labels(title: str) -> None:
    assert title_words(title) == WORDS


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Winter: On towns", ("winter", "on", "towns")),
        ("Poster: On winter", ("poster", "on", "winter")),
        ("Talk (poster)", ("talk",)),
        ("(Extended Abstract)", ("extended", "abstract")),
        (
            "On winter (in three towns of old)",
            ("on", "winter", "in", "three", "towns", "of", "old"),
        ),
        ("Abstracts of winter", ("abstracts", "of", "winter")),
        ("雪的理论 (A theory of snow)", ("a", "theory", "of", "snow")),
        ("Über Schnee (Snow theory)", ("uber", "schnee", "snow", "theory")),
        ("", ()),
    ],
)
def test_title_words_keep_what_belongs_to_the_title(title: str, words: tuple[str, ...]) -> None:
    assert title_words(title) == words


@pytest.mark.parametrize(
    ("title", "cut"),
    [
        ("On winter in ...", True),
        ("On winter in…", True),
        ("On winter in . . .", True),
        ("... and winter", False),
        ("On winter... in towns of the north", False),
        ("On winter.", False),
    ],
)
def test_title_form_says_whether_a_title_was_cut(title: str, *, cut: bool) -> None:
    assert title_form(title).is_cut is cut


def test_title_form_counts_the_words_of_remarks_too() -> None:
    form = title_form("On Winter (extended abstract)")
    assert (form.normal, form.words, form.length) == (
        "on winter extended abstract",
        ("on", "winter"),
        4,
    )
    assert title_form("!?").length == 0


def test_telling_words_leave_out_function_words() -> None:
    assert telling_words("The Sheep of the North and a Theory (extended abstract)") == (
        "sheep",
        "north",
        "theory",
    )


@pytest.mark.parametrize(
    ("title", "about", "begins"),
    [
        ("Correction to: On winter", True, True),
        ("Errata", True, True),
        ("On winter: a reply", True, False),
        ("Book review: On winter", True, True),
        ("On winter, reviewed by A. Lee", True, False),
        ("Correctional towns", False, False),
        ("On winter", False, False),
    ],
)
def test_is_of_text_about_another_work_and_begins_text_about_it(
    title: str, *, about: bool, begins: bool
) -> None:
    assert (is_of_text_about(title), begins_text_about(title)) == (about, begins)
