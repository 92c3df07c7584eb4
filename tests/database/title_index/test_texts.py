"""Texts of the title index: as numbers of words, and as letters in files of the format before."""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

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


def test_texts_an_index_of_the_format_before_is_read_the_same(index_file: Path) -> None:
    new = TitleIndex(index_file)
    old_file = index_file.with_name("old.titles")
    old_file.write_bytes(as_format_2(new))
    old = TitleIndex(old_file)
    old.verify()
    assert contents(old) == contents(new) == expected()
    every = np.arange(len(new))
    for most in (None, 10):
        read, wanted = old.texts(every, most), new.texts(every, most)
        assert read == wanted


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


def as_format_2(index: TitleIndex) -> bytes:
    """Return the file of ``index`` as the version before wrote it."""
    size = range(len(index))
    ids = [index.record_ids(title) for title in size]
    values: dict[str, Any] = {
        "text": b"".join(
            text.encode(layout.CODECS[layout.letter_width(text)])
            for text in map(index.normalized, size)
        ),
        "ids": np.array([number for each in ids for number in each], "<i8").tobytes(),
        "starts": np.cumsum([0, *map(len, ids)]).astype("<u4").tobytes(),
    }
    columns = dict(zip(index.header.sections, index._columns, strict=True))
    data, sections = b"", {}
    for name in layout.SECTIONS_2:
        held = columns[name]
        content = values.get(name) or held.run(0, len(held)).tobytes()
        block = layout.BLOCKS[name]
        parts = [content[at : at + block] for at in range(0, len(content), block)]
        sums = np.array([zlib.crc32(part) for part in parts], "<u4").tobytes()
        data += b"\0" * (-len(data) % layout.PAGE)
        begin = layout.HEADER_ROOM + len(data)
        sections[name] = layout.Section(
            begin, len(content), block, begin + len(content), zlib.crc32(sums)
        )
        data += content + sums
    header = replace(index.header, sections=sections, size=layout.HEADER_ROOM + len(data))
    beginning = bytearray(header.encode().ljust(layout.HEADER_ROOM, b"\0"))
    beginning[16:20] = (2).to_bytes(4, "little")
    return bytes(beginning) + data
