"""Texts of the title index: as numbers of words, and as letters in files of the format before."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.database.building.title_index import TitleIndexBuilder
from citeproof.database.title_index import format as layout
from citeproof.database.title_index.exact import equal
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.database.title_index.words import Words, chosen_words

if TYPE_CHECKING:
    from pathlib import Path

LETTERS = [chr(code) for code in range(1, 256)]


@given(st.text(st.sampled_from(LETTERS)), st.lists(st.text(st.sampled_from("abc é"), min_size=1)))
def test_decode_gives_back_what_was_encoded_and_a_space(title: str, words: list[str]) -> None:
    coded = Words(words).encode(title)
    assert Words(words).decode(coded) == title + " "
    assert not coded or max(coded) < 1 << 16


def test_encode_takes_a_number_for_a_word_and_half_a_number_for_a_letter() -> None:
    words = Words(["deep", "networks"])
    assert len(words.encode("deep networks")) == 2
    assert len(words.encode("deep lerning")) == 1 + 4


def test_chosen_words_are_those_that_save_most() -> None:
    counts = Counter({"a": 9, "of": 5, "networks": 4, "rare": 2, "lamps": 3})
    assert chosen_words(counts) == ["networks", "lamps", "of"]


TITLES = {
    1: "lamps of the north",
    2: "lamps of the north",
    3: "lamps of the south",
    4: "ein größerer turm bei nacht",
    5: "关于灯塔的研究",
    6: "lamps 𝕏 of the north",
    7: "x" * 700,
    8: "x" * 701,
    9: " ".join(["lamp"] * 400),
    (1 << 31) - 1: "the last small number",
    1 << 31: "the first large number",
    1 << 40: "a number of another program",
    -5: "a negative number",
    **{100 + number: f"lamp number {number} of the north" for number in range(100)},
}


@pytest.fixture
def index_file(tmp_path: Path) -> Path:
    path = tmp_path / "a.titles"
    with TitleIndexBuilder(path) as builder:
        for number, title in TITLES.items():
            builder.add(number, title, title)
        builder.finish({})
    return path


def test_titles_and_records_are_read_as_they_were_added(index_file: Path) -> None:
    index = TitleIndex(index_file)
    index.verify()
    assert contents(index) == expected()
    assert index.header.sections["text"].size < sum(map(len, TITLES.values()))


def test_texts_of_narrow_and_wide_letters_are_read_together_as_one_by_one(
    index_file: Path,
) -> None:
    index = TitleIndex(index_file)
    texts = [index.normalized(title) for title in range(len(index))]
    narrow = [number for number, text in enumerate(texts) if max(map(ord, text)) < 256]
    for some in (narrow, [*range(len(texts))], narrow[:1]):
        assert index.texts(np.array(some)) == [texts[number] for number in some]
        assert index.texts(np.array(some), 10) == [texts[number][:10] for number in some]
    assert len(narrow) < len(texts)


def test_decode_header_an_older_format_is_not_read(index_file: Path) -> None:
    content = bytearray(index_file.read_bytes())
    content[16:20] = (layout.VERSION - 1).to_bytes(4, "little")
    with pytest.raises(layout.UnusableIndexError, match="format 2, this program reads format 3"):
        layout.decode_header(bytes(content))


def expected() -> dict[str, list[int]]:
    titles: dict[str, list[int]] = {}
    for number, title in TITLES.items():
        titles.setdefault(title, []).append(number)
    return titles


def contents(index: TitleIndex) -> dict[str, list[int]]:
    assert [equal(index, index.normalized(title)) for title in range(len(index))] == [
        *range(len(index))
    ]
    assert index.texts(np.arange(len(index))) == [
        index.normalized(title) for title in range(len(index))
    ]
    return {
        index.normalized(title): sorted(index.record_ids(title), key=[*TITLES].index)
        for title in range(len(index))
    }
