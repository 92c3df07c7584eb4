import pytest

from citeproof.readers.lists import Line, join_lines, vocabulary


def line(text: str) -> Line:
    return Line(text.removesuffix("¬"), 1, broken_word=text.endswith("¬"))


@pytest.mark.parametrize(
    ("lines", "known", "joined"),
    [
        (
            ["Simple word problems in uni¬", "versal algebras"],
            "universal",
            "Simple word problems in universal algebras",
        ),
        (["A citation-", "enhanced index"], "citation enhanced", "A citation-enhanced index"),
        (["A context-", "enhanced index"], "index", "A context-enhanced index"),
        (["A citation¬", "enhanced index"], "citation-enhanced", "A citation-enhanced index"),
        (["The Kullback-", "Leibler divergence"], "", "The Kullback-Leibler divergence"),
        (["pages 12-", "34. Springer."], "", "pages 12-34. Springer."),
        (["https://doi.org/", "10.1145/1.2"], "", "https://doi.org/10.1145/1.2"),
        (
            ["https://example.org/a-", "b.html. Accessed"],
            "",
            "https://example.org/a-b.html. Accessed",
        ),
        (["one line", "another"], "", "one line another"),
        ([], "", ""),
    ],
)
def test_words_and_addresses_are_made_whole(lines: list[str], known: str, joined: str) -> None:
    assert join_lines([line(text) for text in lines], set(known.split())) == joined


def test_vocabulary_the_halves_of_a_broken_word_are_no_words() -> None:
    assert vocabulary([line("whole words of uni¬"), line("versal algebra")]) == {
        "whole",
        "words",
        "of",
        "algebra",
    }
