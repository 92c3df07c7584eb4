"""The bytes of a source file, plain or gzip."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from citeproof.database.building.source_file import SourceFile

if TYPE_CHECKING:
    from pathlib import Path


def test_peek_what_was_peeked_at_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"one ") + gzip.compress(b"two"))
    file = SourceFile(path)
    assert file.peek(3) == b"one"
    assert file.read_all() == b"one two"
    assert file.position == file.size
    file.close()
