"""Titles as numbers of words and of pairs of letters."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from citeproof.database.title_index.words import MOST_WORDS, Words, chosen_words

LETTERS = [chr(code) for code in range(1, 256)]


@given(st.text(st.sampled_from(LETTERS)), st.lists(st.text(st.sampled_from("abc é"), min_size=1)))
def test_decode_gives_back_what_was_encoded_and_a_space(title: str, words: list[str]) -> None:
    coded = Words(words).encode(title)
    assert Words(words).decode(coded) == title + " "
    assert not len(coded) % 2


def test_encode_takes_a_number_for_a_word_and_half_a_number_for_a_letter() -> None:
    words = Words(["deep", "networks"])
    assert len(words.encode("deep networks")) == 2 * 2
    assert len(words.encode("deep lerning")) == 2 * (1 + 4)


def test_chosen_words_are_those_that_save_most() -> None:
    counts = Counter({"a": 9, "of": 5, "networks": 4, "rare": 2, "lamps": 3})
    assert chosen_words(counts) == ["networks", "lamps", "of"]


def test_encode_takes_a_number_for_each_letter_that_is_in_no_pair() -> None:
    assert Words([]).encode("aé") == "aé ".encode("utf-16-le")
    assert len(Words([]).encode("abc")) == 2 * 2
    assert Words([]).decode(Words([]).encode("")) == " "


def test_chosen_words_are_at_most_as_many_as_there_are_numbers() -> None:
    counts = Counter({f"word{number}": 3 for number in range(MOST_WORDS + 5)})
    assert len(set(chosen_words(counts))) == MOST_WORDS
    assert MOST_WORDS + 256 + 37 * 37 < 1 << 16
