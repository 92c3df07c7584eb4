"""Texts of the title index, read one by one and together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from citeproof.database.building.title_index import TitleIndexBuilder
from citeproof.database.title_index.exact import equal
from citeproof.database.title_index.mapped import TitleIndex

if TYPE_CHECKING:
    from pathlib import Path

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
