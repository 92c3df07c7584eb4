"""The file of evidence."""

from __future__ import annotations

import errno
import gzip
import os
from typing import TYPE_CHECKING

import pytest

from citeproof.screen.store import EvidenceFile

if TYPE_CHECKING:
    from pathlib import Path


def test_line_returns_appended_lines_of_one_gzip_file(tmp_path: Path) -> None:
    kept = EvidenceFile(tmp_path / "lines.gz", 0)
    first = kept.append(["one", "two"])
    second = kept.append(["three"])
    assert [kept.line(first, 1), kept.line(second, 0)] == ["two", "three"]
    assert gzip.decompress((tmp_path / "lines.gz").read_bytes()) == b"one\ntwo\nthree\n"


def test_evidence_file_is_truncated_to_the_known_size(tmp_path: Path) -> None:
    kept = EvidenceFile(tmp_path / "lines.gz", 0)
    kept.append(["one"])
    size = kept.size
    kept.append(["two"])
    again = EvidenceFile(tmp_path / "lines.gz", size)
    again.append(["three"])
    assert again.whole
    assert gzip.decompress((tmp_path / "lines.gz").read_bytes()) == b"one\nthree\n"


def test_evidence_file_that_is_too_short_is_treated_as_empty(tmp_path: Path) -> None:
    path = tmp_path / "lines.gz"
    kept = EvidenceFile(path, 0)
    kept.append(["one"])
    path.write_bytes(path.read_bytes()[:-1])
    again = EvidenceFile(path, kept.size)
    assert (again.whole, again.size, path.stat().st_size) == (False, 0, 0)


def test_append_that_is_tried_again_leaves_no_part_of_the_first_attempt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = EvidenceFile(tmp_path / "lines.gz", 0)
    kept.append(["one"])

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            kept.append(["two", "three"])
    again = kept.append(["two", "three"])
    assert kept.line(again, 1) == "three"
    assert gzip.decompress((tmp_path / "lines.gz").read_bytes()) == b"one\ntwo\nthree\n"
