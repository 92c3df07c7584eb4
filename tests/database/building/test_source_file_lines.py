"""Lines of JSON: each object with the number of its line, wherever the file is cut into pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.database.building import source_file
from citeproof.database.building.source_file import SourceFile, lines, objects

if TYPE_CHECKING:
    from pathlib import Path

CONTENT = b'{"a": 1}\n\n[2]\n  \n{"a": 3}\r\n{"a'


@pytest.mark.parametrize("chunk", [1, 7, 1 << 18])
@pytest.mark.parametrize("end", [b"", b'": 4}', b'": 4}\n'])
def test_objects_have_the_numbers_of_their_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int, end: bytes
) -> None:
    monkeypatch.setattr(source_file, "CHUNK_BYTES", chunk)
    (tmp_path / "x.jsonl").write_bytes(CONTENT + end)
    assert list(objects(SourceFile(tmp_path / "x.jsonl"))) == [
        (1, {"a": 1}),
        (3, None),
        (5, {"a": 3}),
        (6, {"a": 4} if end else None),
    ]
    assert b"".join(lines(SourceFile(tmp_path / "x.jsonl"))) == CONTENT + end
