"""``db check --deep`` passes a sound title index and finds one that is damaged or answers
wrongly.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.title_index import TitleIndexBuilder
from citeproof.database.building.title_indexer import create
from citeproof.database.check import deep_check
from citeproof.database.lookup import Database
from citeproof.database.title_index.format import fingerprint, index_path
from citeproof.database.title_index.mapped import TitleIndex

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(small_path: Path, tmp_path: Path) -> Path:
    path = tmp_path / "small.db"
    shutil.copy(small_path, path)
    create(path)
    return path


def findings(path: Path) -> dict[str, bool]:
    with Database.open(path) as database:
        return {finding.subject: finding.sound for finding in deep_check(database)}


def test_deep_check_passes_a_sound_index(path: Path) -> None:
    assert findings(path) == {"index blocks": True, "deep": True}


def test_deep_check_finds_a_flipped_bit(path: Path) -> None:
    section = TitleIndex(index_path(path)).header.sections["ids"]
    data = bytearray(index_path(path).read_bytes())
    data[section.offset + section.size // 2] ^= 4
    index_path(path).write_bytes(data)
    assert findings(path) == {"index blocks": False}


def test_deep_check_names_a_missing_index(path: Path) -> None:
    index_path(path).unlink()
    assert findings(path) == {"index blocks": False}


def test_deep_check_finds_an_index_that_lacks_titles(path: Path) -> None:
    with Database.open(path) as database, TitleIndexBuilder(index_path(path)) as builder:
        for record_id, title in list(database.titles())[:1]:
            builder.add(record_id, title)
        builder.finish(fingerprint(database.file))
    assert findings(path) == {"index blocks": True, "deep": False}
