from citeproof.text.title_differences import words_a_letter_apart


def test_words_a_letter_apart_the_words_a_letter_apart_are_those_to_be_counted() -> None:
    assert words_a_letter_apart("A sytem for big graphs", "A system for graphs") == (
        "sytem",
        "system",
    )
    assert words_a_letter_apart("A theory of trees", "A theory of graphs") == ()
