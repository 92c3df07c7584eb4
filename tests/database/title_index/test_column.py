"""Columns of a title index: mapped, or read where a search needs a few values."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.database.title_index.titles import Titles

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.database.title_index.mapped import TitleIndex


@pytest.fixture
def index(tmp_path: Path) -> TitleIndex:
    opened = Titles(tmp_path / "x.titles", random.Random(1)).index
    opened.verify()  # so that no block is read to compare its checksum
    return opened


def test_run_reads_texts_and_maps_signatures(
    index: TitleIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    read = index._file.read

    def counted(size: int, offset: int) -> bytes:
        asked.append(offset)
        return read(size, offset)

    monkeypatch.setattr(index._file, "read", counted)
    assert len({*map(index.normalized, range(20))}) == 20
    text = index.header.sections["text"]
    assert len(asked) == 20
    assert all(text.offset <= offset < text.offset + text.size for offset in asked)
    asked.clear()
    assert len(index.cyclic.run(0, len(index))) == len(index) > 20
    index.far.take(np.arange(len(index)))
    assert asked == []


def test_release_changes_no_value(index: TitleIndex) -> None:
    before = index.far.run(0, len(index)).tolist()
    assert any(before)
    index.far.release()
    assert index.far.run(0, len(index)).tolist() == before
