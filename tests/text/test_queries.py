import pytest

from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.text.queries import (
    author_and_words,
    distinctive_words,
    family_name,
    shares_a_word,
)


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Winter, Ada", "winter"),
        ("Ada B. Winter", "winter"),
        ("van der Berg, Lou", "van der berg"),
        ("Müller, Jörg", "muller"),
        ("OpenAI", "openai"),
        ("", ""),
    ],
)
def test_family_name(name: str, family: str) -> None:
    assert family_name(name) == family


def test_distinctive_words_are_the_longest_in_order() -> None:
    title = "On the indexing of ribbon tables for cold storage: a study"
    assert distinctive_words(title) == ["indexing", "ribbon", "tables", "cold", "storage"]
    assert distinctive_words("To the of") == []


def test_author_and_words_needs_both() -> None:
    assert (
        author_and_words(Reference("r", "Ribbon tables", ("Winter, Ada",)))
        == "winter ribbon tables"
    )
    assert author_and_words(Reference("r", "Ribbon tables")) == ""
    assert author_and_words(Reference("r", "", ("Winter, Ada",))) == ""


@pytest.mark.parametrize(
    ("title", "about"),
    [
        ("Ribbons on a table", True),
        ("Tabular data", False),
        ("A study on the new", False),
        ("Self-ribboned Tables", True),
    ],
)
def test_shares_a_word_with_the_query(title: str, about: bool) -> None:
    assert shares_a_word("A study on the ribbon tables", [Record("k", title)]) is about


def test_shares_a_word_needs_one_record_and_includes_authors() -> None:
    records = [Record("a", "Zymurgy"), Record("b", "Zoology", ("Ada Winter",))]
    assert shares_a_word("winter ribbon", records)
    assert not shares_a_word("winter ribbon", records[:1])


def test_shares_a_word_accepts_other_scripts() -> None:
    assert shares_a_word("深度学习综述", [Record("k", "Zymurgy")])
