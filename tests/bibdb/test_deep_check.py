"""``db check --deep`` passes a sound title index and finds one that is damaged or answers wrongly."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from citeproof.bibdb.database import Database
from citeproof.bibdb.deep_check import deep_check
from citeproof.bibdb.title_index.fingerprint import fingerprint
from citeproof.bibdb.title_index.format import index_path
from citeproof.bibdb.title_index.reader.mapped import TitleIndex
from citeproof.bibdb.title_index.writer.build import TitleIndexBuilder
from citeproof.bibdb.title_index.writer.create import create

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


def test_a_sound_index_passes(path: Path) -> None:
    assert findings(path) == {"index blocks": True, "deep": True}


def test_a_flipped_bit_is_found(path: Path) -> None:
    section = TitleIndex(index_path(path)).header.sections["ids"]
    data = bytearray(index_path(path).read_bytes())
    data[section.offset + section.size // 2] ^= 4
    index_path(path).write_bytes(data)
    assert findings(path) == {"index blocks": False}


def test_a_missing_index_is_named(path: Path) -> None:
    index_path(path).unlink()
    assert findings(path) == {"index blocks": False}


def test_an_index_that_lacks_titles_is_found(path: Path) -> None:
    with Database.open(path) as database, TitleIndexBuilder(index_path(path)) as builder:
        for record_id, title in list(database.titles())[:1]:
            builder.add(record_id, title)
        builder.finish(fingerprint(database.file))
    assert findings(path) == {"index blocks": True, "deep": False}
