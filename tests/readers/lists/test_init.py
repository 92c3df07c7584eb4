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


@pytest.mark.parametrize(
    ("lines", "known", "joined"),
    [
        (["a citation-", "aware index"], "", "a citation-aware index"),
        (["x-", "aware index"], "", "xaware index"),
        (["a citation-", "aware index"], "citationaware", "a citationaware index"),
        (["a snow-", "fox index"], "snow fox", "a snow-fox index"),
        (["a snow-", "fox index"], "snow", "a snowfox index"),
        (["a snow-", "fox index"], "fox", "a snowfox index"),
        (["a no-", "fox index"], "no fox", "a nofox index"),
        (["sheep -", "goats"], "", "sheep - goats"),
        (["pages 3–", "9"], "", "pages 3–9"),
        (["vol. 3/", "4"], "", "vol. 3/4"),
        (["see www.example.org.", "The end"], "", "see www.example.org. The end"),
        (["see www.example.org.", "2019."], "", "see www.example.org.2019."),
        (["https://example.org/a", "b_c"], "", "https://example.org/ab_c"),
        (["https://example.org/a", "(2019)"], "", "https://example.org/a (2019)"),
        (["https://example.org/a", "Accessed"], "", "https://example.org/a Accessed"),
    ],
)
def test_join_lines_keeps_hyphens_of_compounds_and_addresses_whole(
    lines: list[str], known: str, joined: str
) -> None:
    assert join_lines([line(text) for text in lines], set(known.split())) == joined


def test_vocabulary_has_words_of_any_script_in_lower_case() -> None:
    assert vocabulary([line("Äpfel and SNOW-fox 3"), line("end-"), line("less words")]) == {
        "äpfel",
        "and",
        "snow-fox",
        "words",
    }
