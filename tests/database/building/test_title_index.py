"""What is written is what was given, however little memory there was and whatever the titles are
made of.
"""

from __future__ import annotations

import io
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.database.building import title_index as writing
from citeproof.database.building.title_index import TitleIndexBuilder, length_classes
from citeproof.database.building.title_spill import Group, Spill
from citeproof.database.title_index.exact import equal
from citeproof.database.title_index.format import CODECS, letter_width
from citeproof.database.title_index.mapped import TitleIndex
from citeproof.model.errors import BuildError
from citeproof.store.files import replacing
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from pathlib import Path

ALPHABET = "abe z09яж神𐍈"


def some_titles(count: int = 3000) -> list[tuple[int, str]]:
    rng = random.Random(3)
    return [
        (number * 7 - 100, "".join(rng.choices(ALPHABET, k=rng.randint(0, 12))))
        for number in range(count)
    ]


def group_of(titles: list[str]) -> Group:
    spill = Spill(io.BytesIO())
    for number, title in enumerate(titles):
        spill.add(title, number, 0)
    return spill.read(len(titles[0]), 1)


def write(path: Path, titles: list[tuple[int, str]], memory: int = 1 << 20) -> TitleIndex:
    with TitleIndexBuilder(path, memory) as builder:
        for record_id, title in titles:
            builder.add(record_id, title)
        builder.finish({"of": "a test"})
    return TitleIndex(path)


def test_finish_every_title_is_there_with_the_ids_of_its_records(tmp_path: Path) -> None:
    titles = some_titles()
    index = write(tmp_path / "x.titles", titles)
    expected: dict[str, list[int]] = {}
    for record_id, title in titles:
        expected.setdefault(normalize_title(title), []).append(record_id)
    held = {
        index.normalized(number): list(index.record_ids(number)) for number in range(len(index))
    }
    assert held == expected
    assert all(equal(index, title) is not None for title in expected)
    assert (index.header.titles, index.header.records) == (len(expected), len(titles))


def test_finish_little_memory_makes_the_same_file(tmp_path: Path) -> None:
    for name, memory in (("much", 1 << 30), ("little", 100)):
        write(tmp_path / name, some_titles(), memory)
    assert (tmp_path / "much").read_bytes() == (tmp_path / "little").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["little", "much"]


def test_titles_of_one_length_that_are_sorted_part_by_part_make_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "at once", some_titles())
    monkeypatch.setattr(writing, "_SORTED", 10)
    monkeypatch.setattr(writing, "_COUNTED", 7)
    parts = list(writing.by_balance({1: group_of(["ab", "za", "ba", "bb"] * 5)}, 2))
    assert [len(part[1]) for part in parts] == [5, 10, 5], "balances 0, 1 and 2"
    write(tmp_path / "part by part", some_titles())
    assert (tmp_path / "at once").read_bytes() == (tmp_path / "part by part").read_bytes()


@pytest.mark.parametrize("record_id", [-(1 << 63), 0, (1 << 63) - 1])
def test_finish_any_id_that_sqlite_has_can_be_a_record(tmp_path: Path, record_id: int) -> None:
    index = write(tmp_path / "x.titles", [(record_id, "Lamp trees")])
    assert index.record_ids(0) == (record_id,)


def test_finish_a_second_build_of_the_same_index_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.titles"
    with replacing(path) as building:
        building.write_bytes(b"in the making")
        with pytest.raises(BuildError, match="another build of the same file is running"):
            write(path, some_titles(10))


def test_finish_a_failed_build_leaves_the_index_before(tmp_path: Path) -> None:
    path = tmp_path / "x.titles"
    write(path, some_titles(10))
    before = path.read_bytes()
    with TitleIndexBuilder(path) as builder:
        builder.add(1, "Lamp trees")
        with pytest.raises(TypeError):
            builder.finish({"not": object()})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@given(st.lists(st.integers(0, 4000), unique=True).map(sorted))
def test_length_classes_part_the_lengths(lengths: list[int]) -> None:
    classes = list(length_classes(lengths))
    assert [length for each in classes for length in each] == lengths
    assert all(each[-1] <= max(each[0] + 3, each[0] * 1.08) for each in classes)


@given(
    st.lists(st.tuples(st.text(ALPHABET, max_size=6), st.integers(0, 99), st.integers(0, 9))),
    st.integers(1, 200),
)
def test_add_what_is_spilled_comes_back(entries: list[tuple[str, int, int]], memory: int) -> None:
    spill = Spill(io.BytesIO(), memory)
    for text, record_id, main in entries:
        spill.add(text, record_id, main)
    returned = []
    for (length, width), count in spill.counts().items():
        group = spill.read(length, width)
        assert len(group) == count
        for row, record_id, main in group:
            text = row.tobytes().decode(CODECS[width])
            assert (len(text), letter_width(text)) == (length, width)
            returned.append((text, int(record_id), int(main)))
    assert sorted(returned) == sorted(entries)
